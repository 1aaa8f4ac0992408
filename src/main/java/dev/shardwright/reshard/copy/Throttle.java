package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.copy.Throttling.Reason;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the readers of one source within {@link ThrottleLimits}. {@link SourceProbe} tells it a few times a second how
 * the source and the targets fare; by that it moves the readers' speed, the share of time in which they may read, a
 * little up or down. Slow readers also read smaller chunks, so that they burden the source evenly. Times are those of
 * {@link System#nanoTime}.
 */
public final class Throttle {
    /** Slower than this it never gets, so that a copy comes to its end whatever happens. */
    static final double SLOWEST = 0.02;

    private static final double FIRST_SPEED = 0.25;
    /** So much of a bound lets the speed rise only slowly. */
    private static final double HOLDS_BACK = 0.95;

    private static final double FULL_SPEED = 0.95;
    private static final double FASTEST_RISE = 1.1;
    private static final double FASTEST_FALL = 0.8;
    /** Of several hundred microseconds nobody can tell what is a commit and what is chance. */
    private static final long MIN_QUIET_NANOS = 500_000;

    /** How many times the quiet latency before the next one may be. */
    private static final int MOST_RISE = 2;

    private static final int SAMPLES = 9;
    private static final int SMALL_CHUNK_ROWS = 500;
    private static final long MAX_PAUSE_MILLIS = 5_000;

    private final ThrottleLimits limits;
    private final double nanosPerRow;
    private final long[] commits = new long[SAMPLES];
    private int committed;
    private long quietNanos;
    private double speed = FIRST_SPEED;
    private Reason worst = Reason.None;
    private boolean resting;
    private long threadsRunning;
    private long lagMillis = -1;
    private long restedNanos;
    private long sinceMillis;
    /** When the rows that have been read are within the rate. */
    private long paidAt = System.nanoTime();

    public Throttle(ThrottleLimits limits) {
        this.limits = limits;
        var rows = limits.maxRowsPerSecond();
        this.nanosPerRow = rows == null ? 0 : (double) TimeUnit.SECONDS.toNanos(1) / rows;
    }

    /**
     * The latency of a commit while nothing is read. It is believed to have risen only little by little: a source that
     * just then has a bad moment would else be burdened without a bound until the next look.
     */
    synchronized void quiet(long nanos) {
        var measured = Math.max(MIN_QUIET_NANOS, nanos);
        quietNanos = quietNanos == 0 ? measured : Math.min(measured, MOST_RISE * quietNanos);
        committed = 0;
    }

    synchronized void committed(long nanos) {
        commits[committed++ % SAMPLES] = nanos;
    }

    /**
     * Moves the speed by what was seen.
     *
     * @param clients whether anybody else uses the source; if nobody does, its latency is nobody's concern
     * @param lag of the targets in milliseconds, -1 if not known
     */
    synchronized void seen(boolean clients, long threads, long lag) {
        threadsRunning = threads;
        lagMillis = lag;
        var pressures = new EnumMap<Reason, Double>(Reason.class);
        if (clients && quietNanos > 0 && committed >= SAMPLES) {
            pressures.put(
                    Reason.CommitLatency, 100.0 * latency() / (quietNanos * (double) limits.maxCommitLatencyPercent()));
        }
        pressures.put(Reason.ThreadsRunning, (double) threads / limits.maxThreadsRunning());
        pressures.put(Reason.TargetLag, (double) lag / limits.maxTargetLagMillis());
        var greatest = Collections.max(pressures.entrySet(), Map.Entry.comparingByValue());
        var pressure = greatest.getValue();
        if (pressure > HOLDS_BACK) {
            worst = greatest.getKey();
        }
        speed = clients || pressure > 1
                ? Math.clamp(speed * Math.clamp(2 - pressure, FASTEST_FALL, FASTEST_RISE), SLOWEST, 1)
                : 1;
        note(System.currentTimeMillis());
    }

    private void note(long now) {
        if (reason() == Reason.None) {
            sinceMillis = 0;
        } else if (sinceMillis == 0) {
            sinceMillis = now;
        }
    }

    private long latency() {
        var sorted = Arrays.copyOf(commits, Math.min(committed, SAMPLES));
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }

    /** Between two of these calls no chunk is begun. */
    synchronized void rest(boolean now) {
        resting = now;
        notifyAll();
    }

    /** So many rows that the pause after a chunk stays short. */
    synchronized int maxChunkRows(int otherwise) {
        var even = Math.max(Math.min(SMALL_CHUNK_ROWS, otherwise), (long) (speed * otherwise));
        return nanosPerRow == 0
                ? (int) even
                : (int) Math.clamp((long) (TimeUnit.SECONDS.toNanos(1) / nanosPerRow), 1, even);
    }

    synchronized void read(int rows, long now) {
        paidAt = now + Math.max(0, paidAt - now) + (long) (rows * nanosPerRow);
    }

    /** How long to rest now after a chunk whose read began at {@code begun}. */
    synchronized long pauseMillis(long begun, long now) {
        var calm = Math.min(MAX_PAUSE_MILLIS, TimeUnit.NANOSECONDS.toMillis((long) ((now - begun) * (1 / speed - 1))));
        return Math.max(calm, TimeUnit.NANOSECONDS.toMillis(Math.max(0, paidAt - now)));
    }

    /** Rests after a chunk whose read began at {@code begun}. */
    void pause(long begun) throws InterruptedException {
        var now = System.nanoTime();
        Thread.sleep(pauseMillis(begun, now));
        synchronized (this) {
            while (resting) {
                wait();
            }
            restedNanos += System.nanoTime() - now;
            note(System.currentTimeMillis());
        }
    }

    private Reason reason() {
        if (speed < FULL_SPEED) {
            return worst;
        }
        return nanosPerRow > 0 && paidAt - System.nanoTime() > 0 ? Reason.RowsPerSecond : Reason.None;
    }

    /** @param readers that share this throttle */
    public synchronized Throttling state(int readers) {
        return new Throttling(
                reason(),
                sinceMillis,
                TimeUnit.NANOSECONDS.toMillis(restedNanos / readers),
                (int) Math.round(100 * speed),
                TimeUnit.NANOSECONDS.toMicros(latency()),
                TimeUnit.NANOSECONDS.toMicros(quietNanos),
                threadsRunning,
                lagMillis);
    }
}
