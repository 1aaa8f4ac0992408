package dev.shardwright.topology.model;

import dev.shardwright.topology.keyrange.KeyRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One shard that owns a range of the key space.
 *
 * @param uid made by us when the shard was created, also on its server in {@code _shardwright.identity}
 * @param name the Shard resource's name, such as {@code chat-c0-x-v9}
 * @param by uid of the workflow that fenced it; null exactly when {@code state} is Serving
 * @param attempt number of that switchover attempt; 0 when Serving
 */
public record ShardEntry(
        KeyRange range,
        String uid,
        String name,
        ShardState state,
        @Nullable String by,
        int attempt,
        Endpoint primary,
        List<Endpoint> replicas) {
    public ShardEntry {
        replicas = replicas == null ? List.of() : List.copyOf(replicas);
    }
}
