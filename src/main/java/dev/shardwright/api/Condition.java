package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** One aspect of a resource's state, in the form that Kubernetes' own tools wait for. */
public record Condition(
        @JsonPropertyDescription("What it is about, such as Ready.") @Required
        String type,

        @JsonPropertyDescription("True, False or Unknown.") @Required
        Truth status,

        @JsonPropertyDescription("Why, in one word for programs.") @Required
        String reason,

        @JsonPropertyDescription("Why, in words for people; when something is wrong, also what to do.") @Required
        String message,

        @JsonPropertyDescription("When the status last changed.") @Required
        String lastTransitionTime,

        @JsonPropertyDescription("The metadata.generation that this is about.") @Nullable
        Long observedGeneration) {

    public static final String READY = "Ready";
    public static final String SUCCEEDED = "Succeeded";
    public static final String THROTTLED = "Throttled";
    public static final String KEEPING_UP = "KeepingUp";

    /** Kubernetes' three values. */
    public enum Truth {
        True,
        False,
        Unknown
    }
}
