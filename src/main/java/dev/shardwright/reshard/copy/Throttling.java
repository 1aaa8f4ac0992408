package dev.shardwright.reshard.copy;

/**
 * What the throttle of one source does, and what it sees there.
 *
 * @param reason what it spares, {@link Reason#None} if it lets the readers go at full speed
 * @param sinceMillis since when it has spared anything, in milliseconds since 1970; 0 if it does not
 * @param restedMillis how long a reader has rested in all since the mover was started
 * @param speedPercent the share of time in which readers may read
 * @param commitMicros median latency of a small commit on the source, of about the last second
 * @param quietCommitMicros the same while nothing is read; 0: not known yet
 * @param threadsRunning on the source
 * @param lagMillis of the target that is the farthest behind; -1: not known
 */
public record Throttling(
        Reason reason,
        long sinceMillis,
        long restedMillis,
        int speedPercent,
        long commitMicros,
        long quietCommitMicros,
        long threadsRunning,
        long lagMillis) {
    public static final Throttling NONE = new Throttling(Reason.None, 0, 0, 100, 0, 0, 0, -1);

    /** Why readers rest. */
    public enum Reason {
        None,
        RowsPerSecond,
        CommitLatency,
        ThreadsRunning,
        TargetLag
    }
}
