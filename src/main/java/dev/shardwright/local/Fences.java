package dev.shardwright.local;

import dev.shardwright.reshard.cutover.FenceReconciler;
import dev.shardwright.topology.model.Topology;
import java.sql.SQLException;

/** Opens the servers that serve: each is made, and may have been left by a crash, with its fence shut. */
final class Fences {
    private final FenceReconciler reconciler;

    Fences(FenceReconciler reconciler) {
        this.reconciler = reconciler;
    }

    void openAll(Topology topology) {
        for (var shard : topology.shards()) {
            try {
                reconciler.reconcile(shard.uid(), shard.primary());
            } catch (SQLException e) {
                throw new IllegalStateException(
                        "the server of shard " + shard.name() + " at " + shard.primary() + ": " + e.getMessage(), e);
            }
        }
    }
}
