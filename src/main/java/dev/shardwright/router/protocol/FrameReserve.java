package dev.shardwright.router.protocol;

import dev.shardwright.router.buffer.ClientMemory;

/** The memory of the packet that a client is sending or has been sent an answer to last. */
final class FrameReserve {
    static final int RETRY_MILLIS = 10;
    static final int RETRIES = 1_000;

    /** Whether a packet may be taken in. */
    enum Answer {
        YES,
        LATER,
        NEVER
    }

    private final ClientMemory memory;
    private long held;
    private int refusals;
    private boolean closed;

    FrameReserve(ClientMemory memory) {
        this.memory = memory;
    }

    /** Asks for memory for so many bytes in all. After a LATER the caller asks again in {@link #RETRY_MILLIS}. */
    Answer need(long bytes) {
        if (bytes <= held) {
            return Answer.YES;
        }
        if (closed || !memory.couldTake(bytes - held)) {
            return Answer.NEVER;
        }
        if (memory.take(bytes - held)) {
            held = bytes;
            refusals = 0;
            return Answer.YES;
        }
        return refusals++ < RETRIES ? Answer.LATER : Answer.NEVER;
    }

    /** What all clients may hold together, in bytes. */
    long limitOfAll() {
        return memory.limitOfAll();
    }

    /** Whether there is more than what every client has for nothing. */
    boolean isLarge() {
        return held > ClientMemory.FREE;
    }

    /** The packet has been dealt with. */
    void release() {
        memory.giveBack(held);
        held = 0;
        refusals = 0;
    }

    /** The client is gone and gets nothing any more. */
    void close() {
        release();
        closed = true;
    }
}
