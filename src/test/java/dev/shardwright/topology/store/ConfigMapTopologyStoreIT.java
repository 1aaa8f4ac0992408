package dev.shardwright.topology.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardwright.testing.ApiServer;
import dev.shardwright.testing.TcpProxy;
import dev.shardwright.topology.Topologies;
import dev.shardwright.topology.store.TopologyStore.Watcher;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfigMapTopologyStoreIT extends TopologyStoreContract {
    private static KubernetesClient client;
    private static String namespace;

    @BeforeAll
    static void connect() {
        client = System.getenv("KUBECONFIG") == null
                ? ApiServer.shared().client()
                : new KubernetesClientBuilder().build();
        var created = client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("topology-it-")
                        .endMetadata()
                        .build())
                .create();
        namespace = created.getMetadata().getName();
    }

    @AfterAll
    static void disconnect() {
        client.namespaces().withName(namespace).delete();
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

    @Test
    void aWatcherCatchesUpWhenTheApiServerWasAway() throws Exception {
        assumeTrue(System.getenv("KUBECONFIG") == null, "the connection to another cluster is not ours to cut");
        var config = client.getConfiguration();
        var epochs = new CopyOnWriteArrayList<Long>();
        try (var proxy = new TcpProxy(URI.create(config.getMasterUrl()).getPort());
                var through = new KubernetesClientBuilder()
                        .withConfig(new ConfigBuilder(config)
                                .withMasterUrl("https://127.0.0.1:" + proxy.port())
                                .build())
                        .build();
                var direct = open();
                var cut = new ConfigMapTopologyStore(through, namespace, "chat")) {
            direct.create(Topologies.of(1, "-"));
            cut.watch(Watcher.of(topology -> epochs.add(topology.epoch()), reason -> {}));
            await().atMost(PATIENCE).until(() -> epochs.contains(1L));

            proxy.cut();
            var read = direct.read().orElseThrow();
            direct.compareAndSet(read, Topologies.next(read.topology()));
            assertThatThrownBy(cut::read)
                    .isInstanceOf(TopologyStoreException.class)
                    .hasMessageContaining("could not read it");
            assertThatThrownBy(() -> cut.compareAndSet(read, Topologies.next(read.topology())))
                    .as("the outcome is unknown, so it is neither true nor false")
                    .isInstanceOf(TopologyStoreException.class);
            proxy.open();

            await().atMost(PATIENCE).until(() -> epochs.contains(2L));
        }
        assertThat(epochs).containsExactly(1L, 2L);
    }

    private static Resource<ConfigMap> configMap() {
        return client.configMaps().inNamespace(namespace).withName("chat-topology");
    }
}
