package dev.shardwright.router;

import com.github.luben.zstd.Zstd;
import dev.shardwright.mysql.wire.Capability;
import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** What a fuzzing client and the router have agreed on at the login. */
enum FuzzDialect {
    PLAIN(Capability.DEPRECATE_EOF),
    OLD(0),
    UNDESCRIBED(Capability.OPTIONAL_RESULTSET_METADATA),
    TRACKED(Capability.DEPRECATE_EOF
            | Capability.OPTIONAL_RESULTSET_METADATA
            | Capability.QUERY_ATTRIBUTES
            | Capability.SESSION_TRACK),
    ZLIB(Capability.DEPRECATE_EOF | Capability.COMPRESS),
    ZSTD(Capability.DEPRECATE_EOF | Capability.QUERY_ATTRIBUTES | Capability.ZSTD_COMPRESSION);

    private static final int HEADER = 7;

    private final int capabilities;

    FuzzDialect(int more) {
        capabilities = RawClient.CAPABILITIES | Capability.MULTI_STATEMENTS | Capability.LOCAL_FILES | more;
    }

    int capabilities() {
        return capabilities;
    }

    boolean attributes() {
        return Capability.has(capabilities, Capability.QUERY_ATTRIBUTES);
    }

    boolean compressed() {
        return Capability.has(capabilities, Capability.COMPRESS | Capability.ZSTD_COMPRESSION);
    }

    /** As one packet of the compressed protocol. */
    byte[] packed(byte[] bytes) {
        var body = this == ZSTD ? Zstd.compress(bytes) : deflated(bytes);
        var out = new ByteArrayOutputStream(HEADER + body.length);
        medium(out, body.length);
        out.write(0);
        medium(out, bytes.length);
        out.writeBytes(body);
        return out.toByteArray();
    }

    private static void medium(ByteArrayOutputStream out, int value) {
        out.write(value);
        out.write(value >> 8);
        out.write(value >> 16);
    }

    private static byte[] deflated(byte[] bytes) {
        try (var deflater = new Deflater()) {
            deflater.setInput(bytes);
            deflater.finish();
            var out = new ByteArrayOutputStream();
            var buffer = new byte[1_024];
            while (!deflater.finished()) {
                out.write(buffer, 0, deflater.deflate(buffer));
            }
            return out.toByteArray();
        }
    }

    /** @param length of what the body was made of */
    byte[] unpacked(byte[] body, int length) {
        if (this == ZSTD) {
            return Zstd.decompress(body, length);
        }
        try (var inflater = new Inflater()) {
            inflater.setInput(body);
            var out = new byte[length];
            if (inflater.inflate(out) != length) {
                throw new IllegalStateException("a compressed packet of another length than it says");
            }
            return out;
        } catch (DataFormatException e) {
            throw new IllegalStateException(e);
        }
    }
}
