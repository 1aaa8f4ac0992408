package dev.shardwright.topology.store;

import dev.shardwright.topology.model.Topology;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The one place where a keyspace's topology lives. Contract, shared by all implementations:
 *
 * <ul>
 *   <li>{@link #read} is always live, never a cached copy; what it returns is valid and complete.
 *   <li>{@link #compareAndSet} writes {@code next} only if the stored document is still {@code
 *       expected}; {@code next.epoch()} must be {@code expected.epoch() + 1}.
 *   <li>a watcher sees only valid documents, with growing epochs; it may skip some, but always gets
 *       the newest in the end. A document that is invalid, or that has an epoch already seen with other
 *       content, is reported to {@link Watcher#onInvalid} and not delivered.
 * </ul>
 */
public interface TopologyStore extends AutoCloseable {

    /**
     * The document and the token by which a later write proves that nobody wrote in between.
     *
     * @param version opaque; ConfigMap resourceVersion, or a hash of the file's bytes
     */
    record Versioned(Topology topology, String version) {}

    /** Empty when there is none yet. Throws TopologyStoreException when it is unreachable or invalid. */
    Optional<Versioned> read();

    /** Creates the first document; false when one is there already. */
    boolean create(Topology first);

    /**
     * True when {@code next} has been written, false when somebody else wrote first. A
     * TopologyStoreException means that the outcome is unknown: {@link #read} tells.
     */
    boolean compareAndSet(Versioned expected, Topology next);

    /**
     * Does what {@link #compareAndSet} would do, but for the change: the first time takes several times as long, for this
     * process and for the store. What comes of it decides nothing; exceptions as there.
     */
    void rehearse(Versioned expected, Topology next);

    /** Calls the watcher with the present document (if any), then with each newer one, on a thread of the store. */
    Subscription watch(Watcher watcher);

    @Override
    void close();

    interface Watcher {
        void onTopology(Topology topology);

        /** Something is stored that must not be used; the last good document stays in force. */
        void onInvalid(String reason);

        static Watcher of(Consumer<Topology> onTopology, Consumer<String> onInvalid) {
            return new Watcher() {
                @Override
                public void onTopology(Topology topology) {
                    onTopology.accept(topology);
                }

                @Override
                public void onInvalid(String reason) {
                    onInvalid.accept(reason);
                }
            };
        }
    }

    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
