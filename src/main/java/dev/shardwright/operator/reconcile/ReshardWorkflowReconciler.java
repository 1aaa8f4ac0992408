package dev.shardwright.operator.reconcile;

import dev.shardwright.api.Condition.Truth;
import dev.shardwright.api.Keyspace;
import dev.shardwright.api.ReshardWorkflow;
import dev.shardwright.api.ReshardWorkflowStatus;
import dev.shardwright.api.TimeSpan;
import dev.shardwright.operator.mapping.Applier;
import dev.shardwright.operator.mapping.Events;
import dev.shardwright.operator.mapping.Worlds;
import dev.shardwright.operator.status.Problem;
import dev.shardwright.operator.status.WorkflowStatus;
import dev.shardwright.reshard.copy.ThrottleLimits;
import dev.shardwright.reshard.workflow.Goal;
import dev.shardwright.reshard.workflow.WorkflowReport;
import dev.shardwright.reshard.workflow.WorkflowRequest;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.store.TopologyStoreException;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leads a workflow by the engine and shows where it is. */
@ControllerConfiguration(
        name = "reshardworkflow",
        fieldManager = Applier.FIELD_MANAGER,
        finalizerName = ReshardWorkflowReconciler.FINALIZER)
public final class ReshardWorkflowReconciler implements Reconciler<ReshardWorkflow>, Cleaner<ReshardWorkflow> {
    static final String FINALIZER = "shardwright.dev/claim";
    private static final Logger log = LoggerFactory.getLogger(ReshardWorkflowReconciler.class);
    private static final Duration SOON = Duration.ofSeconds(5);
    /** Progress is not worth more of the API server than this. */
    private static final Duration PROGRESS_EVERY = Duration.ofSeconds(5);

    private final KubernetesClient client;
    private final Worlds worlds;
    private final Events events;
    private final Clock clock;
    /** When a workflow's status was last written, by uid. */
    private final Map<String, Instant> written = new ConcurrentHashMap<>();

    public ReshardWorkflowReconciler(OperatorParts parts) {
        this.client = parts.client();
        this.worlds = parts.worlds();
        this.events = new Events(parts.client(), parts.clock());
        this.clock = parts.clock();
    }

    @Override
    public UpdateControl<ReshardWorkflow> reconcile(ReshardWorkflow workflow, Context<ReshardWorkflow> context) {
        try {
            var keyspace = keyspace(workflow);
            var obstacle = obstacle(workflow, keyspace);
            if (obstacle.isPresent()) {
                return write(workflow, WorkflowStatus.of(workflow, Truth.False, obstacle.get(), clock), SOON);
            }
            var report = worlds.of(keyspace.orElseThrow()).engine().advance(request(workflow));
            report.events().forEach(event -> tell(workflow, event));
            return write(workflow, WorkflowStatus.of(workflow, report, clock), report.againAfter());
        } catch (RuntimeException e) {
            log.warn("workflow {}: {}", workflow.getMetadata().getName(), e.toString(), e);
            var problem = new Problem("Retrying", String.valueOf(e.getMessage()));
            return write(workflow, WorkflowStatus.of(workflow, Truth.Unknown, problem, clock), SOON);
        }
    }

    @Override
    public DeleteControl cleanup(ReshardWorkflow workflow, Context<ReshardWorkflow> context) {
        var keyspace = keyspace(workflow);
        // With its keyspace everything goes that could be given back.
        if (keyspace.isEmpty() || keyspace.get().getMetadata().getDeletionTimestamp() != null) {
            return forgotten(workflow);
        }
        try {
            var goal = Goal.valueOf(workflow.getSpec().goal().name());
            var kept = worlds.of(keyspace.get())
                    .engine()
                    .forget(workflow.getMetadata().getUid(), goal);
            kept.forEach(shard -> events.tell(
                    keyspace.get(),
                    true,
                    "ShardLeftBehind",
                    "shard " + shard.name() + " does not serve any more but keeps its data, because workflow "
                            + workflow.getMetadata().getName()
                            + " was deleted before it was Completed: delete the Shard when its data is not needed"));
            return forgotten(workflow);
        } catch (TopologyStoreException | IllegalStateException e) {
            log.warn(
                    "workflow {} can't be forgotten yet: {}",
                    workflow.getMetadata().getName(),
                    e.getMessage());
            return keyspaceHasBegun(keyspace.get())
                    ? DeleteControl.noFinalizerRemoval().rescheduleAfter(SOON.toMillis())
                    : forgotten(workflow);
        }
    }

