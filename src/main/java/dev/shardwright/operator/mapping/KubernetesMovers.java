package dev.shardwright.operator.mapping;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardwright.operator.desired.Labels;
import dev.shardwright.operator.desired.MoverObjects;
import dev.shardwright.operator.desired.Names;
import dev.shardwright.operator.desired.Runtime;
import dev.shardwright.reshard.mover.MoverProgress;
import dev.shardwright.reshard.mover.MoverSpec;
import dev.shardwright.reshard.workflow.Movers;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One Deployment for each stream. They go away with the keyspace at the latest. */
public final class KubernetesMovers implements Movers {
    private static final Duration WAIT = Duration.ofMillis(800);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubernetesClient client;
    private final Applier applier;
    private final Management ports;
    private final String namespace;
    private final String keyspace;
    private final OwnerReference owner;
    private final Runtime runtime;

    public KubernetesMovers(
            KubernetesClient client,
            Applier applier,
            Management ports,
            String namespace,
            String keyspace,
            OwnerReference owner,
            Runtime runtime) {
        this.client = client;
        this.applier = applier;
        this.ports = ports;
        this.namespace = namespace;
        this.keyspace = keyspace;
        this.owner = owner;
        this.runtime = runtime;
    }

    @Override
    public void start(MoverSpec spec) {
        var name = Names.mover(keyspace, spec.stream());
        for (var object : MoverObjects.of(namespace, keyspace, spec.stream(), json(spec), owner, runtime)) {
            applier.apply(object, Optional.ofNullable(client.resource(object).get()));
        }
        System.getLogger(KubernetesMovers.class.getName())
                .log(System.Logger.Level.DEBUG, "mover {0} runs with token {1}", name, spec.token());
    }

    @Override
    public Optional<MoverProgress> answer(String stream) {
        return pods(stream).stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null
                        && pod.getStatus().getPodIP() != null)
                .map(pod -> ports.get(pod.getStatus().getPodIP(), "/progress", MoverProgress.class, WAIT)
                        .join())
                .flatMap(Optional::stream)
                .findFirst();
    }

    @Override
    public boolean stop(String stream) {
        var name = Names.mover(keyspace, stream);
        client.apps().deployments().inNamespace(namespace).withName(name).delete();
        client.configMaps().inNamespace(namespace).withName(name).delete();
        return pods(stream).isEmpty();
    }

    private List<Pod> pods(String stream) {
        return client.pods()
                .inNamespace(namespace)
                .withLabels(Labels.moverSelector(keyspace, stream))
                .list()
                .getItems();
    }

    private static String json(MoverSpec spec) {
        try {
            return JSON.writeValueAsString(spec);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a mover's specification can always be written as JSON", e);
        }
    }
}
