package dev.shardwright.topology.vindex;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A function from the values of a row's shard-key columns to its keyspace id. Stateless, thread-safe. */
public interface Vindex {

    /**
     * The keyspace id of a row, or null when these values map to no shard (such as NULL under hash).
     *
     * @param values one for each column of the vindex, in order; null is SQL NULL
     */
    byte @Nullable [] keyspaceId(List<@Nullable ShardKeyValue> values);

    /** How many columns it takes: 1, but for multi-column vindexes. */
    int columns();
}
