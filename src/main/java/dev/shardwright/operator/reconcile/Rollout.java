package dev.shardwright.operator.reconcile;

import dev.shardwright.api.Keyspace;
import dev.shardwright.operator.desired.Labels;
import dev.shardwright.operator.desired.ShardObjects;
import dev.shardwright.operator.mapping.Applier;
import dev.shardwright.reshard.workflow.Phase;
import dev.shardwright.topology.model.Topology;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Brings StatefulSets to the desired state such that of a keyspace's servers one at a time is restarted, and the next
 * one only when that answers again: a setting with which no server starts stops at the first one.
 */
final class Rollout {
    private static final Set<String> NO_TIME_TO_RESTART =
            Set.of(new Phase.Switching().name(), new Phase.RollingBack().name());

    private final KubernetesClient client;
    private final Applier applier;
    private final TlsKeeper tls;
    /** The look at the others and the restart are one step. There is one operator at work. */
    private final Lock lock = new ReentrantLock();
    /** By keyspace, the server that was last seen to be on its way; used under the lock. */
    private final Map<String, String> lastBusy = new HashMap<>();

    Rollout(KubernetesClient client, Applier applier, TlsKeeper tls) {
        this.client = client;
        this.applier = applier;
        this.tls = tls;
    }

    /**
     * Applies the StatefulSet, or says what its restart waits for.
     *
     * @param live it as a watch saw it last
     * @param topology read only when a restart is at hand
     * @param keyspace the server's
     */
    Optional<String> apply(
            StatefulSet desired, Optional<HasMetadata> live, Supplier<Optional<Topology>> topology, Keyspace keyspace) {
        if (live.isEmpty() || !restarts(desired, live.get())) {
            applier.apply(desired, live);
            return Optional.empty();
        }
        lock.lock();
        try {
            var obstacle = obstacle(desired, topology, keyspace);
            if (obstacle.isEmpty()) {
                applier.apply(desired, live);
            }
            return obstacle;
        } finally {
            lock.unlock();
        }
    }

    private Optional<String> obstacle(StatefulSet desired, Supplier<Optional<Topology>> topology, Keyspace keyspace) {
        var own = read(desired, desired.getMetadata().getName());
        if (own == null || !restarts(desired, own) || !answers(own)) {
            // Nobody is disturbed, and a server that can't start may be healed by the change.
            return Optional.empty();
        }
        return switchover(desired, topology)
                .or(() -> tls.obstacle(desired, own, keyspace))
                .or(() -> unsettled(desired).map(other -> "the server of shard " + other + " to be ready"));
    }

    private static boolean restarts(StatefulSet desired, HasMetadata live) {
        return !Objects.equals(hash(desired), hash(live));
    }

    private static String hash(HasMetadata object) {
        var annotations = object.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(ShardObjects.TEMPLATE_HASH, "");
    }

    private static boolean answers(StatefulSet set) {
        var status = set.getStatus();
        return status != null && status.getReadyReplicas() != null && status.getReadyReplicas() > 0;
    }

    private static Optional<String> switchover(StatefulSet desired, Supplier<Optional<Topology>> topology) {
        var uid = desired.getMetadata().getLabels().get(Labels.SHARD_UID);
        return topology.get().stream()
                .flatMap(known -> known.workflows().stream())
                .filter(entry -> NO_TIME_TO_RESTART.contains(entry.phase()))
                .filter(entry -> Stream.concat(entry.sources().stream(), entry.targets().stream())
                        .anyMatch(member -> member.uid().equals(uid)))
                .map(entry -> "the end of the switchover of workflow " + entry.name())
                .findFirst();
    }

    /** The name of another server that is not at rest. */
    private Optional<String> unsettled(StatefulSet desired) {
        var metadata = desired.getMetadata();
        var keyspace = metadata.getNamespace() + "/" + metadata.getLabels().get(Labels.KEYSPACE);
        var busy = lastBusy.get(keyspace);
        // Many shards may be waiting for the same one: each looks at that one first, not at all of them.
        if (busy != null && !busy.equals(metadata.getName())) {
            var other = read(desired, busy);
            if (other != null && !settled(other)) {
                return Optional.of(busy);
            }
        }
        var found = servers(desired).stream()
                .filter(other -> !settled(other))
                .map(other -> other.getMetadata().getName())
                .filter(name -> !name.equals(metadata.getName()))
                .findFirst();
        // When nobody is, this one will be.
        lastBusy.put(keyspace, found.orElse(metadata.getName()));
        return found;
    }

    private @Nullable StatefulSet read(StatefulSet desired, String name) {
        return client.apps()
                .statefulSets()
                .inNamespace(desired.getMetadata().getNamespace())
                .withName(name)
                .get();
    }

    private List<StatefulSet> servers(StatefulSet desired) {
        var metadata = desired.getMetadata();
        return client.apps()
                .statefulSets()
                .inNamespace(metadata.getNamespace())
                .withLabel(Labels.KEYSPACE, metadata.getLabels().get(Labels.KEYSPACE))
                .withLabel(Labels.COMPONENT, Labels.MYSQL)
                .list()
                .getItems();
    }

    static boolean settled(StatefulSet set) {
        var status = set.getStatus();
        return answers(set)
                && Objects.equals(
                        status.getObservedGeneration(), set.getMetadata().getGeneration())
                && Objects.equals(status.getCurrentRevision(), status.getUpdateRevision());
    }
}
