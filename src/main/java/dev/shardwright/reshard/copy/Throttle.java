package dev.shardwright.reshard.copy;

import java.util.concurrent.TimeUnit;

/**
 * Slows the readers when the source's clients suffer: a watermark is a small committed write like theirs, so
 * its latency, compared with what it was before the copy began, shows what they see.
 */
public final class Throttle {
    private static final double TOLERATED = 1.5;
    private static final double MAX_FACTOR = 4;
    private static final double WEIGHT = 0.2;
    private static final double MIN_BASELINE_NANOS = 500_000;
    private static final long MAX_PAUSE_MILLIS = 2_000;

    private final double baselineNanos;
    private double smoothedNanos;

    /** @param baselineNanos latency of a watermark while nothing is copied */
    public Throttle(long baselineNanos) {
        this.baselineNanos = Math.max(MIN_BASELINE_NANOS, baselineNanos);
        this.smoothedNanos = this.baselineNanos;
    }

    synchronized void committed(long nanos) {
        smoothedNanos += WEIGHT * (nanos - smoothedNanos);
    }

    /** How long to rest after a chunk whose read took {@code readNanos}. */
    synchronized long pauseMillis(long readNanos) {
        var factor = Math.clamp(smoothedNanos / baselineNanos - TOLERATED, 0, MAX_FACTOR);
        return Math.min(MAX_PAUSE_MILLIS, TimeUnit.NANOSECONDS.toMillis((long) (factor * readNanos)));
    }
}
