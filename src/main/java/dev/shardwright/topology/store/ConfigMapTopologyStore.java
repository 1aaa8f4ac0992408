package dev.shardwright.topology.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.TopologyChange;
import dev.shardwright.topology.model.TopologyRules;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The topology in the ConfigMap {@code <keyspace>-topology}. Kubernetes' resourceVersion makes the
 * compare-and-set. Its requests are never repeated behind our back: a write that was repeated would find
 * its own first success and call it a conflict.
 */
public final class ConfigMapTopologyStore implements TopologyStore {
    /** The ConfigMap's only key. */
    public static final String KEY = "topology.json";

    private static final int REQUEST_MILLIS = 5_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubernetesClient client;
    private final String namespace;
    private final String keyspace;
    private final Map<String, String> labels;
    private final List<OwnerReference> owners;
    private final List<ConfigMapWatch> watches = new CopyOnWriteArrayList<>();

    /** A store for readers, and for writers of a ConfigMap that is there already. */
    public ConfigMapTopologyStore(KubernetesClient client, String namespace, String keyspace) {
        this(client, namespace, keyspace, Map.of(), List.of());
    }

    /**
     * @param client only its configuration is used: the store has a client of its own
     * @param labels put on the ConfigMap when it is created
     * @param owners put on the ConfigMap when it is created
     */
    public ConfigMapTopologyStore(
            KubernetesClient client,
            String namespace,
            String keyspace,
            Map<String, String> labels,
            List<OwnerReference> owners) {
        var config = new ConfigBuilder(client.getConfiguration())
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(REQUEST_MILLIS)
                .withConnectionTimeout(REQUEST_MILLIS)
                .withWatchReconnectLimit(0)
                .build();
        this.client = new KubernetesClientBuilder().withConfig(config).build();
        this.namespace = namespace;
        this.keyspace = keyspace;
        this.labels = Map.copyOf(labels);
        this.owners = List.copyOf(owners);
    }

    /** The name of a keyspace's ConfigMap. */
    public static String nameFor(String keyspace) {
        return keyspace + "-topology";
    }

    @Override
    public Optional<Versioned> read() {
        try {
            return Optional.ofNullable(resource().get()).map(this::versioned);
        } catch (KubernetesClientException e) {
            throw unreachable("read", e);
        }
    }

    @Override
    public boolean create(Topology first) {
        FileTopologyStore.refuse(TopologyRules.problems(first));
        var configMap = new ConfigMapBuilder()
                .withNewMetadata()
                .withName(nameFor(keyspace))
                .withNamespace(namespace)
                .withLabels(labels)
                .withOwnerReferences(owners)
                .endMetadata()
                .addToData(KEY, TopologyJson.write(first))
                .build();
        try {
            client.resource(configMap).create();
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return false;
            }
            throw unreachable("create", e);
        }
    }

    @Override
    public boolean compareAndSet(Versioned expected, Topology next) {
        FileTopologyStore.refuse(TopologyChange.problems(expected.topology(), next));
        try {
            write(List.of(), expected, next);
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return false;
            }
            throw unreachable("write", e);
        }
    }

    @Override
    public void rehearse(Versioned expected, Topology next) {
        FileTopologyStore.refuse(TopologyChange.problems(expected.topology(), next));
        try {
            write(List.of("All"), expected, next);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw unreachable("rehearse to write", e);
            }
        }
    }

    private void write(List<String> dryRun, Versioned expected, Topology next) {
        var context = new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withDryRun(dryRun)
                .build();
        // A merge patch leaves labels and owners as they are; the version in it makes it conditional.
        resource().patch(context, patch(expected.version(), next));
    }

    private static String patch(String version, Topology next) {
        try {
            return JSON.writeValueAsString(Map.of(
                    "metadata", Map.of("resourceVersion", version), "data", Map.of(KEY, TopologyJson.write(next))));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps of strings can always be written as JSON", e);
        }
    }

    @Override
    public Subscription watch(Watcher watcher) {
        var watch = new ConfigMapWatch(resource(), new Delivery(keyspace, watcher));
        watches.add(watch);
        return () -> {
            watches.remove(watch);
            watch.close();
        };
    }

    @Override
    public void close() {
        watches.forEach(ConfigMapWatch::close);
        watches.clear();
        client.close();
    }

    private Resource<ConfigMap> resource() {
        return client.configMaps().inNamespace(namespace).withName(nameFor(keyspace));
    }

    private Versioned versioned(ConfigMap configMap) {
        var text = Optional.ofNullable(configMap.getData()).orElse(Map.of()).get(KEY);
        try {
            if (text == null) {
                throw new TopologyFormatException("it has no key " + KEY);
            }
            var topology = TopologyJson.read(text);
            if (!topology.keyspace().equals(keyspace)) {
                throw new TopologyFormatException("it is the topology of keyspace " + topology.keyspace());
            }
            return new Versioned(topology, configMap.getMetadata().getResourceVersion());
        } catch (TopologyFormatException e) {
            throw new TopologyStoreException(name() + " is not usable: " + e.getMessage(), e);
        }
    }

    private String name() {
        return "ConfigMap " + namespace + "/" + nameFor(keyspace);
    }

    private TopologyStoreException unreachable(String verb, KubernetesClientException e) {
        return new TopologyStoreException(name() + ": could not " + verb + " it: " + e.getMessage(), e);
    }
}
