package dev.shardwright.router.executor.merge;

import dev.shardwright.router.planner.RowLimit;

/** LIMIT over the merged rows: skips, then lets through, then is full. */
final class Window {
    private long skip;
    private long left;

    Window(RowLimit limit) {
        this.skip = limit.offset();
        this.left = limit.count();
    }

    boolean full() {
        return left == 0;
    }

    /** Counts one row; true when it is to be sent. */
    boolean admits() {
        if (skip > 0) {
            skip--;
            return false;
        }
        left--;
        return true;
    }
}
