package dev.shardwright.reshard.copy;

import org.jspecify.annotations.Nullable;

/**
 * How far the copy and the comparison may burden a source.
 *
 * @param maxRowsPerSecond that are read from it; null: no bound
 * @param maxCommitLatencyPercent of the latency that a small commit on the source has while nothing is read
 * @param maxThreadsRunning on the source, those of the mover among them
 * @param maxTargetLagMillis of the target that is the farthest behind
 */
public record ThrottleLimits(
        @Nullable Long maxRowsPerSecond, int maxCommitLatencyPercent, int maxThreadsRunning, long maxTargetLagMillis) {
    public static final ThrottleLimits DEFAULT = new ThrottleLimits(null, 125, 25, 10_000);
}
