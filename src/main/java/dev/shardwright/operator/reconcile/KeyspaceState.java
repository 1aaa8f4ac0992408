package dev.shardwright.operator.reconcile;

import dev.shardwright.api.Condition;
import dev.shardwright.api.Condition.Truth;
import dev.shardwright.api.Keyspace;
import dev.shardwright.api.KeyspaceStatus;
import dev.shardwright.api.Shard;
import dev.shardwright.operator.desired.RouterObjects;
import dev.shardwright.operator.status.Conditions;
import dev.shardwright.operator.status.PodTroubles;
import dev.shardwright.operator.status.Problem;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.store.TopologyJson;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What one reconciliation of a keyspace found; becomes its status. */
final class KeyspaceState {
    private static final String VSCHEMA = "VSchemaApplied";
    private static final String USERS = "UsersApplied";

    private final Observed observed;
    private final List<Problem> problems = new ArrayList<>();
    private final List<Problem> userProblems = new ArrayList<>();
    private @Nullable Problem vschemaProblem;
    private @Nullable Topology topology;

    KeyspaceState(Observed observed) {
        this.observed = observed;
    }

    Observed observed() {
        return observed;
    }

    List<Shard> shards() {
        return observed.all(Shard.class);
    }

    boolean hasEpoch(Keyspace keyspace) {
        return keyspace.getStatus() != null && keyspace.getStatus().epoch() != null;
    }

    void problem(Problem problem) {
        problems.add(problem);
    }

    void userProblem(Problem problem) {
        userProblems.add(problem);
    }

    void vschemaProblem(Problem problem) {
        vschemaProblem = problem;
    }

    void topology(Topology known) {
        topology = known;
    }

    /** Nothing to look after until something happens. */
    boolean settled() {
        return first().isEmpty() && vschemaProblem == null;
    }

    KeyspaceStatus status(Keyspace keyspace, Clock clock) {
        var before = keyspace.getStatus();
        var generation = keyspace.getMetadata().getGeneration();
        var known = topology;
        var name = keyspace.getMetadata().getName();
        return new KeyspaceStatus(
                phase(),
                known == null
                        ? shards().stream().filter(Shards::ready).count() + "/"
                                + keyspace.getSpec().initialShards().size()
                        : serving(known).filter(Shards::ready).count() + "/"
                                + known.shards().size(),
                routersReady() + "/" + keyspace.getSpec().router().replicas(),
                name + "." + keyspace.getMetadata().getNamespace() + ":" + RouterObjects.MYSQL_PORT,
                known != null ? Long.valueOf(known.epoch()) : before == null ? null : before.epoch(),
                known != null ? TopologyJson.write(known) : before == null ? null : before.topology(),
                generation,
                conditions(before == null ? List.of() : before.conditions(), generation, clock));
    }

    private List<Condition> conditions(List<Condition> before, Long generation, Clock clock) {
        var next = new Conditions(before, generation, clock);
        var first = first();
        if (first.isPresent()) {
            next.without(Condition.READY, first.get());
        } else {
            next.with(Condition.READY, Truth.True, "Serving", serves());
        }
        if (userProblems.isEmpty()) {
            next.with(USERS, topology == null ? Truth.Unknown : Truth.True, "Applied", "every shard has the users");
        } else {
            next.without(USERS, userProblems.getFirst());
        }
        var waits = vschemaProblem;
        if (waits == null) {
            next.with(
                    VSCHEMA, topology == null ? Truth.Unknown : Truth.True, "Applied", "the topology has the vschema");
        } else {
            next.without(VSCHEMA, waits);
        }
        return next.list();
    }

    private String serves() {
        var known = topology;
        int count = known == null ? 0 : known.shards().size();
        return count
                + (count == 1 ? " shard and " : " shards and ")
                + routersReady()
                + (routersReady() == 1 ? " router serve" : " routers serve");
    }

    private String phase() {
        var first = first();
        if (first.isEmpty()) {
            return "Ready";
        }
        return first.get().reason().equals("InvalidSpec") ? "Invalid" : topology == null ? "Pending" : "Degraded";
    }

    /** What is said first of all that keeps the keyspace from being ready. */
    private Optional<Problem> first() {
        return Stream.of(userProblems.stream(), problems.stream(), shardProblems(), routerProblems())
                .flatMap(problem -> problem)
                .findFirst();
    }

    private Stream<Problem> shardProblems() {
        var known = topology;
        if (known == null) {
            return Stream.of();
        }
        var waiting = serving(known).filter(shard -> !Shards.ready(shard)).toList();
        var present = serving(known).count();
        return Stream.concat(
                waiting.stream()
                        .map(shard -> Shards.trouble(shard)
                                .orElseGet(() -> new Problem(
                                        Shards.STARTING,
                                        "shard " + shard.getMetadata().getName() + " is starting"))),
                present < known.shards().size()
                        ? Stream.of(new Problem(Shards.STARTING, "a Shard was removed and is being made again"))
                        : Stream.of());
    }

    private Stream<Shard> serving(Topology known) {
        return shards().stream()
                .filter(shard -> known.shards().stream()
                        .anyMatch(entry -> entry.uid().equals(shard.getSpec().uid())));
    }

    private Stream<Problem> routerProblems() {
        if (topology == null) {
            return Stream.of();
        }
        var wanted = deployment().map(found -> found.getSpec().getReplicas()).orElse(1);
        if (routersReady() >= wanted && wanted > 0) {
            return Stream.of();
        }
        return Stream.of(PodTroubles.of(observed.all(Pod.class))
                .orElseGet(
                        () -> new Problem(Shards.STARTING, routersReady() + " of " + wanted + " routers are ready")));
    }

    private int routersReady() {
        return deployment()
                .map(Deployment::getStatus)
                .map(status -> status.getReadyReplicas() == null ? 0 : status.getReadyReplicas())
                .orElse(0);
    }

    private Optional<Deployment> deployment() {
        return observed.all(Deployment.class).stream().findFirst();
    }
}
