package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The first packet of a connection, protocol version 10.
 *
 * @param nonce 20 bytes that the client's proof must contain
 */
public record ServerGreeting(
        String version, int connectionId, byte[] nonce, int capabilities, int collation, int status, String plugin) {
    private static final int PROTOCOL = 10;
    private static final int FIRST_PART = 8;

    /** Reads the payload; a server that refuses the connection sends an error packet instead, see {@link ErrPacket}. */
    public static ServerGreeting read(ByteBuf payload) {
        var in = new PayloadReader(payload);
        int protocol = in.int1();
        if (protocol != PROTOCOL) {
            throw new MalformedPacketException("the server speaks protocol version " + protocol + ", not " + PROTOCOL);
        }
        var version = in.nulTerminatedText();
        int id = in.int4();
        var nonce = Arrays.copyOf(in.bytes(FIRST_PART), CachingSha2.NONCE_LENGTH);
        in.int1();
        int low = in.int2();
        int collation = in.int1();
        int status = in.int2();
        int capabilities = low | in.int2() << 16;
        int nonceLength = in.int1();
        in.skip(10);
        var second = in.bytes(Math.max(13, nonceLength - FIRST_PART));
        System.arraycopy(second, 0, nonce, FIRST_PART, CachingSha2.NONCE_LENGTH - FIRST_PART);
        var plugin = Capability.has(capabilities, Capability.PLUGIN_AUTH) ? in.nulTerminatedText() : "";
        return new ServerGreeting(version, id, nonce, capabilities, collation, status, plugin);
    }

    /** Returns the next sequence number. */
    public int write(ByteBuf out) {
        return PacketBuilder.begin(out, 0)
                .int1(PROTOCOL)
                .nulTerminated(version)
                .int4(connectionId)
                .bytes(Arrays.copyOf(nonce, FIRST_PART))
                .int1(0)
                .int2(capabilities & 0xffff)
                .int1(collation)
                .int2(status)
                .int2(capabilities >>> 16)
                .int1(CachingSha2.NONCE_LENGTH + 1)
                .zeros(10)
                .bytes(Arrays.copyOfRange(nonce, FIRST_PART, CachingSha2.NONCE_LENGTH))
                .int1(0)
                .nulTerminated(plugin)
                .end();
    }
}
