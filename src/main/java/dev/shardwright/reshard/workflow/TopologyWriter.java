package dev.shardwright.reshard.workflow;

import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.store.TopologyStore;
import dev.shardwright.topology.store.TopologyStore.Versioned;
import dev.shardwright.topology.store.TopologyStoreException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes the topology by compare-and-set until the change is there or can't be made. After a conflict or
 * an unknown outcome a live read decides, so a write that did win is seen as such.
 */
public final class TopologyWriter {
    private static final int MOST_TRIES = 50;
    private static final long PAUSE_MILLIS = 40;

    private final TopologyStore store;
    private final Leadership leadership;

    public TopologyWriter(TopologyStore store, Leadership leadership) {
        this.store = store;
        this.leadership = leadership;
    }

    /**
     * A wanted change. Pure, as it may be asked again for a newer document.
     *
     * <p>Returns the document with shards and workflows as wanted ({@link #with}), or {@code current} itself when
     * it is as wanted already. Throws {@link Impossible} when it can't be made to this document.
     */
    @FunctionalInterface
    public interface Edit {
        Topology edit(Topology current);
    }

    /** The document is no longer one to which the change can be made. */
    public static final class Impossible extends RuntimeException {
        private static final long serialVersionUID = 1;

        public Impossible(String message) {
            super(message);
        }
    }

    /** The next document: one epoch later, with these shards and workflows. */
    public static Topology with(Topology current, List<ShardEntry> shards, List<WorkflowEntry> workflows) {
        return new Topology(
                current.format(), current.keyspace(), current.epoch() + 1, shards, workflows, current.vschema());
    }

    /** The live document. Throws TopologyStoreException when it is unreachable, invalid or missing. */
    public Versioned read() {
        return store.read()
                .orElseThrow(() -> new TopologyStoreException(
                        "the keyspace has no topology: it is made when the keyspace is, and restored by the operator"));
    }

    /** Goes the way of a change without making it, as {@link TopologyStore#rehearse}; returns what it would make. */
    public Topology rehearse(Versioned recent, Edit edit) {
        var next = edit.edit(recent.topology());
        store.rehearse(recent, next);
        return next;
    }

    /** Makes the change; returns the document that has it. */
    public Topology apply(Edit edit) {
        return apply(null, edit);
    }

    /**
     * As {@link #apply(Edit)}, but tries first on a document that was read a moment ago.
     *
     * <p>Throws Impossible when the change can't be made, TopologyStoreException when the store stays silent: then
     * the outcome is unknown.
     */
    public Topology apply(@Nullable Versioned recent, Edit edit) {
        TopologyStoreException silence = null;
        var current = recent;
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            try {
                current = current == null ? read() : current;
                var next = edit.edit(current.topology());
                if (next == current.topology()) {
                    return next;
                }
                leadership.ensure();
                if (store.compareAndSet(current, next)) {
                    return next;
                }
            } catch (TopologyStoreException e) {
                silence = e;
                Pause.millis(PAUSE_MILLIS);
            }
            current = null;
        }
        throw silence != null
                ? silence
                : new TopologyStoreException("others changed the topology " + MOST_TRIES + " times in between");
    }
}
