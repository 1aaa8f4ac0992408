package dev.shardwright.reshard.mover;

import dev.shardwright.mysql.admin.MysqlAccount;
import dev.shardwright.mysql.client.SoftHeap;
import dev.shardwright.reshard.stream.SqlErrors;
import dev.shardwright.reshard.table.MoveException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves one source shard's rows to its targets and keeps these equal to it: copy, catch up, verify, stream.
 * All that it must not forget is in the targets, so it can be killed at any moment; another with the same
 * spec goes on. A server that is away is waited for; {@link MoverProgress#failure} is for what needs a human.
 */
public final class Mover implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Mover.class);
    private static final long FIRST_PAUSE_MILLIS = 200;
    private static final long MAX_PAUSE_MILLIS = 5_000;
    private static final long STABLE_NANOS = 30_000_000_000L;

    private final MoverSpec spec;
    private final MysqlAccount account;
    private final MoverTuning tuning;
    private final Counters counters;
    private @Nullable Thread thread;
    private @Nullable RunScope scope;
    private boolean closed;

    /** @param account {@code shardwright_mover} on every server */
    public Mover(MoverSpec spec, MysqlAccount account) {
        this(spec, account, MoverTuning.forHeap(SoftHeap.bytes()));
    }

    public Mover(MoverSpec spec, MysqlAccount account, MoverTuning tuning) {
        this(spec, account, tuning, stage -> LOG.info("{}: {}", spec.stream(), stage));
    }

    public Mover(MoverSpec spec, MysqlAccount account, MoverTuning tuning, StageListener listener) {
        this.spec = spec;
        this.account = account;
        this.tuning = tuning;
        this.counters = new Counters(spec, listener);
    }

    public MoverSpec spec() {
        return spec;
    }

    /** Returns at once. */
    public synchronized void start() {
        if (thread == null && !closed) {
            thread = Thread.ofPlatform().daemon().name("mover-" + spec.stream()).start(this::run);
        }
    }

    public MoverProgress progress() {
        return counters.progress();
    }

    private void run() {
        var pause = FIRST_PAUSE_MILLIS;
        while (true) {
            var begun = System.nanoTime();
            var failure = attempt();
            if (isClosed()) {
                return;
            }
            if (!SqlErrors.isPassing(failure)) {
                fail(failure);
                return;
            }
            counters.lag(-1, null);
            counters.waitsFor(words(failure));
            LOG.warn("{}: waiting: {}", spec.stream(), words(failure));
            pause = System.nanoTime() - begun > STABLE_NANOS
                    ? FIRST_PAUSE_MILLIS
                    : Math.min(MAX_PAUSE_MILLIS, 2 * pause);
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private Exception attempt() {
        try (var attempt = new RunScope("mover-" + spec.source().range())) {
            if (!enter(attempt)) {
                return new InterruptedException();
            }
            new MoverRun(spec, new Sessions(spec.keyspace(), account), tuning, counters, attempt).run();
            return new IllegalStateException("the mover's work came to an end by itself");
        } catch (Exception e) {
            return e;
        }
    }

    private synchronized boolean enter(RunScope attempt) {
        scope = attempt;
        return !closed;
    }

    private void fail(Exception failure) {
        var why = switch (failure) {
            case MoveException e -> words(e);
            case SQLException e -> "MySQL refused a statement of the mover: " + words(e);
            default -> words(failure);
        };
        LOG.error("{}: stopped for good: {}", spec.stream(), why, failure);
        counters.fail(why);
    }

    private static String words(Exception e) {
        return e.getMessage() == null || e.getMessage().isBlank() ? e.toString() : e.getMessage();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Stops where it is, as a crash would; waits until its threads have ended, a few seconds at most. */
    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            running = thread;
            if (scope != null) {
                scope.close();
            }
        }
        if (running != null) {
            running.interrupt();
            try {
                running.join(10_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
