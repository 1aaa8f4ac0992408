package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.MalformedPacketException;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** CLIENT_COMPRESS. */
final class ZlibPacking implements Packing {
    static final ZlibPacking INSTANCE = new ZlibPacking();

    /** No stream of zlib's grows more than this; who says so lies. */
    private static final int MAX_RATIO = 1_032;

    private static final FastThreadLocal<Deflater> DEFLATER = new FastThreadLocal<>() {
        @Override
        protected Deflater initialValue() {
            return new Deflater();
        }

        @Override
        protected void onRemoval(Deflater value) {
            value.end();
        }
    };
    private static final FastThreadLocal<Inflater> INFLATER = new FastThreadLocal<>() {
        @Override
        protected Inflater initialValue() {
            return new Inflater();
        }

        @Override
        protected void onRemoval(Inflater value) {
            value.end();
        }
    };

    private ZlibPacking() {}

    @Override
    public boolean pack(ByteBuf in, ByteBuf out) {
        var deflater = DEFLATER.get();
        deflater.reset();
        deflater.setInput(in.nioBuffer());
        deflater.finish();
        int packed = deflater.deflate(out.nioBuffer(out.writerIndex(), in.readableBytes() - 1));
        if (!deflater.finished()) {
            return false;
        }
        out.writerIndex(out.writerIndex() + packed);
        return true;
    }

    @Override
    public void unpack(ByteBuf in, ByteBuf out, int length) {
        if (length > (long) in.readableBytes() * MAX_RATIO) {
            throw new MalformedPacketException(in.readableBytes() + " compressed bytes for " + length);
        }
        var inflater = INFLATER.get();
        inflater.reset();
        inflater.setInput(in.nioBuffer());
        try {
            int unpacked = inflater.inflate(out.nioBuffer(out.writerIndex(), length));
            // The end is found only by asking for more than there is.
            if (unpacked != length || (!inflater.finished() && inflater.inflate(new byte[1]) > 0)) {
                throw new MalformedPacketException("compressed bytes of another length than " + length);
            }
            if (!inflater.finished() || inflater.getRemaining() > 0) {
                throw new MalformedPacketException("compressed bytes that are not whole");
            }
        } catch (DataFormatException e) {
            throw new MalformedPacketException("not zlib's format: " + e.getMessage());
        }
        out.writerIndex(out.writerIndex() + length);
    }
}
