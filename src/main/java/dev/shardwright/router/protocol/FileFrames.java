package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.PacketBuilder;
import io.netty.buffer.ByteBuf;

/**
 * The packets by which a client sends a file's content, up to an empty one. They pass as they come, however
 * long they are, with the sequence numbers that the server waits for.
 */
public final class FileFrames {
    private int sequence;
    private final int shift;
    private int left;
    private boolean continued;
    private boolean ended;
    private boolean outOfOrder;

    /**
     * @param sequence of the client's first packet
     * @param shift how much lower the server's numbers are
     */
    public FileFrames(int sequence, int shift) {
        this.sequence = sequence;
        this.shift = shift;
    }

    /** How many bytes, from the reader index on, may be handed on now; headers among them are renumbered. */
    int scan(ByteBuf in, boolean unnumbered) {
        int start = in.readerIndex();
        int at = start;
        int end = in.writerIndex();
        while (!ended && !outOfOrder && at < end) {
            if (left > 0) {
                int passed = Math.min(left, end - at);
                left -= passed;
                at += passed;
            } else if (end - at < PacketBuilder.HEADER) {
                break;
            } else {
                header(in, at, unnumbered);
                at += PacketBuilder.HEADER;
            }
        }
        return at - start;
    }

    private void header(ByteBuf in, int at, boolean unnumbered) {
        int length = in.getUnsignedMediumLE(at);
        outOfOrder = !unnumbered && in.getUnsignedByte(at + 3) != sequence;
        in.setByte(at + 3, sequence - shift);
        sequence = PacketBuilder.next(sequence);
        ended = length == 0 && !continued;
        continued = length == PacketBuilder.FULL;
        left = length;
    }

    boolean outOfOrder() {
        return outOfOrder;
    }

    /** The empty packet has come. */
    public boolean ended() {
        return ended;
    }

    /** Sequence number of a packet that answers what has come so far. */
    public int next() {
        return sequence;
    }
}
