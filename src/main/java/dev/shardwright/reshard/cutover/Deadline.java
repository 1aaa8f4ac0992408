package dev.shardwright.reshard.cutover;

import java.time.Duration;

/** A moment by which something must be done, on the monotonic clock. */
record Deadline(long nanos) {

    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    boolean passed() {
        return System.nanoTime() - nanos >= 0;
    }

    Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    Deadline orEarlier(Duration time) {
        var other = in(time);
        return other.nanos - nanos < 0 ? other : this;
    }

    /** Throws Undone when it has passed. */
    void check(String what) {
        if (passed()) {
            throw new Undone("SwitchTimeout", "the switchover ran out of time while it waited until " + what);
        }
    }
}
