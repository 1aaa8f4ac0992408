package dev.shardwright.router;

import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.store.TopologyStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A topology that a test changes by hand; watchers are called in the changing thread. */
final class MemoryTopologyStore implements TopologyStore {
    private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
    private Topology topology;

    MemoryTopologyStore(Topology first) {
        topology = first;
    }

    Topology topology() {
        return topology;
    }

    void set(Topology next) {
        topology = next;
        watchers.forEach(watcher -> watcher.onTopology(next));
    }

    @Override
    public Optional<Versioned> read() {
        return Optional.of(new Versioned(topology, Long.toString(topology.epoch())));
    }

    @Override
    public boolean create(Topology first) {
        return false;
    }

    @Override
    public boolean compareAndSet(Versioned expected, Topology next) {
        if (expected.topology().epoch() != topology.epoch()) {
            return false;
        }
        set(next);
        return true;
    }

    @Override
    public void rehearse(Versioned expected, Topology next) {
        throw new UnsupportedOperationException("no router writes a topology");
    }

    @Override
    public Subscription watch(Watcher watcher) {
        watchers.add(watcher);
        watcher.onTopology(topology);
        return () -> watchers.remove(watcher);
    }

    @Override
    public void close() {}
}
