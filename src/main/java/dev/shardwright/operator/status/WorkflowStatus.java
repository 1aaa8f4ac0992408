package dev.shardwright.operator.status;

import dev.shardwright.api.Condition;
import dev.shardwright.api.Condition.Truth;
import dev.shardwright.api.ReshardWorkflow;
import dev.shardwright.api.ReshardWorkflowStatus;
import dev.shardwright.api.ReshardWorkflowStatus.SourceStatus;
import dev.shardwright.api.ReshardWorkflowStatus.StepStatus;
import dev.shardwright.api.ReshardWorkflowStatus.SwitchoverStatus;
import dev.shardwright.reshard.copy.Throttling.Reason;
import dev.shardwright.reshard.cutover.Timeline;
import dev.shardwright.reshard.mover.Cost;
import dev.shardwright.reshard.workflow.SourceProgress;
import dev.shardwright.reshard.workflow.WorkflowReport;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the engine reports, as a resource's status. */
public final class WorkflowStatus {
    private static final int MOST_NAMED = 4;

    private WorkflowStatus() {}

    public static ReshardWorkflowStatus of(ReshardWorkflow workflow, WorkflowReport report, Clock clock) {
        var truth = switch (report.succeeded()) {
            case TRUE -> Truth.True;
            case FALSE -> Truth.False;
            case UNKNOWN -> Truth.Unknown;
        };
        var conditions =
                conditions(workflow, clock).with(Condition.SUCCEEDED, truth, report.reason(), report.message());
        report.slowing()
                .ifPresent(slowing -> conditions.with(
                        Condition.THROTTLED,
                        slowing.reason() == Reason.None ? Truth.False : Truth.True,
                        slowing.reason() == Reason.None
                                ? "NotNeeded"
                                : slowing.reason().name(),
                        slowing.message()));
        var behind = report.fallingBehind();
        if (behind.isPresent() || report.lag() != null) {
            conditions.with(
                    Condition.KEEPING_UP,
                    behind.isEmpty() ? Truth.True : Truth.False,
                    behind.isEmpty() ? "Following" : "FallingBehind",
                    behind.orElse("changes reach the other side as fast as they are made"));
        }
        var lag = report.lag();
        return new ReshardWorkflowStatus(
                shards(workflow),
                report.phase(),
                report.progress().isEmpty() ? null : report.progress(),
                lag == null ? null : text(lag),
                report.slowing().isEmpty()
                        ? List.of()
                        : report.sources().stream().map(WorkflowStatus::source).toList(),
                switchover(workflow, report.switchover(), clock),
                workflow.getMetadata().getGeneration(),
                conditions.list());
    }

    /** The workflow can't begin or go on; its phase stays. */
    public static ReshardWorkflowStatus of(ReshardWorkflow workflow, Truth truth, Problem problem, Clock clock) {
        var before = workflow.getStatus();
        return new ReshardWorkflowStatus(
                shards(workflow),
                before == null || before.phase() == null ? "Pending" : before.phase(),
                null,
                null,
                List.of(),
                switchover(workflow, null, clock),
                workflow.getMetadata().getGeneration(),
                conditions(workflow, clock)
                        .with(Condition.SUCCEEDED, truth, problem.reason(), problem.message())
                        .list());
    }

    /** kubectl shows a list as JSON, so this is one text, short enough for a column. */
    private static String shards(ReshardWorkflow workflow) {
        return shards(workflow.getSpec().sourceShards()) + " -> "
                + shards(workflow.getSpec().targetShards());
    }

    private static String shards(List<String> ranges) {
        return ranges.size() <= MOST_NAMED
                ? String.join(",", ranges)
                : ranges.getFirst() + ".." + ranges.getLast() + " (" + ranges.size() + ")";
    }

    private static Conditions conditions(ReshardWorkflow workflow, Clock clock) {
        var before = workflow.getStatus();
        return new Conditions(
                before == null ? List.of() : before.conditions(),
                workflow.getMetadata().getGeneration(),
                clock);
    }

    /** The one that was just made or undone, or else the one before. */
    private static @Nullable SwitchoverStatus switchover(
            ReshardWorkflow workflow, @Nullable Timeline timeline, Clock clock) {
        if (timeline == null) {
            var before = workflow.getStatus();
            return before == null ? null : before.switchover();
        }
        return new SwitchoverStatus(
                Instant.now(clock).truncatedTo(ChronoUnit.SECONDS).toString(),
                Timeline.millis(timeline.held()),
                timeline.steps().stream()
                        .map(timing -> new StepStatus(
                                timing.step().name(), Timeline.millis(timing.began()), Timeline.millis(timing.took())))
                        .toList());
    }

    private static SourceStatus source(SourceProgress source) {
        var progress = source.progress();
        var throttle = progress.throttle();
        var slowed = throttle.reason() != Reason.None;
        return new SourceStatus(
                source.source().toString(),
                progress.rowsCopied(),
                progress.rowsEstimated(),
                progress.rowsVerified(),
                cost(progress.copyCost()),
                cost(progress.verifyCost()),
                slowed ? throttle.reason().name() : null,
                slowed
                        ? Instant.ofEpochMilli(throttle.sinceMillis())
                                .truncatedTo(ChronoUnit.SECONDS)
                                .toString()
                        : null,
                throttle.restedMillis() / 1_000,
                throttle.speedPercent() + "%",
                micros(throttle.commitMicros()),
                micros(throttle.quietCommitMicros()),
                throttle.threadsRunning());
    }

    private static @Nullable String cost(Cost cost) {
        return cost.equals(Cost.NONE)
                ? null
                : String.format(
                        Locale.ROOT,
                        "source %.1fs, targets %.1fs, %.1fMB",
                        cost.sourceMicros() / 1e6,
                        cost.targetMicros() / 1e6,
                        cost.bytes() / 1e6);
    }

    private static @Nullable String micros(long micros) {
        return micros == 0 ? null : String.format(Locale.ROOT, "%.1fms", micros / 1e3);
    }

    /** Whether it is worth a write at once: more than progress has changed. */
    public static boolean moves(@Nullable ReshardWorkflowStatus before, ReshardWorkflowStatus now) {
        return before == null
                || !Objects.equals(before.phase(), now.phase())
                || !Objects.equals(before.switchover(), now.switchover())
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
