package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.PacketBuilder;

/** The numbers of compressed packets: both sides count on together, and each command begins at 0 again. */
final class CompressedSequence {
    /** Payload length, number, length before the compression or 0. */
    static final int HEADER = 3 + 1 + 3;

    private int next;

    /** Whether a packet with this number may come now. */
    boolean received(int number) {
        if (number != 0 && number != next) {
            return false;
        }
        next = PacketBuilder.next(number);
        return true;
    }

    int send() {
        int number = next;
        next = PacketBuilder.next(number);
        return number;
    }
}
