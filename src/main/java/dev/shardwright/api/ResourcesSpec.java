package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/** CPU and memory of a container, in Kubernetes' own form. */
public record ResourcesSpec(
        @JsonPropertyDescription("What the scheduler reserves, such as cpu: 500m, memory: 1Gi.") @Default("{}")
        Map<String, Quantity> requests,

        @JsonPropertyDescription("What the container can use at most.") @Default("{}")
        Map<String, Quantity> limits) {

    public static final ResourcesSpec NONE = new ResourcesSpec(Map.of(), Map.of());

    public ResourcesSpec {
        requests = requests == null ? Map.of() : Map.copyOf(requests);
        limits = limits == null ? Map.of() : Map.copyOf(limits);
    }
}
