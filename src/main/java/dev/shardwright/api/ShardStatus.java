package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a shard is at the moment. */
public record ShardStatus(
        @JsonPropertyDescription("For people: Pending, Starting, Ready or Deleting.") @Nullable
        String phase,

        @JsonPropertyDescription(
                "What the topology says of it: Serving, Fenced, Unfencing, or Standby when routers do not" + " use it.")
        @Nullable
        String state,

        @JsonPropertyDescription("Where its MySQL server listens: host and port inside the cluster.") @Nullable
        String endpoint,

        @JsonPropertyDescription("The spec's generation that this status is about.") @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("Ready, and what keeps it from being so.") @Size(max = 16)
        List<Condition> conditions) {

    public ShardStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}
