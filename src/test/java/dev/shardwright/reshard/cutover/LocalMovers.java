package dev.shardwright.reshard.cutover;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final MoverTuning TUNING =
            MoverTuning.forHeap(Runtime.getRuntime().maxMemory());

    private final Map<String, Mover> running = new HashMap<>();
    private volatile CountDownLatch release = new CountDownLatch(0);
    private volatile @Nullable Stage holdAt;
    /** Whether another workflow's mover answers at the movers' addresses, which is as far as they are. */
    volatile boolean foreign;

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
    public synchronized Optional<MoverProgress> answer(String stream) {
        return Optional.ofNullable(running.get(stream)).map(Mover::progress).map(this::asAnswered);
    }

    private MoverProgress asAnswered(MoverProgress progress) {
        var answer = JSON.<ObjectNode>valueToTree(progress);
        return JSON.convertValue(foreign ? answer.put("stream", "another/stream") : answer, MoverProgress.class);
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
