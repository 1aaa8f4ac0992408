package dev.shardwright.topology.store;

import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.store.TopologyStore.Watcher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one watcher has seen: it gets valid documents with growing epochs, and each complaint once. */
final class Delivery {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

    private final String keyspace;
    private final Watcher watcher;
    private @Nullable Topology last;
    private @Nullable String complaint;

    Delivery(String keyspace, Watcher watcher) {
        this.keyspace = keyspace;
        this.watcher = watcher;
    }

    /** @param text what is stored; null when there is nothing */
    synchronized void accept(@Nullable String text) {
        if (text == null) {
            absent();
            return;
        }
        try {
            accept(TopologyJson.read(text));
        } catch (TopologyFormatException e) {
            complain(e.getMessage());
        }
    }

    private void accept(Topology topology) {
        var before = last;
        if (!topology.keyspace().equals(keyspace)) {
            complain("it is the topology of keyspace " + topology.keyspace() + ", not of " + keyspace);
        } else if (before != null && topology.epoch() < before.epoch()) {
            complain("it has epoch " + topology.epoch() + ", but epoch " + before.epoch() + " is in force already");
        } else if (before != null && topology.epoch() == before.epoch() && !topology.equals(before)) {
            complain("it has epoch " + topology.epoch() + " with other content than the one in force");
        } else {
            complaint = null;
            if (before == null || topology.epoch() > before.epoch()) {
                last = topology;
                tell(() -> watcher.onTopology(topology));
            }
        }
    }

    private void absent() {
        if (last != null) {
            complain("it has been deleted");
        }
    }

    private void complain(@Nullable String reason) {
        var text = "the stored topology of keyspace " + keyspace + " is not used: " + reason;
        if (!text.equals(complaint)) {
            complaint = text;
            tell(() -> watcher.onInvalid(text));
        }
    }

    /** A watcher's own failure must not end the watch. */
    private static void tell(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            LOG.error("a watcher of the topology failed", e);
        }
    }
}
