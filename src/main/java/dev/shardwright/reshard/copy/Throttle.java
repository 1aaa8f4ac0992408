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
    static final double SLOWEST = 0.05;

    /** While clients use the source. */
    private static final double FIRST_SPEED = 0.05;
    /** So much of a bound lets the speed rise only slowly. */
    private static final double HOLDS_BACK = 0.95;

    private static final double FULL_SPEED = 0.95;
    /**
     * Of what is left to a bound, or is beyond it, ten times a second. What commits take shows up in their median only half
     * a second later: with larger steps the speed would swing from one end to the other, and hurt at the upper one.
     */
    private static final double GAIN = 0.15;

    private static final double FASTEST_RISE = 1.1;
    private static final double FASTEST_FALL = 0.8;
    /** Of several hundred microseconds nobody can tell what is a commit and what is chance. */
    private static final long MIN_QUIET_NANOS = 500_000;

    /** How many times the one before it a quiet latency may be. */
    private static final double MOST_RISE = 1.1;

    private static final int SAMPLES = 9;
    /** So many that their median hardly depends on chance. */
    private static final int MANY_SAMPLES = 30;

    private static final int SMALL_CHUNK_ROWS = 500;
    private static final long MAX_PAUSE_MILLIS = 5_000;

    private final ThrottleLimits limits;
    private final double nanosPerRow;
    private final long[] commits = new long[MANY_SAMPLES];
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
     *
     * @return whether that is what it now counts with; else it should be told again soon
     */
    synchronized boolean quiet(long nanos) {
        var measured = Math.max(MIN_QUIET_NANOS, nanos);
        quietNanos = quietNanos == 0 ? measured : Math.min(measured, (long) (MOST_RISE * quietNanos));
        committed = 0;
        return quietNanos == measured;
    }

    /** What the source takes while it is read it takes at most when it is not. */
    synchronized void committed(long nanos) {
        commits[committed++ % MANY_SAMPLES] = nanos;
        if (committed >= MANY_SAMPLES) {
            quietNanos = Math.min(quietNanos, Math.max(MIN_QUIET_NANOS, median(MANY_SAMPLES)));
        }
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
        if (clients) {
            pressures.put(Reason.CommitLatency, latencyPressure());
        }
        pressures.put(Reason.ThreadsRunning, (double) threads / limits.maxThreadsRunning());
        pressures.put(Reason.TargetLag, (double) lag / limits.maxTargetLagMillis());
        var greatest = Collections.max(pressures.entrySet(), Map.Entry.comparingByValue());
        var pressure = greatest.getValue();
        if (pressure > HOLDS_BACK) {
            worst = greatest.getKey();
        }
        if (!clients && pressure <= 1) {
            speed = 1;
        } else {
            speed = Math.clamp(speed * Math.clamp(1 + GAIN * (1 - pressure), FASTEST_FALL, FASTEST_RISE), SLOWEST, 1);
        }
        note(System.currentTimeMillis());
    }

    /** After a time without any: whatever was read until now, they shall not have to wait until its effect shows. */
    synchronized void clientsCame() {
        speed = Math.min(speed, FIRST_SPEED);
        committed = 0;
    }

    /** As long as nothing is known it keeps the speed as it is. */
    private double latencyPressure() {
        return quietNanos == 0 || committed < SAMPLES
                ? 1
                : 100.0 * latency() / (quietNanos * (double) limits.maxCommitLatencyPercent());
    }

    private void note(long now) {
        if (reason() == Reason.None) {
            sinceMillis = 0;
        } else if (sinceMillis == 0) {
            sinceMillis = now;
        }
    }

    private long latency() {
        return median(SAMPLES);
    }

    /** Of the last ones. */
    private long median(int samples) {
        var sorted = new long[Math.min(committed, samples)];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = commits[(committed - 1 - i) % MANY_SAMPLES];
        }
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
