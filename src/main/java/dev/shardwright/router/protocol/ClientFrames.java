package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a client's bytes into whole packets, headers included; one that is continued stays in one piece.
 * While a command runs nothing more is handed on, and reading stops once enough waits.
 */
public final class ClientFrames extends ByteToMessageDecoder {
    /** Bytes that a client may send ahead of the answer to its running command. */
    private static final int MAX_AHEAD = 1 << 18;

    private int limit;
    private int expectedSequence;
    private boolean paused;
    private boolean decoding;
    private boolean broken;
    private boolean unnumbered;
    private @Nullable FileFrames file;
    private @Nullable Runnable source;
    private @Nullable Runnable change;

    /** @param limit largest packet that is taken, in bytes */
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

    boolean isPaused() {
        return paused;
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
        if (!context.channel().config().isAutoRead()) {
            context.channel().config().setAutoRead(true);
        }
        var switching = change;
        if (switching != null) {
            change = null;
            switching.run();
        }
        // Inside of a read the decoding loop goes on by itself.
        if (!decoding && actualReadableBytes() > 0) {
            decodeWhatWaits(context);
        }
        if (!decoding && !paused && source != null) {
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
        if (paused) {
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
        int length = wholePacket(context, in);
        if (length > 0) {
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
        int sequence = expectedSequence;
        while (in.readableBytes() >= length + PacketBuilder.HEADER) {
            int at = in.readerIndex() + length;
            int part = in.getUnsignedMediumLE(at);
            if (!unnumbered && in.getUnsignedByte(at + 3) != sequence) {
                return refuse(context, in, ErrorCatalogue.packetsOutOfOrder());
            }
            length += PacketBuilder.HEADER + part;
            if (length > limit) {
                return refuse(context, in, ErrorCatalogue.packetTooLarge(limit));
            }
            if (part < PacketBuilder.FULL) {
                return in.readableBytes() >= length ? length : 0;
            }
            sequence = PacketBuilder.next(sequence);
        }
        return 0;
    }

    private int refuse(ChannelHandlerContext context, ByteBuf in, ErrPacket error) {
        broken = true;
        in.skipBytes(in.readableBytes());
        context.fireUserEventTriggered(new Broken(error));
        return 0;
    }

    /** What this client sends can't be understood any more. */
    public record Broken(ErrPacket error) {}
}
