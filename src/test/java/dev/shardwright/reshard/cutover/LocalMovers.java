package dev.shardwright.reshard.cutover;

import dev.shardwright.reshard.mover.Mover;
import dev.shardwright.reshard.mover.MoverProgress;
import dev.shardwright.reshard.mover.MoverSpec;
import dev.shardwright.reshard.workflow.Movers;
import dev.shardwright.testing.TestServers;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Real movers as threads of this process. */
final class LocalMovers implements Movers, AutoCloseable {
    private final Map<String, Mover> running = new HashMap<>();

    @Override
    public synchronized void start(MoverSpec spec) {
        var present = running.get(spec.stream());
        if (present != null && present.spec().equals(spec)) {
            return;
        }
        if (present != null) {
            present.close();
        }
        var mover = new Mover(spec, TestServers.MOVER);
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
