package dev.shardwright.operator.mapping;

import dev.shardwright.operator.desired.Labels;
import dev.shardwright.reshard.workflow.Routers;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A keyspace's router pods, as the API server lists them at this moment. */
public final class KubernetesRouters implements Routers {
    private final KubernetesClient client;
    private final Management management;
    private final String namespace;
    private final String keyspace;

    public KubernetesRouters(KubernetesClient client, Management management, String namespace, String keyspace) {
        this.client = client;
        this.management = management;
        this.namespace = namespace;
        this.keyspace = keyspace;
    }

    @Override
    public List<RouterState> states(Duration wait) {
        return states(pods(), wait);
    }

    @Override
    public void connectEarly(String workflowUid, Duration wait) {
        pods().stream()
                .map(KubernetesRouters::ip)
                .filter(Objects::nonNull)
                .map(ip -> management.post(ip, "/connect?workflow=" + workflowUid, wait))
                .toList()
                .forEach(CompletableFuture::join);
    }

    @Override
    public Routers present() {
        var pods = pods();
        return wait -> states(pods, wait);
    }

    private List<RouterState> states(List<Pod> pods, Duration wait) {
        var asked = pods.stream().map(pod -> ask(pod, wait)).toList();
        return asked.stream().map(CompletableFuture::join).toList();
    }

    private List<Pod> pods() {
        return client
                .pods()
                .inNamespace(namespace)
                .withLabels(Labels.routerSelector(keyspace))
                .list()
                .getItems()
                .stream()
                .filter(KubernetesRouters::mayHaveSessions)
                .toList();
    }

    /** A pod whose containers have ended for good, or never began, has no client. */
    private static boolean mayHaveSessions(Pod pod) {
        var status = pod.getStatus();
        var phase = status == null ? null : status.getPhase();
        return !"Succeeded".equals(phase) && !"Failed".equals(phase) && !(ip(pod) == null && "Pending".equals(phase));
    }

    private CompletableFuture<RouterState> ask(Pod pod, Duration wait) {
        var name = pod.getMetadata().getName();
        var ip = ip(pod);
        if (ip == null) {
            return CompletableFuture.completedFuture(RouterState.silent(name));
        }
        return management.get(ip, "/state", Answer.class, wait).thenApply(answer -> state(name, answer));
    }

    private static RouterState state(String name, Optional<Answer> answer) {
        return answer.map(a -> new RouterState(
                        name,
                        true,
                        a.epoch(),
                        a.openTransactions(),
                        a.runningWrites(),
                        a.runningReads(),
                        a.connecting()))
                .orElseGet(() -> RouterState.silent(name));
    }

    static @Nullable String ip(Pod pod) {
        var status = pod.getStatus();
        return status == null ? null : status.getPodIP();
    }

    /** The body of {@code GET /state}. */
    record Answer(
            long epoch,
            int openTransactions,
            int runningWrites,
            Map<String, List<Long>> runningReads,
            int connecting) {}
}
