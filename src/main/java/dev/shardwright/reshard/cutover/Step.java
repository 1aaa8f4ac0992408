package dev.shardwright.reshard.cutover;

/**
 * The switchover's steps in order, finer than the table in the design where a crash in between makes a
 * difference. Each is idempotent.
 */
public enum Step {
    /** Targets equal, little lag, all routers up to date, nothing long runs. */
    READY(0),
    /** The servers that are to serve let users in, but not write, and the routers connect: then none has to when all wait. */
    ADMIT(0),
    /** Compare-and-set: the shards are Fenced. */
    MARK_FENCED(1),
    /** The routers acknowledge, or are found to be silent. */
    DRAIN(2),
    /** super_read_only; for silent routers offline_mode first. */
    FREEZE(3),
    /** Whoever could still write is gone. */
    END_SESSIONS(3),
    /** The final gtid sets. */
    READ_G(3),
    /** The fence is written to the servers' disks, while the targets catch up. */
    PERSIST_FENCE(3),
    /** Users, grants, views, routines and the like are the same on both sides. */
    COMPARE(4),
    /** AUTO_INCREMENT goes on where it was. */
    RAISE_COUNTERS(4),
    /** All of G has been applied. */
    APPLY_G(4),
    /** Movers that ran so far can't write any more. */
    RAISE_TOKENS(4),
    /** Triggers are made where they will serve: not earlier, as movers' rows would fire them. */
    CREATE_TRIGGERS(4),
    /** Where the way back starts; and a last look that G still holds. */
    READ_R(4),
    /** Compare-and-set: the new shards serve. The point of no return. */
    FLIP(5),
    /** The new shards' servers let everybody in. */
    OPEN(6),
    /** The streams back run; the old ones are stopped. */
    WAY_BACK(7),
    /** The old shards' servers shut everybody out once their last reads have ended. */
    CLOSE(7),

    /** Undo: compare-and-set to Unfencing. */
    MARK_UNFENCING(-1),
    /** Undo: MySQL is open again. */
    THAW(-1),
    /** Undo: compare-and-set to Serving. */
    MARK_SERVING(-1);

    private final int number;

    Step(int number) {
        this.number = number;
    }

    /** Its row in the design's table; -1 for the undo. */
    public int number() {
        return number;
    }

    public boolean isUndo() {
        return number < 0;
    }
}
