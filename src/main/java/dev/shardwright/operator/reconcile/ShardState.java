package dev.shardwright.operator.reconcile;

import dev.shardwright.api.Condition;
import dev.shardwright.api.Condition.Truth;
import dev.shardwright.api.Shard;
import dev.shardwright.api.ShardStatus;
import dev.shardwright.operator.status.Conditions;
import dev.shardwright.operator.status.PodTroubles;
import dev.shardwright.operator.status.Problem;
import dev.shardwright.reshard.cutover.FenceReconciler.Result;
import dev.shardwright.topology.model.Endpoint;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one reconciliation of a shard found; becomes its status. */
final class ShardState {
    private final Observed observed;
    private final Shard shard;
    private @Nullable Problem problem;
    private @Nullable Endpoint endpoint;
    private @Nullable Result fence;
    private @Nullable String topologyState;
    private @Nullable String restartWaitsFor;

    ShardState(Observed observed, Shard shard) {
        this.observed = observed;
        this.shard = shard;
    }

    Observed observed() {
        return observed;
    }

    void problem(Problem found) {
        problem = found;
    }

    void endpoint(Endpoint known) {
        endpoint = known;
    }

    /** The server answered, this became of its fence, and this is what the topology says of it. */
    void answers(Result result, String inTopology) {
        fence = result;
        topologyState = inTopology;
    }

    /** What has changed needs a restart, which is not this server's turn yet. */
    void restartWaitsFor(String what) {
        restartWaitsFor = what;
    }

    boolean upToDate() {
        return restartWaitsFor == null;
    }

    boolean initialized() {
        return Shards.initialized(shard);
    }

    boolean settled() {
        return fence == Result.OPEN || fence == Result.SHUT;
    }

    boolean podReady() {
        return observed.all(StatefulSet.class).stream()
                .map(StatefulSet::getStatus)
                .anyMatch(
                        status -> status != null && status.getReadyReplicas() != null && status.getReadyReplicas() > 0);
    }

    ShardStatus status(Clock clock) {
        var before = shard.getStatus();
        var generation = shard.getMetadata().getGeneration();
        var next = new Conditions(before == null ? List.of() : before.conditions(), generation, clock);
        var why = why();
        if (why.isPresent()) {
            next.without(Condition.READY, why.get());
        } else {
            next.with(Condition.READY, Truth.True, "Answering", "the MySQL server answers");
        }
        if (initialized() || fence != null) {
            next.with(Shards.INITIALIZED, Truth.True, "Made", "the data directory is made");
        } else {
            next.with(Shards.INITIALIZED, Truth.False, "NotMade", "the data directory is not made yet");
        }
        var waits = restartWaitsFor;
        if (waits == null) {
            next.with(
                    Shards.UP_TO_DATE,
                    Truth.True,
                    "Applied",
                    "the server has all changes, or is being restarted for them");
        } else {
            next.with(
                    Shards.UP_TO_DATE,
                    Truth.False,
                    "RestartWaits",
                    "what has changed takes effect with a restart, which waits for " + waits);
        }
        var known = endpoint;
        return new ShardStatus(
                why.isEmpty() ? "Ready" : initialized() ? "Starting" : "Pending",
                state(),
                known == null ? (before == null ? null : before.endpoint()) : known.toString(),
                generation,
                next.list());
    }

    private @Nullable String state() {
        return topologyState != null || shard.getStatus() == null
                ? topologyState
                : shard.getStatus().state();
    }

    private Optional<Problem> why() {
        if (problem != null) {
            return Optional.of(problem);
        }
        if (fence != null) {
            return Optional.empty();
        }
        return PodTroubles.of(observed.all(Pod.class))
                .map(this::withStorage)
                .or(() -> Optional.of(new Problem(Shards.STARTING, "the MySQL server is starting")));
    }

    /** The scheduler does not say which class a volume is wanted of. */
    private Problem withStorage(Problem trouble) {
        if (!trouble.reason().equals("VolumeNotBound")) {
            return trouble;
        }
        var storage = shard.getSpec().storage();
        var storageClass = storage.storageClassName().isEmpty()
                ? "the default storage class"
                : "storage class " + storage.storageClassName();
        return new Problem(trouble.reason(), storage.size() + " of " + storageClass + ": " + trouble.message());
    }
}
