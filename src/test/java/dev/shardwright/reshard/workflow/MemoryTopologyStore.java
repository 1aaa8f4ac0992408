package dev.shardwright.reshard.workflow;

import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.store.TopologyStore;
import dev.shardwright.topology.store.TopologyStoreException;
import java.util.Optional;
import java.util.function.Predicate;

/** One document in memory, with the faults that a real store has: silence before or after a write. */
public final class MemoryTopologyStore implements TopologyStore {
    private Topology stored;
    private volatile Predicate<Topology> losesAnswer = next -> false;
    private volatile Predicate<Topology> losesRequest = next -> false;
    private volatile Runnable beforeWrite = () -> {};

    public MemoryTopologyStore(Topology first) {
        stored = first;
    }

    public synchronized Topology topology() {
        return stored;
    }

    /** The next write of such a document happens, but its answer is lost. */
    public void loseAnswerOnce(Predicate<Topology> which) {
        losesAnswer = which;
    }

    /** The next write of such a document does not happen, and nobody is told. */
    public void loseRequestOnce(Predicate<Topology> which) {
        losesRequest = which;
    }

    /** Runs once, just before the next write is looked at. */
    public void beforeNextWrite(Runnable action) {
        beforeWrite = action;
    }

    /** Somebody else changes the document. */
    public synchronized void touch() {
        stored = TopologyWriter.with(stored, stored.shards(), stored.workflows());
    }

    @Override
    public Optional<Versioned> read() {
        var topology = topology();
        return Optional.of(new Versioned(topology, Long.toString(topology.epoch())));
    }

    @Override
    public boolean create(Topology first) {
        return false;
    }

    @Override
    public boolean compareAndSet(Versioned expected, Topology next) {
        var action = beforeWrite;
        beforeWrite = () -> {};
        action.run();
        if (next.epoch() != expected.topology().epoch() + 1) {
            throw new IllegalArgumentException("epoch " + next.epoch() + " does not follow "
                    + expected.topology().epoch());
        }
        if (losesRequest.test(next)) {
            losesRequest = other -> false;
            throw new TopologyStoreException("lost on the way");
        }
        boolean won = swap(expected.topology(), next);
        if (losesAnswer.test(next)) {
            losesAnswer = other -> false;
            throw new TopologyStoreException("the answer was lost");
        }
        return won;
    }

    @SuppressWarnings("ReferenceEquality")
    private synchronized boolean swap(Topology expected, Topology next) {
        // By identity, as a resourceVersion would: what was read is what is still there.
        if (stored != expected) {
            return false;
        }
        stored = next;
        return true;
    }

    @Override
    public Subscription watch(Watcher watcher) {
        watcher.onTopology(topology());
        return () -> {};
    }

    @Override
    public void close() {}
}
