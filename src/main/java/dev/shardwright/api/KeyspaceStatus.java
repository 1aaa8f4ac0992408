package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a keyspace is at the moment. */
public record KeyspaceStatus(
        @JsonPropertyDescription("For people: Pending, Ready, Degraded, Invalid or Deleting.") @Nullable
        String phase,

        @JsonPropertyDescription("Shards that are ready, of those that serve, such as 4/4.") @Nullable
        String shards,

        @JsonPropertyDescription("Routers that are ready, of those wanted, such as 2/2.") @Nullable
        String routers,

        @JsonPropertyDescription("Where applications connect to: host and port inside the cluster.") @Nullable
        String endpoint,

        @JsonPropertyDescription(
                "The topology's epoch when it was last seen. Once it is here, initialShards is never used" + " again.")
        @Nullable
        Long epoch,

        @JsonPropertyDescription(
                "The topology without the vschema as it was last seen, in JSON. A topology ConfigMap that"
                        + " was deleted or spoilt is restored from it.")
        @Nullable
        String topology,

        @JsonPropertyDescription("The spec's generation that this status is about.") @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("Ready, and what keeps it from being so.") @Size(max = 16)
        List<Condition> conditions) {

    public KeyspaceStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}
