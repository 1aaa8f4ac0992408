package dev.shardwright.local;

import dev.shardwright.api.ReshardWorkflowSpec;
import dev.shardwright.api.TimeSpan;
import dev.shardwright.reshard.copy.ThrottleLimits;
import dev.shardwright.reshard.workflow.Goal;
import dev.shardwright.reshard.workflow.WorkflowEngine;
import dev.shardwright.reshard.workflow.WorkflowRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the engine for each workflow when it is time, or when somebody changed the workflow. */
final class WorkflowLoop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WorkflowLoop.class);
    private static final Duration LOOK = Duration.ofMillis(50);

    private final String keyspace;
    private final WorkflowFiles files;
    private final WorkflowEngine engine;
    private final Consumer<WorkflowStatus> listener;
    private final Map<String, Long> dueNanos = new HashMap<>();
    private final Map<String, String> lastYaml = new HashMap<>();
    private final Thread thread;
    private volatile boolean closed;

    /** {@code listener}: hears of each status that was written, on the loop's thread. */
    WorkflowLoop(String keyspace, WorkflowFiles files, WorkflowEngine engine, Consumer<WorkflowStatus> listener) {
        this.keyspace = keyspace;
        this.files = files;
        this.engine = engine;
        this.listener = listener;
        this.thread = Thread.ofPlatform().daemon().name("workflows").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            for (String name : files.names()) {
                try {
                    advanceIfDue(name);
                } catch (RuntimeException e) {
                    log.error("workflow {}: {}", name, e.getMessage(), e);
                    dueNanos.put(name, System.nanoTime() + Duration.ofSeconds(1).toNanos());
                }
            }
            try {
                Thread.sleep(LOOK);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void advanceIfDue(String name) {
        String yaml = files.yaml(name);
        boolean changed = !yaml.equals(lastYaml.put(name, yaml));
        if (!changed && System.nanoTime() < dueNanos.getOrDefault(name, Long.MIN_VALUE)) {
            return;
        }
        var spec = LocalResources.workflow(yaml).spec();
        var before = status(name, spec);
        if (!Optional.of(before).equals(files.status(name))) {
            // A new workflow's uid must be safe before the engine uses it.
            files.write(before);
        }
        var report = engine.advance(request(before, spec));
        var after = before.after(report, System.currentTimeMillis());
        if (after.goal() != Goal.valueOf(spec.goal().name())) {
            after = after.refused(before.message());
        }
        files.write(after);
        report.events().forEach(event -> log.info("workflow {}: {}", name, event.message()));
        dueNanos.put(name, System.nanoTime() + report.againAfter().toNanos());
        listener.accept(after);
    }

    /** The status with the goal that the YAML asks for, if that change is legal. */
    private WorkflowStatus status(String name, ReshardWorkflowSpec spec) {
        var wanted = Goal.valueOf(spec.goal().name());
        var stored = files.status(name);
        if (stored.isEmpty()) {
            return WorkflowStatus.created(UUID.randomUUID().toString(), name, wanted);
        }
        var status = stored.get();
        if (wanted == status.goal()) {
            return status;
        }
        return status.goal().mayBecome(wanted)
                ? status.withGoal(wanted)
                : status.refused(status.goal().refusal(wanted));
    }

    private WorkflowRequest request(WorkflowStatus status, ReshardWorkflowSpec spec) {
        if (!spec.keyspace().equals(keyspace)) {
            throw new IllegalArgumentException("it is for keyspace " + spec.keyspace() + ", this is " + keyspace);
        }
        var force = spec.forceAfter();
        var throttle = spec.throttle();
        return new WorkflowRequest(
                status.uid(),
                status.name(),
                keyspace,
                SpecRules.ranges(spec.sourceShards()),
                SpecRules.ranges(spec.targetShards()),
                status.goal(),
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
                status.phase().isEmpty() ? null : status.phase());
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
