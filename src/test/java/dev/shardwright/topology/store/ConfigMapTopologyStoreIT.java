package dev.shardwright.topology.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.testing.ApiServer;
import dev.shardwright.topology.Topologies;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfigMapTopologyStoreIT extends TopologyStoreContract {
    private static KubernetesClient client;
    private static String namespace;

    @BeforeAll
    static void connect() {
        client = ApiServer.shared().client();
        namespace = ApiServer.shared().namespace(client);
    }

    @AfterAll
    static void disconnect() {
        client.close();
    }

    @BeforeEach
    void clear() {
        configMap().delete();
    }

    @Override
    TopologyStore open() {
        return new ConfigMapTopologyStore(client, namespace, "chat");
    }

    @Override
    void overwrite(String text) {
        configMap().edit(found -> found.edit().addToData("topology.json", text).build());
    }

    @Override
    void delete() {
        configMap().delete();
    }

    @Test
    void labelsAndOwnersAreKeptByEveryWrite() {
        var owner = new OwnerReferenceBuilder()
                .withApiVersion("shardwright.dev/v1alpha1")
                .withKind("Keyspace")
                .withName("chat")
                .withUid("some-uid")
                .build();
        try (var store =
                new ConfigMapTopologyStore(client, namespace, "chat", Map.of("app", "shardwright"), List.of(owner))) {
            store.create(Topologies.of(1, "-"));
            var read = store.read().orElseThrow();
            store.compareAndSet(read, Topologies.next(read.topology()));
        }
        var metadata = configMap().get().getMetadata();
        assertThat(metadata.getLabels()).containsEntry("app", "shardwright");
        assertThat(metadata.getOwnerReferences())
                .singleElement()
                .satisfies(found -> assertThat(found.getName()).isEqualTo("chat"));
    }

    private static Resource<ConfigMap> configMap() {
        return client.configMaps().inNamespace(namespace).withName("chat-topology");
    }
}
