package dev.shardwright.reshard.cutover;

import dev.shardwright.reshard.mover.Mover;
import dev.shardwright.reshard.mover.MoverProgress;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.reshard.mover.MoverSpec;
import dev.shardwright.reshard.mover.MoverTuning;
import dev.shardwright.reshard.workflow.Movers;
import dev.shardwright.testing.TestServers;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Real movers as threads of this process. */
final class LocalMovers implements Movers, AutoCloseable {
    private static final MoverTuning TUNING =
            MoverTuning.forHeap(Runtime.getRuntime().maxMemory());

    private final Map<String, Mover> running = new HashMap<>();
    private volatile CountDownLatch release = new CountDownLatch(0);
    private volatile @Nullable Stage holdAt;

    /** Movers that come to this stage wait before it until {@link #release}. */
    void holdAt(Stage stage) {
        release = new CountDownLatch(1);
        holdAt = stage;
    }

    void release() {
        holdAt = null;
        release.countDown();
    }

    private void before(Stage stage) {
        if (stage == holdAt) {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public synchronized void start(MoverSpec spec) {
        var present = running.get(spec.stream());
        if (present != null && present.spec().equals(spec)) {
            return;
        }
        if (present != null) {
            present.close();
        }
        var mover = new Mover(spec, TestServers.MOVER, TUNING, this::before);
        running.put(spec.stream(), mover);
        mover.start();
    }

    @Override
    public synchronized Optional<MoverProgress> progress(String stream) {
        return Optional.ofNullable(running.get(stream)).map(Mover::progress);
    }

    @Override
    public synchronized boolean stop(String stream) {
        var mover = running.remove(stream);
        if (mover != null) {
            mover.close();
        }
        return true;
    }

    @Override
    public synchronized void close() {
        running.values().forEach(Mover::close);
        running.clear();
    }
}
