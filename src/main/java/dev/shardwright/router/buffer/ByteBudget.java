package dev.shardwright.router.buffer;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that all clients of a router may hold together. Thread-safe. */
public final class ByteBudget {
    private final long limit;
    private final AtomicLong used = new AtomicLong();

    public ByteBudget(long limit) {
        this.limit = limit;
    }

    public boolean take(long bytes) {
        if (used.addAndGet(bytes) <= limit) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    public void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    public long used() {
        return used.get();
    }

    public long limit() {
        return limit;
    }
}
