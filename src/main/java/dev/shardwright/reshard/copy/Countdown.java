package dev.shardwright.reshard.copy;

import java.util.concurrent.atomic.AtomicInteger;

/** Each of several parties runs it once; the last one's run is that of the action. Thread-safe. */
public final class Countdown implements Runnable {
    private final AtomicInteger left;
    private final Runnable action;

    public Countdown(int parties, Runnable action) {
        this.left = new AtomicInteger(parties);
        this.action = action;
    }

    @Override
    public void run() {
        run(1);
    }

    /** For so many of them. */
    void run(int parties) {
        if (left.addAndGet(-parties) == 0) {
            action.run();
        }
    }
}
