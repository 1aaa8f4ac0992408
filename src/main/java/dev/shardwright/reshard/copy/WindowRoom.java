package dev.shardwright.reshard.copy;

/** Bound for what all open chunk windows remember together. Not thread-safe. */
public final class WindowRoom {
    private long left;

    /** @param bytes for all windows together */
    public WindowRoom(long bytes) {
        this.left = bytes;
    }

    /** False, and nothing is taken, when there is not so much left. */
    boolean take(long bytes) {
        if (bytes > left) {
            return false;
        }
        left -= bytes;
        return true;
    }

    void giveBack(long bytes) {
        left += bytes;
    }
}
