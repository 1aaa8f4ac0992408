package dev.shardwright.router.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Packs what a client is sent, at each flush and whenever enough has come together. */
final class CompressedOutput extends ChannelOutboundHandlerAdapter {
    /** What is packed at once, in bytes: more would hold up the event loop, less would pack worse. */
    static final int CHUNK = 1 << 16;
    /** As in MySQL, anything shorter goes as it is. */
    static final int LEAST = 50;

    private static final int FIRST_CAPACITY = 1 << 10;

    private final Packing packing;
    private final CompressedSequence sequence;
    private List<ChannelPromise> promises = new ArrayList<>();
    private @Nullable ByteBuf pending;

    CompressedOutput(Packing packing, CompressedSequence sequence) {
        this.packing = packing;
        this.sequence = sequence;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        var bytes = (ByteBuf) message;
        try {
            while (bytes.isReadable()) {
                collect(context, bytes);
            }
        } finally {
            bytes.release();
        }
        if (!promise.isVoid()) {
            promises.add(promise);
        }
    }

    private void collect(ChannelHandlerContext context, ByteBuf bytes) {
        var chunk = pending;
        if (chunk == null) {
            chunk = context.alloc().directBuffer(FIRST_CAPACITY, CHUNK);
            pending = chunk;
        }
        chunk.writeBytes(bytes, Math.min(bytes.readableBytes(), CHUNK - chunk.readableBytes()));
        if (chunk.readableBytes() == CHUNK) {
            pending = null;
            context.write(packed(context, chunk), context.voidPromise());
        }
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        var chunk = pending;
        pending = null;
        if (chunk != null || !promises.isEmpty()) {
            context.write(chunk == null ? Unpooled.EMPTY_BUFFER : packed(context, chunk), written(context));
        }
        context.flush();
    }

    /** Keeps the promises of all that has been collected. */
    private ChannelPromise written(ChannelHandlerContext context) {
        if (promises.isEmpty()) {
            return context.voidPromise();
        }
        var kept = promises;
        promises = new ArrayList<>();
        return context.newPromise()
                .addListener((ChannelFuture future) -> kept.forEach(promise -> {
                    if (future.isSuccess()) {
                        promise.trySuccess();
                    } else {
                        promise.tryFailure(future.cause());
                    }
                }));
    }

    private ByteBuf packed(ChannelHandlerContext context, ByteBuf chunk) {
        try {
            int length = chunk.readableBytes();
            var out = context.alloc().directBuffer(CompressedSequence.HEADER + length);
            out.writeZero(CompressedSequence.HEADER);
            boolean packed = length >= LEAST && packing.pack(chunk, out);
            if (!packed) {
                out.writeBytes(chunk);
            }
            out.setMediumLE(0, out.readableBytes() - CompressedSequence.HEADER);
            out.setByte(3, sequence.send());
            out.setMediumLE(4, packed ? length : 0);
            return out;
        } finally {
            chunk.release();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        var chunk = pending;
        pending = null;
        if (chunk != null) {
            chunk.release();
        }
        promises.forEach(promise -> promise.tryFailure(new ClosedChannelException()));
        promises.clear();
    }
}
