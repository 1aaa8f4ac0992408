package dev.shardwright.operator.reconcile;

import dev.shardwright.api.Keyspace;
import dev.shardwright.operator.mapping.Applier;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.store.TopologyJson;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;

/** Puts the copy of a topology into the Keyspace's status at once. */
final class StatusCopies implements TopologyKeeper.Copies {
    private final KubernetesClient client;

    StatusCopies(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public void save(Keyspace keyspace, Topology topology) {
        var patch = Map.of("status", Map.of("epoch", topology.epoch(), "topology", TopologyJson.write(topology)));
        client.resources(Keyspace.class)
                .inNamespace(keyspace.getMetadata().getNamespace())
                .withName(keyspace.getMetadata().getName())
                .subresource("status")
                .patch(
                        new PatchContext.Builder()
                                .withPatchType(PatchType.JSON_MERGE)
                                .withFieldManager(Applier.FIELD_MANAGER)
                                .build(),
                        Serialization.asJson(patch));
    }
}
