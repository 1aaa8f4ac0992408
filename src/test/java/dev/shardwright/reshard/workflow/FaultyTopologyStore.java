package dev.shardwright.reshard.workflow;

import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.store.TopologyStore;
import dev.shardwright.topology.store.TopologyStoreException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** A store with the faults that a network brings: silence before or after a write, and others who write. */
public final class FaultyTopologyStore implements TopologyStore {
    private static final Predicate<Topology> NONE = next -> false;

    private final TopologyStore real;
    private final AtomicReference<Predicate<Topology>> losesAnswer = new AtomicReference<>(NONE);
    private final AtomicReference<Predicate<Topology>> losesRequest = new AtomicReference<>(NONE);
    private final AtomicReference<Runnable> beforeWrite = new AtomicReference<>(() -> {});

    public FaultyTopologyStore(TopologyStore real) {
        this.real = real;
    }

    public Topology topology() {
        return real.read().orElseThrow().topology();
    }

    /** The next write happens, but its answer is lost. */
    public void loseAnswerOnce() {
        losesAnswer.set(next -> true);
    }

    /** The next write does not happen, and nobody is told. */
    public void loseRequestOnce() {
        losesRequest.set(next -> true);
    }

    /** Runs once, just before the next write is looked at. */
    public void beforeNextWrite(Runnable action) {
        beforeWrite.set(action);
    }

    /** Somebody else changes the document. */
    public void touch() {
        var read = real.read().orElseThrow();
        real.compareAndSet(
                read,
                TopologyWriter.with(
                        read.topology(),
                        read.topology().shards(),
                        read.topology().workflows()));
    }

    @Override
    public Optional<Versioned> read() {
        return real.read();
    }

    @Override
    public boolean create(Topology first) {
        return real.create(first);
    }

    @Override
    public boolean compareAndSet(Versioned expected, Topology next) {
        beforeWrite.getAndSet(() -> {}).run();
        if (losesRequest.getAndSet(NONE).test(next)) {
            throw new TopologyStoreException("lost on the way");
        }
        boolean won = real.compareAndSet(expected, next);
        if (losesAnswer.getAndSet(NONE).test(next)) {
            throw new TopologyStoreException("the answer was lost");
        }
        return won;
    }

    @Override
    public void rehearse(Versioned expected, Topology next) {
        real.rehearse(expected, next);
    }

    @Override
    public Subscription watch(Watcher watcher) {
        return real.watch(watcher);
    }

    @Override
    public void close() {
        real.close();
    }
}
