package dev.shardwright.topology.model;

import dev.shardwright.api.VSchema;
import java.util.List;

/**
 * The whole topology document of one keyspace; format 1. The epoch grows by one with each change.
 * In every valid document the shards cover the key space without gap or overlap, in order.
 */
public record Topology(
        int format,
        String keyspace,
        long epoch,
        List<ShardEntry> shards,
        List<WorkflowEntry> workflows,
        VSchema vschema) {

    public static final int FORMAT = 1;

    public Topology {
        shards = List.copyOf(shards);
        workflows = workflows == null ? List.of() : List.copyOf(workflows);
    }
}
