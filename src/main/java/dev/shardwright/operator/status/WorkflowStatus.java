package dev.shardwright.operator.status;

import dev.shardwright.api.Condition;
import dev.shardwright.api.Condition.Truth;
import dev.shardwright.api.ReshardWorkflow;
import dev.shardwright.api.ReshardWorkflowStatus;
import dev.shardwright.reshard.workflow.WorkflowReport;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the engine reports, as a resource's status. */
public final class WorkflowStatus {
    private WorkflowStatus() {}

    public static ReshardWorkflowStatus of(ReshardWorkflow workflow, WorkflowReport report, Clock clock) {
        var truth = switch (report.succeeded()) {
            case TRUE -> Truth.True;
            case FALSE -> Truth.False;
            case UNKNOWN -> Truth.Unknown;
        };
        return status(
                workflow,
                report.phase(),
                report.progress(),
                report.lag(),
                truth,
                report.reason(),
                report.message(),
                clock);
    }

    /** The workflow can't begin or go on; its phase stays. */
    public static ReshardWorkflowStatus of(ReshardWorkflow workflow, Truth truth, Problem problem, Clock clock) {
        var before = workflow.getStatus();
        var phase = before == null || before.phase() == null ? "Pending" : before.phase();
        return status(workflow, phase, "", null, truth, problem.reason(), problem.message(), clock);
    }

    private static ReshardWorkflowStatus status(
            ReshardWorkflow workflow,
            String phase,
            String progress,
            @Nullable Duration lag,
            Truth truth,
            String reason,
            String message,
            Clock clock) {
        var before = workflow.getStatus();
        var generation = workflow.getMetadata().getGeneration();
        return new ReshardWorkflowStatus(
                phase,
                progress.isEmpty() ? null : progress,
                lag == null ? null : text(lag),
                generation,
                new Conditions(before == null ? List.of() : before.conditions(), generation, clock)
                        .with(Condition.SUCCEEDED, truth, reason, message)
                        .list());
    }

    /** Whether it is worth a write at once: more than progress has changed. */
    public static boolean moves(@Nullable ReshardWorkflowStatus before, ReshardWorkflowStatus now) {
        return before == null
                || !Objects.equals(before.phase(), now.phase())
                || !Objects.equals(before.observedGeneration(), now.observedGeneration())
                || before.conditions().size() != now.conditions().size()
                || !before.conditions()
                        .getFirst()
                        .status()
                        .equals(now.conditions().getFirst().status())
                || !before.conditions()
                        .getFirst()
                        .reason()
                        .equals(now.conditions().getFirst().reason());
    }

    private static String text(Duration lag) {
        return lag.toMillis() < 1_000 ? lag.toMillis() + "ms" : lag.toSeconds() + "s";
    }
}
