package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.router.buffer.ClientMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a client's bytes into whole packets, headers included; one that is continued stays in one piece.
 * While a command runs nothing more is handed on, and reading stops once enough waits.
 */
public final class ClientFrames extends ByteToMessageDecoder {
    /** Bytes that a client may send ahead of the answer to its running command. */
    private static final int MAX_AHEAD = ClientMemory.FREE;
    /** As MySQL's net_read_timeout. */
    private static final int READ_TIMEOUT_SECONDS = 30;

    private int limit;
    private @Nullable FrameReserve reserve;
    private boolean waiting;
    private @Nullable SkippedPacket skipped;
    private @Nullable Future<?> watch;
    private int reads;
    private int expectedSequence;
    private boolean paused;
    private boolean decoding;
    private boolean broken;
    private boolean unnumbered;
    private @Nullable FileFrames file;
    private @Nullable Runnable source;
    private @Nullable Runnable change;

    /** @param limit as MySQL's max_allowed_packet: a payload of so many bytes, over all its packets, is refused */
    public ClientFrames(int limit) {
        this.limit = limit;
    }

    /** The next packet must carry this sequence number; a command starts at 0. */
    public void expect(int sequence) {
        expectedSequence = sequence;
    }

    /** From now on sequence numbers are not looked at: compressed packets have numbers of their own. */
    void unnumbered() {
        unnumbered = true;
    }

    /** @param more called when the client may go on and all that had come here is handed on */
    void comesFrom(Runnable more) {
        source = more;
    }

    /** @param action called once, when the client may go on and before anything more of it is handed on */
    void switchAtResume(Runnable action) {
        change = action;
    }

    /**
     * What comes next is no command but a file's content, which is handed on in pieces as it comes.
     *
     * @param frames what they become
     */
    public void expectFile(FileFrames frames) {
        file = frames;
    }

    /** Whether nothing is taken in now. */
    boolean isPaused() {
        return paused || waiting;
    }

    /** From now on packets take memory. */
    public void takeFrom(ClientMemory memory) {
        reserve = new FrameReserve(memory);
    }

    /** The packet that has been handed on takes no memory any more; its receiver has taken what it keeps of it. */
    public void handOver() {
        if (reserve != null) {
            reserve.release();
        }
    }

    /** The client is gone. */
    public void releaseMemory() {
        if (reserve != null) {
            reserve.close();
        }
        if (watch != null) {
            watch.cancel(false);
        }
    }

    public void limit(int bytes) {
        limit = bytes;
    }

    /** Hands nothing on until {@link #resume}. */
    public void pause() {
        paused = true;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object input) throws Exception {
        decoding = true;
        reads++;
        try {
            super.channelRead(context, input);
        } finally {
            decoding = false;
        }
    }

    /** What has arrived behind the packets that were handed on; it is not handed on any more. */
    ByteBuf takeAhead() {
        return internalBuffer().readBytes(actualReadableBytes());
    }

    /** The client may go on. Must be called on the event loop. */
    public void resume(ChannelHandlerContext context) {
        paused = false;
        if (reserve != null) {
            reserve.release();
        }
        if (!context.channel().config().isAutoRead()) {
            context.channel().config().setAutoRead(true);
        }
        var switching = change;
        if (switching != null) {
            change = null;
            switching.run();
        }
        // Inside of a read the decoding loop goes on by itself.
        if (!decoding) {
            proceed(context);
        }
    }

    private void proceed(ChannelHandlerContext context) {
        if (actualReadableBytes() > 0) {
            decodeWhatWaits(context);
        }
        if (!isPaused() && source != null) {
            source.run();
        }
    }

