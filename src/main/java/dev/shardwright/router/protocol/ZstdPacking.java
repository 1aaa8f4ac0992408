package dev.shardwright.router.protocol;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.shardwright.mysql.wire.MalformedPacketException;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.FastThreadLocal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** CLIENT_ZSTD_COMPRESSION_ALGORITHM. */
final class ZstdPacking implements Packing {
    private static final Logger log = LoggerFactory.getLogger(ZstdPacking.class);
    /** Beyond it an event loop would work long for little; a client that asks for more gets this. */
    private static final int HIGHEST_LEVEL = 9;

    private static final boolean AVAILABLE = load();

    private static final FastThreadLocal<ZstdCompressCtx> COMPRESSOR = new FastThreadLocal<>() {
        @Override
        protected ZstdCompressCtx initialValue() {
            return new ZstdCompressCtx();
        }

        @Override
        protected void onRemoval(ZstdCompressCtx value) {
            value.close();
        }
    };
    private static final FastThreadLocal<ZstdDecompressCtx> DECOMPRESSOR = new FastThreadLocal<>() {
        @Override
        protected ZstdDecompressCtx initialValue() {
            return new ZstdDecompressCtx();
        }

        @Override
        protected void onRemoval(ZstdDecompressCtx value) {
            value.close();
        }
    };

    private final int level;

    ZstdPacking(int level) {
        this.level = Math.clamp(level, 1, HIGHEST_LEVEL);
    }

    /** False where its native library can't be loaded. */
    static boolean isAvailable() {
        return AVAILABLE;
    }

    private static boolean load() {
        try {
            return Zstd.maxCompressionLevel() >= HIGHEST_LEVEL;
        } catch (LinkageError e) {
            log.warn("clients are not offered zstd, only zlib: {}", e.toString());
            return false;
        }
    }

    @Override
    public boolean pack(ByteBuf in, ByteBuf out) {
        int room = in.readableBytes() - 1;
        var from = in.nioBuffer();
        var to = out.nioBuffer(out.writerIndex(), room);
        try {
            int packed = COMPRESSOR
                    .get()
                    .setLevel(level)
                    .compressDirectByteBuffer(to, to.position(), room, from, from.position(), from.remaining());
            out.writerIndex(out.writerIndex() + packed);
            return true;
        } catch (ZstdException e) {
            // It does not fit, so it does not get smaller.
            return false;
        }
    }

    @Override
    public void unpack(ByteBuf in, ByteBuf out, int length) {
        var from = in.nioBuffer();
        if (!from.isDirect()) {
            var direct = out.alloc().directBuffer(in.readableBytes()).writeBytes(in.slice());
            try {
                unpack(direct, out, length);
            } finally {
                direct.release();
            }
            return;
        }
        var to = out.nioBuffer(out.writerIndex(), length);
        try {
            int unpacked = DECOMPRESSOR
                    .get()
                    .decompressDirectByteBuffer(to, to.position(), length, from, from.position(), from.remaining());
            if (unpacked != length) {
                throw new MalformedPacketException("compressed bytes of another length than " + length);
            }
        } catch (ZstdException e) {
            throw new MalformedPacketException("not zstd's format: " + e.getMessage());
        }
        out.writerIndex(out.writerIndex() + length);
    }
}
