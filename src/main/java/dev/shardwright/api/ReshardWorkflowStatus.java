package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far a workflow is. A copy for people: what must not be lost is in the topology. */
public record ReshardWorkflowStatus(
        @JsonPropertyDescription("Where it stands, for people.") @Nullable
        String phase,

        @JsonPropertyDescription("What it does at the moment and how far that is, such as copying 63%.") @Nullable
        String progress,

        @JsonPropertyDescription("How far the targets are behind the sources.") @Nullable
        String lag,

        @JsonPropertyDescription("The spec's generation that this status is about.") @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("Succeeded: whether the goal is reached; others say what it waits for.")
        @Size(max = 16)
        List<Condition> conditions) {

    public ReshardWorkflowStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}
