package dev.shardwright.operator.reconcile;

import dev.shardwright.operator.status.Problem;
import dev.shardwright.topology.model.Topology;

/** What became of looking after a keyspace's topology. */
sealed interface Kept {
    record Known(Topology topology) implements Kept {}

    /** There is none (yet), and why. */
    record Waiting(Problem problem) implements Kept {}
}
