package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.MalformedPacketException;
import dev.shardwright.router.buffer.ClientMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * Unpacks what a client sends compressed. One packet is unpacked at a time and none while a command runs, so that few
 * bytes never become much memory; reading stops once enough waits.
 */
final class CompressedInput extends ByteToMessageDecoder {
    private static final int MAX_AHEAD = ClientMemory.FREE;

    private final Packing packing;
    private final CompressedSequence sequence;
    private final ClientFrames frames;
    private boolean broken;

    CompressedInput(Packing packing, CompressedSequence sequence, ClientFrames frames) {
        this.packing = packing;
        this.sequence = sequence;
        this.frames = frames;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        frames.comesFrom(() -> proceed(context));
    }

    /** The running command has been answered. */
    private void proceed(ChannelHandlerContext context) {
        if (actualReadableBytes() > 0) {
            arrived(context, Unpooled.EMPTY_BUFFER);
        }
    }

    void arrived(ChannelHandlerContext context, ByteBuf bytes) {
        try {
            channelRead(context, bytes);
        } catch (Exception e) {
            context.fireExceptionCaught(e);
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (broken) {
            in.skipBytes(in.readableBytes());
        } else if (frames.isPaused()) {
            if (in.readableBytes() > MAX_AHEAD) {
                context.channel().config().setAutoRead(false);
            }
        } else if (in.readableBytes() >= CompressedSequence.HEADER) {
            packet(context, in, out);
        }
    }

    private void packet(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        int at = in.readerIndex();
        int length = in.getUnsignedMediumLE(at);
        int unpacked = in.getUnsignedMediumLE(at + 4);
        if (!frames.fitsUnpacked(context, length + unpacked)) {
            return;
        }
        if (in.readableBytes() < CompressedSequence.HEADER + length) {
            return;
        }
        if (length == 0 || !sequence.received(in.getUnsignedByte(at + 3))) {
            broken = true;
            throw new MalformedPacketException("an empty compressed packet, or one out of order");
        }
        in.skipBytes(CompressedSequence.HEADER);
        var payload = in.readSlice(length);
        out.add(unpacked == 0 ? payload.retain() : unpacked(context, payload, unpacked));
    }

    private ByteBuf unpacked(ChannelHandlerContext context, ByteBuf payload, int length) {
        var bytes = context.alloc().directBuffer(length, length);
        try {
            packing.unpack(payload, bytes, length);
            return bytes;
        } catch (MalformedPacketException e) {
            broken = true;
            bytes.release();
            throw e;
        }
    }
}
