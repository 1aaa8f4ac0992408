package dev.shardwright.reshard.copy;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the readers of one source below the rate that its owner allows, and slows them when the source's clients
 * suffer: a watermark is a small committed write like theirs, so its latency, compared with what it was before the copy
 * began, shows what they see. Times are those of {@link System#nanoTime}.
 */
public final class Throttle {
    private static final double TOLERATED = 1.5;
    private static final double MAX_FACTOR = 4;
    private static final double WEIGHT = 0.2;
    private static final double MIN_BASELINE_NANOS = 500_000;
    private static final long MAX_PAUSE_MILLIS = 2_000;

    private final double baselineNanos;
    private final double nanosPerRow;
    private double smoothedNanos;
    /** When the rows that have been read are within the rate. */
    private long paidAt = System.nanoTime();

    /**
     * @param baselineNanos latency of a watermark while nothing is copied
     * @param maxRowsPerSecond of all readers together; null: no bound
     */
    public Throttle(long baselineNanos, @Nullable Long maxRowsPerSecond) {
        this.nanosPerRow = maxRowsPerSecond == null ? 0 : (double) TimeUnit.SECONDS.toNanos(1) / maxRowsPerSecond;
        this.baselineNanos = Math.max(MIN_BASELINE_NANOS, baselineNanos);
        this.smoothedNanos = this.baselineNanos;
    }

    synchronized void committed(long nanos) {
        smoothedNanos += WEIGHT * (nanos - smoothedNanos);
    }

    /** So many rows that the pause after a chunk stays near a second. */
    int maxChunkRows(int otherwise) {
        return nanosPerRow == 0
                ? otherwise
                : (int) Math.clamp((long) (TimeUnit.SECONDS.toNanos(1) / nanosPerRow), 1, otherwise);
    }

    synchronized void read(int rows, long now) {
        paidAt = now + Math.max(0, paidAt - now) + (long) (rows * nanosPerRow);
    }

    /** How long to rest now after a chunk whose read began at {@code begun}. */
    synchronized long pauseMillis(long begun, long now) {
        var factor = Math.clamp(smoothedNanos / baselineNanos - TOLERATED, 0, MAX_FACTOR);
        var calm = Math.min(MAX_PAUSE_MILLIS, TimeUnit.NANOSECONDS.toMillis((long) (factor * (now - begun))));
        return Math.max(calm, TimeUnit.NANOSECONDS.toMillis(Math.max(0, paidAt - now)));
    }
}
