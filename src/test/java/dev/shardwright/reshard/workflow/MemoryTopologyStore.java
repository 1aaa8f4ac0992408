package dev.shardwright.reshard.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.TopologyChange;
import dev.shardwright.topology.store.TopologyStore;
import java.util.Optional;

/** One document in memory, for tests without I/O; as strict as the real stores. */
final class MemoryTopologyStore implements TopologyStore {
    private Topology stored;

    MemoryTopologyStore(Topology first) {
        stored = first;
    }

    @Override
    public synchronized Optional<Versioned> read() {
        return Optional.of(new Versioned(stored, Long.toString(stored.epoch())));
    }

    @Override
    public boolean create(Topology first) {
        return false;
    }

    @Override
    public synchronized boolean compareAndSet(Versioned expected, Topology next) {
        var problems = TopologyChange.problems(expected.topology(), next);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        if (!expected.version().equals(Long.toString(stored.epoch()))) {
            return false;
        }
        stored = next;
        return true;
    }

    @Override
    public void rehearse(Versioned expected, Topology next) {
        assertThat(TopologyChange.problems(expected.topology(), next)).isEmpty();
    }

    @Override
    public Subscription watch(Watcher watcher) {
        watcher.onTopology(read().orElseThrow().topology());
        return () -> {};
    }

    @Override
    public void close() {}
}