    private void decodeWhatWaits(ChannelHandlerContext context) {
        try {
            channelRead(context, Unpooled.EMPTY_BUFFER);
        } catch (Exception e) {
            context.fireExceptionCaught(e);
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (broken) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (isPaused()) {
            if (in.readableBytes() > MAX_AHEAD) {
                context.channel().config().setAutoRead(false);
            }
            return;
        }
        var content = file;
        if (content != null) {
            piece(context, content, in, out);
            return;
        }
        int length = skipped == null ? wholePacket(context, in) : 0;
        var refused = skipped;
        if (refused != null) {
            skip(context, refused, in);
        } else if (length > 0) {
            paused = true;
            out.add(in.readRetainedSlice(length));
        }
    }

    private void piece(ChannelHandlerContext context, FileFrames content, ByteBuf in, List<Object> out) {
        int length = content.scan(in, unnumbered);
        if (content.outOfOrder()) {
            refuse(context, in, ErrorCatalogue.packetsOutOfOrder());
            return;
        }
        if (content.ended()) {
            file = null;
            paused = true;
        }
        if (length > 0) {
            out.add(in.readRetainedSlice(length));
        }
    }

    /** Length of the packet with all its headers, or 0 if it is not all there or not right. */
    private int wholePacket(ChannelHandlerContext context, ByteBuf in) {
        int length = 0;
        int payload = 0;
        int sequence = expectedSequence;
        while (in.readableBytes() >= length + PacketBuilder.HEADER) {
            int at = in.readerIndex() + length;
            int part = in.getUnsignedMediumLE(at);
            if (!unnumbered && in.getUnsignedByte(at + 3) != sequence) {
                return refuse(context, in, ErrorCatalogue.packetsOutOfOrder());
            }
            length += PacketBuilder.HEADER + part;
            payload += part;
            if (payload >= limit) {
                return tooMuch(context, in, ErrorCatalogue.packetTooLarge(limit), true);
            }
            if (!fits(context, in, length)) {
                return 0;
            }
            if (part < PacketBuilder.FULL) {
                return in.readableBytes() >= length ? length : 0;
            }
            sequence = PacketBuilder.next(sequence);
        }
        return 0;
    }

    /**
     * Whether there is memory for so many bytes. If not, the client is read no more until there is, or the packet is
     * refused; both are arranged here.
     */
    private boolean fits(ChannelHandlerContext context, ByteBuf in, int bytes) {
        var memory = reserve;
        if (memory == null) {
            return true;
        }
        var answer = memory.need(bytes);
        waiting = answer == FrameReserve.Answer.LATER;
        if (waiting) {
            context.channel().config().setAutoRead(false);
            context.executor().schedule(() -> retry(context), FrameReserve.RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
        if (answer == FrameReserve.Answer.NEVER) {
            tooMuch(context, in, ErrorCatalogue.outOfStatementMemory(memory.limitOfAll()), false);
        } else if (memory.isLarge()) {
            watch(context);
        }
        return answer == FrameReserve.Answer.YES;
    }

    private void retry(ChannelHandlerContext context) {
        if (waiting && !context.isRemoved() && context.channel().isActive()) {
            waiting = false;
            proceed(context);
            context.channel().config().setAutoRead(!waiting);
        }
    }

    /**
     * Whether what was compressed may be unpacked here now; as {@link #fits}.
     *
     * @param bytes of it, packed and unpacked together
     */
    boolean fitsUnpacked(ChannelHandlerContext context, int bytes) {
        return fits(context.pipeline().context(this), internalBuffer(), actualReadableBytes() + bytes);
    }

    /** A client that has stopped in the middle of a large packet does not keep its memory for ever. */
    private void watch(ChannelHandlerContext context) {
        if (watch == null) {
            int seen = reads;
            watch = context.executor().schedule(() -> look(context, seen), READ_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void look(ChannelHandlerContext context, int seen) {
        watch = null;
        if (paused || broken || reserve == null || !reserve.isLarge()) {
            return;
        }
        if (reads == seen) {
            refuse(context, internalBuffer(), ErrorCatalogue.packetReadTimeout());
        } else {
            watch(context);
        }
    }

    /** The packet at the reader index is not taken in. Under compression its end can't be found without unpacking all. */
    private int tooMuch(ChannelHandlerContext context, ByteBuf in, ErrPacket error, boolean close) {
        if (reserve == null || unnumbered) {
            return refuse(context, in, error);
        }
        skipped = new SkippedPacket(error, close, expectedSequence);
        return 0;
    }

    private void skip(ChannelHandlerContext context, SkippedPacket packet, ByteBuf in) {
        if (!packet.skip(in)) {
            return;
        }
        skipped = null;
        if (packet.isBroken()) {
            refuse(context, in, ErrorCatalogue.packetsOutOfOrder());
        } else {
            paused = true;
            context.fireUserEventTriggered(
                    new Refused(packet.error(), packet.head(), packet.answerSequence(), packet.closes()));
        }
    }

    private int refuse(ChannelHandlerContext context, ByteBuf in, ErrPacket error) {
        broken = true;
        in.skipBytes(in.readableBytes());
        context.fireUserEventTriggered(new Broken(error));
        return 0;
    }

    /**
     * A packet has not been taken in.
     *
     * @param head the first bytes of its payload: the command and, if it is about a statement, that statement's id
     * @param sequence number of the answer
     * @param close whether the client may not go on when it has been answered
     */
    public record Refused(ErrPacket error, byte[] head, int sequence, boolean close) {}

    /** What this client sends can't be understood any more. */
    public record Broken(ErrPacket error) {}
}
