package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.ClientLogin;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * How the bytes of a client's connection are compressed. Each call stands alone, so the working memory belongs to the
 * event loop's thread and not to the connection.
 */
sealed interface Packing permits ZlibPacking, ZstdPacking {

    /**
     * Appends the readable bytes in a smaller form. False, and nothing is appended, when they do not get smaller.
     *
     * @param in direct; its indexes stay
     * @param out direct, with room for as many bytes as there are
     */
    boolean pack(ByteBuf in, ByteBuf out);

    /**
     * Appends what the readable bytes were made of. MalformedPacketException when they are not whole, or not of this
     * length.
     *
     * @param in its indexes stay
     * @param out direct, with room for the length
     * @param length in bytes, as the sender says it
     */
    void unpack(ByteBuf in, ByteBuf out, int length);

    /** Capabilities by which a client may ask for it. */
    static int offered() {
        return Capability.COMPRESS | (ZstdPacking.isAvailable() ? Capability.ZSTD_COMPRESSION : 0);
    }

    /** What this client asks for; null: nothing. As MySQL does, zlib if it takes both. */
    static @Nullable Packing of(ClientLogin login) {
        int wanted = login.capabilities() & offered();
        if (Capability.has(wanted, Capability.COMPRESS)) {
            return ZlibPacking.INSTANCE;
        }
        return Capability.has(wanted, Capability.ZSTD_COMPRESSION) ? new ZstdPacking(login.zstdLevel()) : null;
    }
}
