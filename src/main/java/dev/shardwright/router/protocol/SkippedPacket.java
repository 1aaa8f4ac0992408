package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import io.netty.buffer.ByteBuf;

/**
 * A packet that can't be taken in. It is read to its end all the same: a client that is spoken to in the middle of its
 * sending does not listen, and sees a lost connection instead of the error.
 */
final class SkippedPacket {
    /** What is skipped at most; a client that sends more is cut off in the middle. */
    private static final long LIMIT = 1L << 30;

    private static final int HEAD = 5;

    private final ErrPacket error;
    private final boolean closes;
    private final byte[] head = new byte[HEAD];
    private int sequence;
    private long skipped;
    private int left;
    private boolean continued = true;
    private boolean broken;

    /**
     * @param closes whether the connection ends with it
     * @param sequence of the packet's first header
     */
    SkippedPacket(ErrPacket error, boolean closes, int sequence) {
        this.error = error;
        this.closes = closes;
        this.sequence = sequence;
    }

    ErrPacket error() {
        return error;
    }

    /** The first bytes of the payload; zeros where there are none. */
    byte[] head() {
        return head.clone();
    }

    boolean closes() {
        return closes;
    }

    /** Skips what has come; true when the packet has ended, or makes no sense any more. */
    boolean skip(ByteBuf in) {
        while (true) {
            int now = Math.min(left, in.readableBytes());
            if (skipped < HEAD) {
                in.getBytes(in.readerIndex(), head, (int) skipped, (int) Math.min(HEAD - skipped, now));
            }
            in.skipBytes(now);
            left -= now;
            skipped += now;
            if (left > 0) {
                return false;
            }
            if (!continued || broken) {
                return true;
            }
            if (in.readableBytes() < PacketBuilder.HEADER) {
                return false;
            }
            header(in);
        }
    }

    private void header(ByteBuf in) {
        left = in.readUnsignedMediumLE();
        int received = in.readUnsignedByte();
        broken = received != sequence || skipped > LIMIT;
        continued = left == PacketBuilder.FULL;
        sequence = PacketBuilder.next(sequence);
        left = broken ? 0 : left;
    }

    /** The client can't be understood any more. */
    boolean isBroken() {
        return broken;
    }

    /** Sequence number of the answer. */
    int answerSequence() {
        return sequence;
    }
}
