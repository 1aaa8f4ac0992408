package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.copy.Watermarks.Watermark;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Looks at a source for the throttle, while something is read from it. A watermark is a small committed write like the
 * clients', so its latency shows what they see; from time to time the readers rest for a second, to learn what it is
 * without them.
 */
public final class SourceProbe {
    private static final int SLOT = -1;
    private static final long TICK_MILLIS = 100;
    private static final int TICKS_PER_STATUS = 5;
    private static final int QUIET_PROBES = 15;
    private static final long QUIET_TICK_MILLIS = 50;
    private static final long SETTLING_MILLIS = 500;
    /** How long the source is watched for clients before anything is read. */
    private static final long FIRST_LOOK_MILLIS = 300;
    /** The first commits of a process take longer than those that follow. */
    private static final int WARMING_PROBES = 10;
    /** What is measured first may be far too much, as servers and processes have just begun, so it does not count for long. */
    private static final long FIRST_REST_AFTER_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** After the first rest, and as long as what was measured at one is not believed yet. */
    private static final long REST_AGAIN_AFTER_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final long REST_EVERY_NANOS = TimeUnit.SECONDS.toNanos(60);
    /** Fewer statements of others than this are probes of routers and the operator. */
    private static final double CLIENT_STATEMENTS_PER_SECOND = 5;
    /** Where commits take long, even a client that does nothing else gets no more than one through in the time that one takes. */
    private static final double CLIENT_STATEMENTS_PER_COMMIT = 0.5;

    private final Connection source;
    private final Watermarks watermarks;
    private final Throttle throttle;
    private final LongSupplier lagMillis;
    private final LongSupplier ownStatements;
    private long marks;
    private long looks;
    private long questions = -1;
    private long own;
    private long lookedAt;
    private boolean clients = true;
    private long threadsRunning;
    private long commitNanos;
    private long restAt;
    /** 0: not yet. */
    private long restedAt;

    private volatile boolean ended;

    /**
     * @param source for this probe alone, with autocommit on
     * @param lagMillis of the targets, -1 if not known
     * @param ownStatements how many the mover's other threads have sent to the source so far
     */
    public SourceProbe(
            Connection source,
            Watermarks watermarks,
            Throttle throttle,
            LongSupplier lagMillis,
            LongSupplier ownStatements) {
        this.source = source;
        this.watermarks = watermarks;
        this.throttle = throttle;
        this.lagMillis = lagMillis;
        this.ownStatements = ownStatements;
    }

    /** Before anything is read. */
    public void begin() throws SQLException, InterruptedException {
        look();
        Thread.sleep(FIRST_LOOK_MILLIS);
        look();
        if (clients) {
            for (int i = 0; i < WARMING_PROBES; i++) {
                commit();
            }
            throttle.quiet(quiet());
            restAt = System.nanoTime() + FIRST_REST_AFTER_NANOS;
        } else {
            // As soon as there are some.
            restAt = System.nanoTime();
        }
        throttle.seen(clients, threadsRunning, lagMillis.getAsLong());
    }

    /** Until {@link #end}. */
    public void run() throws SQLException, InterruptedException {
        for (int ticks = 1; !ended; ticks++) {
            Thread.sleep(TICK_MILLIS);
            if (clients && System.nanoTime() - restAt > 0) {
                rest();
            }
            commitNanos = commit();
            throttle.committed(commitNanos);
            if (ticks % TICKS_PER_STATUS == 0) {
                look();
            }
            throttle.seen(clients, threadsRunning, lagMillis.getAsLong());
        }
    }

    /** It writes nothing more once {@link #run} has returned. */
    public void end() {
        ended = true;
    }

    private void rest() throws SQLException, InterruptedException {
        throttle.rest(true);
        try {
            Thread.sleep(SETTLING_MILLIS);
            var believed = throttle.quiet(quiet());
            var again = restedAt == 0 || !believed ? REST_AGAIN_AFTER_NANOS : REST_EVERY_NANOS;
            restedAt = System.nanoTime();
            restAt = restedAt + again;
        } finally {
            throttle.rest(false);
        }
    }

    /** What was measured before clients came is not what their commits take now. */
    private void restSoon() {
        var soon = restedAt + REST_AGAIN_AFTER_NANOS;
        if (restedAt != 0 && restAt - soon > 0) {
            restAt = soon;
        }
    }

    private long quiet() throws SQLException, InterruptedException {
        var nanos = new long[QUIET_PROBES];
        for (int i = 0; i < QUIET_PROBES; i++) {
            nanos[i] = commit();
            Thread.sleep(QUIET_TICK_MILLIS);
        }
        Arrays.sort(nanos);
        return nanos[QUIET_PROBES / 2];
    }

    private long commit() throws SQLException {
        var begun = System.nanoTime();
        watermarks.write(source, List.of(new Watermark(SLOT, ++marks, false)));
        return System.nanoTime() - begun;
    }

    private void look() throws SQLException {
        looks++;
        try (var statement = source.createStatement();
                var rows = statement.executeQuery(
                        "SHOW GLOBAL STATUS WHERE Variable_name IN ('Questions', 'Threads_running')")) {
            while (rows.next()) {
                if (rows.getString(1).equals("Questions")) {
                    clients(rows.getLong(2));
                } else {
                    threadsRunning = rows.getLong(2);
                }
            }
        }
    }

    private void clients(long questionsNow) {
        var now = System.nanoTime();
        var ownNow = ownStatements.getAsLong() + marks + looks;
        if (questions >= 0) {
            var others = questionsNow - questions - (ownNow - own);
            var few = Math.min(CLIENT_STATEMENTS_PER_SECOND, CLIENT_STATEMENTS_PER_COMMIT * 1e9 / commitNanos);
            var had = clients;
            clients = others * 1e9 / (now - lookedAt) > few;
            if (clients && !had) {
                throttle.clientsCame();
                restSoon();
            }
        }
        questions = questionsNow;
        own = ownNow;
        lookedAt = now;
    }
}
