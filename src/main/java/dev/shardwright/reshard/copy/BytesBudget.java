package dev.shardwright.reshard.copy;

import java.util.concurrent.Semaphore;

/** Memory that several threads share: each takes its share before it fills it. First come, first served. Thread-safe. */
public final class BytesBudget {
    private static final int UNIT = 1 << 10;

    private final int units;
    private final Semaphore left;

    /** @param bytes that all shares have together; at most a TiB */
    public BytesBudget(long bytes) {
        this.units = Math.toIntExact(bytes / UNIT);
        this.left = new Semaphore(units, true);
    }

    /** Waits for so many bytes. What is larger than the whole budget gets all of it, so that it is alone. */
    public Share take(long bytes) throws InterruptedException {
        var share = units(bytes);
        left.acquire(share);
        return new Share(share);
    }

    private int units(long bytes) {
        return (int) Math.clamp((bytes - 1) / UNIT + 1, 1, units);
    }

    /** Waits until every share has been given back. */
    public void awaitAll() throws InterruptedException {
        left.acquire(units);
        left.release(units);
    }

    /** What somebody has taken. It passes from thread to thread; only one at a time uses it. */
    public final class Share {
        private int taken;

        private Share(int taken) {
            this.taken = taken;
        }

        /** Whether so much may be filled. */
        public boolean holds(long bytes) {
            return taken >= units(bytes);
        }

        /** Gives back all but what is needed for so many bytes. */
        public void keep(long bytes) {
            var unused = taken - Math.min(taken, units(bytes));
            taken -= unused;
            left.release(unused);
        }

        public void giveBack() {
            left.release(taken);
            taken = 0;
        }
    }
}
