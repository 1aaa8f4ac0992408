package dev.shardwright.reshard.mover;

import dev.shardwright.reshard.copy.ChunkReader;
import dev.shardwright.reshard.copy.Throttling;
import dev.shardwright.reshard.stream.Applier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a mover says of itself, put together from all of its threads. */
final class Counters implements Applier.Listener, ChunkReader.Listener {
    private static final int MAX_MISMATCHES = 100;

    private final MoverSpec spec;
    private final StageListener listener;
    private final AtomicLong copied = new AtomicLong();
    private final AtomicLong verified = new AtomicLong();
    private final Set<String> mismatches = new LinkedHashSet<>();
    private volatile MoverProgress.Stage stage = MoverProgress.Stage.Starting;
    private volatile long estimated;
    private volatile Cost copyCost = Cost.NONE;
    private volatile Cost verifyCost = Cost.NONE;
    private volatile long lagMillis = -1;
    private volatile @Nullable String behind;
    private volatile Supplier<@Nullable String> preparing = () -> null;
    private volatile @Nullable String waiting;
    private volatile @Nullable String readerWaits;
    private volatile @Nullable String failure;
    private volatile Supplier<Throttling> throttle = () -> Throttling.NONE;

    Counters(MoverSpec spec, StageListener listener) {
        this.spec = spec;
        this.listener = listener;
    }

    /** A new attempt goes on from what the targets have. */
    void restart(long rowsCopied, long rowsVerified, long rowsEstimated, List<String> known) {
        throttle = () -> Throttling.NONE;
        preparing = () -> null;
        readerWaits = null;
        copied.set(rowsCopied);
        verified.set(rowsVerified);
        estimated = Math.max(rowsEstimated, rowsCopied);
        synchronized (mismatches) {
            mismatches.clear();
            known.forEach(this::mismatch);
        }
    }

    void stage(MoverProgress.Stage next) {
        listener.before(next);
        stage = next;
    }

    /** @param why it does not shrink; null if it does, or there is none */
    void lag(long millis, @Nullable String why) {
        lagMillis = millis;
        behind = why;
    }

    void throttle(Supplier<Throttling> state) {
        throttle = state;
    }

    void preparing(Supplier<@Nullable String> what) {
        preparing = what;
        // It has all the servers that it needs.
        waiting = null;
    }

    /** {@code what}: null once it goes on. */
    void waitsFor(@Nullable String what) {
        waiting = what;
    }

    void fail(String why) {
        preparing = () -> null;
        waiting = null;
        readerWaits = null;
        failure = why;
        stage = MoverProgress.Stage.Failed;
    }

    boolean hasMismatches() {
        synchronized (mismatches) {
            return !mismatches.isEmpty();
        }
    }

    @Override
    public synchronized void read(long bytes, long nanos) {
        var cost = new Cost(TimeUnit.NANOSECONDS.toMicros(nanos), 0, bytes);
        if (stage == MoverProgress.Stage.Copying) {
            copyCost = copyCost.plus(cost);
        } else {
            verifyCost = verifyCost.plus(cost);
        }
    }

    @Override
    public void waiting(@Nullable String what) {
        readerWaits = what;
    }

    @Override
    public synchronized void copied(long rows, long nanos) {
        copied.addAndGet(rows);
        copyCost = copyCost.plus(new Cost(0, TimeUnit.NANOSECONDS.toMicros(nanos), 0));
    }

    @Override
    public synchronized void verified(long rows, long nanos) {
        verified.addAndGet(rows);
        verifyCost = verifyCost.plus(new Cost(0, TimeUnit.NANOSECONDS.toMicros(nanos), 0));
    }

    @Override
    public void mismatch(String description) {
        synchronized (mismatches) {
            if (mismatches.size() < MAX_MISMATCHES) {
                mismatches.add(description);
            }
        }
    }

    MoverProgress progress() {
        List<String> differences;
        synchronized (mismatches) {
            differences = new ArrayList<>(mismatches);
        }
        return new MoverProgress(
                spec.stream(),
                stage,
                spec.token(),
                copied.get(),
                Math.max(estimated, copied.get()),
                verified.get(),
                lagMillis,
                behind,
                preparing.get(),
                throttle.get(),
                copyCost,
                verifyCost,
                differences,
                waiting == null ? readerWaits : waiting,
                failure);
    }
}