    private void tell(ReshardWorkflow workflow, WorkflowReport.Event event) {
        log.info("workflow {}: {}: {}", workflow.getMetadata().getName(), event.reason(), event.message());
        events.tell(workflow, event.warning(), event.reason(), event.message());
    }

    private DeleteControl forgotten(ReshardWorkflow workflow) {
        written.remove(workflow.getMetadata().getUid());
        return DeleteControl.defaultDelete();
    }

    private Optional<Keyspace> keyspace(ReshardWorkflow workflow) {
        return Optional.ofNullable(client.resources(Keyspace.class)
                .inNamespace(workflow.getMetadata().getNamespace())
                .withName(workflow.getSpec().keyspace())
                .get());
    }

    private static Optional<Problem> obstacle(ReshardWorkflow workflow, Optional<Keyspace> keyspace) {
        if (keyspace.isEmpty()) {
            return Optional.of(new Problem(
                    "KeyspaceMissing",
                    "there is no Keyspace " + workflow.getSpec().keyspace() + " in namespace "
                            + workflow.getMetadata().getNamespace() + ": create it, or correct spec.keyspace"));
        }
        if (!keyspaceHasBegun(keyspace.get())) {
            return Optional.of(new Problem(
                    "KeyspaceNotReady",
                    "Keyspace " + workflow.getSpec().keyspace()
                            + " has no topology yet; the workflow begins once it has"));
        }
        return hasBegun(workflow) ? Optional.empty() : SpecCheck.problem(workflow, keyspace.get());
    }

    private static boolean keyspaceHasBegun(Keyspace keyspace) {
        return keyspace.getStatus() != null && keyspace.getStatus().epoch() != null;
    }

    private static boolean hasBegun(ReshardWorkflow workflow) {
        var status = workflow.getStatus();
        return status != null && status.phase() != null && !status.phase().equals("Pending");
    }

    private static WorkflowRequest request(ReshardWorkflow workflow) {
        var spec = workflow.getSpec();
        var force = spec.forceAfter();
        var throttle = spec.throttle();
        return new WorkflowRequest(
                workflow.getMetadata().getUid(),
                workflow.getMetadata().getName(),
                spec.keyspace(),
                ranges(spec.sourceShards()),
                ranges(spec.targetShards()),
                Goal.valueOf(spec.goal().name()),
                new WorkflowRequest.Settings(
                        TimeSpan.parse(spec.switchTimeout()),
                        TimeSpan.parse(spec.drainTimeout()),
                        TimeSpan.parse(spec.readDrainTimeout()),
                        force == null ? null : TimeSpan.parse(force),
                        new ThrottleLimits(
                                throttle.maxRowsPerSecond(),
                                throttle.maxCommitLatencyPercent(),
                                throttle.maxThreadsRunning(),
                                TimeSpan.parse(throttle.maxTargetLag()).toMillis())),
                workflow.getStatus() == null ? null : workflow.getStatus().phase());
    }

    private static List<KeyRange> ranges(List<String> texts) {
        return texts.stream().map(KeyRange::parse).collect(Collectors.toList());
    }

    private UpdateControl<ReshardWorkflow> write(
            ReshardWorkflow workflow, ReshardWorkflowStatus status, Duration again) {
        var uid = workflow.getMetadata().getUid();
        var before = workflow.getStatus();
        var now = Instant.now(clock);
        var due = written.getOrDefault(uid, Instant.EPOCH).plus(PROGRESS_EVERY).isBefore(now);
        if (Statuses.same(before, status) || !(due || WorkflowStatus.moves(before, status))) {
            return UpdateControl.<ReshardWorkflow>noUpdate().rescheduleAfter(again);
        }
        written.put(uid, now);
        var patch = new ReshardWorkflow();
        patch.setMetadata(Statuses.identity(workflow));
        patch.setStatus(status);
        return UpdateControl.patchStatus(patch).rescheduleAfter(again);
    }
}
