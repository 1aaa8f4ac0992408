package dev.shardwright.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.api.Condition;
import dev.shardwright.api.Condition.Truth;
import dev.shardwright.api.ReshardWorkflow;
import dev.shardwright.api.ReshardWorkflowStatus;
import dev.shardwright.reshard.copy.Throttling;
import dev.shardwright.reshard.copy.Throttling.Reason;
import dev.shardwright.reshard.cutover.Step;
import dev.shardwright.reshard.cutover.Timeline;
import dev.shardwright.reshard.mover.Cost;
import dev.shardwright.reshard.mover.MoverProgress;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.reshard.workflow.SourceProgress;
import dev.shardwright.reshard.workflow.WorkflowReport;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import dev.shardwright.topology.keyrange.KeyRange;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkflowStatusTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private static ReshardWorkflowStatus status(Stage stage, Throttling throttle) {
        return status(stage, throttle, null);
    }

    private static ReshardWorkflowStatus status(Stage stage, Throttling throttle, @Nullable String behind) {
        var progress = new MoverProgress(
                "u/s",
                stage,
                1,
                70,
                100,
                0,
                40,
                behind,
                null,
                throttle,
                new Cost(12_340_000, 20_000_000, 7_100_000),
                Cost.NONE,
                List.of(),
                null,
                null);
        var report = new WorkflowReport(
                "Copying",
                Succeeded.UNKNOWN,
                "Copying",
                "copying rows to the targets",
                "copying 70%",
                Duration.ofMillis(40),
                List.of(new SourceProgress(KeyRange.parse("c0-"), progress)),
                null,
                Duration.ofSeconds(1),
                List.of());
        return WorkflowStatus.of(workflow("['c0-']", "[c0-e0, 'e0-']"), report, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    @Test
    void aCopyThatIsSlowedSaysByWhatAndWhichSettingDecides() {
        var since = NOW.minusSeconds(7).toEpochMilli();
        var status =
                status(Stage.Copying, new Throttling(Reason.CommitLatency, since, 12_345, 40, 3_100, 1_900, 9, 40));
        assertThat(status.conditions())
                .extracting(Condition::type)
                .containsExactly("Succeeded", "Throttled", "KeepingUp");
        var condition = status.conditions().get(1);
        assertThat(condition.status()).isEqualTo(Truth.True);
        assertThat(condition.reason()).isEqualTo("CommitLatency");
        assertThat(condition.message())
                .isEqualTo(
                        "shard c0- is read at 40% of full speed: a commit takes 3.1 ms there, and 1.9 ms while nothing"
                                + " is read (throttle.maxCommitLatencyPercent)");
        assertThat(status.sources())
                .containsExactly(new ReshardWorkflowStatus.SourceStatus(
                        "c0-",
                        70L,
                        100L,
                        0L,
                        "source 12.3s, targets 20.0s, 7.1MB",
                        null,
                        "CommitLatency",
                        "2026-01-02T03:03:58Z",
                        12L,
                        "40%",
                        "3.1ms",
                        "1.9ms",
                        9L));
    }

    @Test
    void aCopyAtFullSpeedSaysSo() {
        var condition = status(Stage.Verifying, Throttling.NONE).conditions().get(1);
        assertThat(condition.type()).isEqualTo("Throttled");
        assertThat(condition.status()).isEqualTo(Truth.False);
        assertThat(condition.reason()).isEqualTo("NotNeeded");
    }

    @Test
    void whatReadsNothingIsNotSlowed() {
        var status = status(Stage.Streaming, Throttling.NONE);
        assertThat(status.conditions()).extracting(Condition::type).containsExactly("Succeeded", "KeepingUp");
        assertThat(status.sources()).isEmpty();
    }

    @Test
    void targetsThatDoNotCatchUpAreToldWithTheReason() {
        var following = status(Stage.Streaming, Throttling.NONE).conditions().getLast();
        assertThat(following.status()).isEqualTo(Truth.True);
        var condition = status(Stage.CatchingUp, Throttling.NONE, "target c0-e0 is slow")
                .conditions()
                .getLast();
        assertThat(condition.status()).isEqualTo(Truth.False);
        assertThat(condition.reason()).isEqualTo("FallingBehind");
        assertThat(condition.message()).isEqualTo("shard c0-: target c0-e0 is slow");
    }

    private static ReshardWorkflow workflow(String sources, String targets) {
        return Serialization.unmarshal("""
                metadata: {name: split}
                spec: {keyspace: chat, sourceShards: %s, targetShards: %s, goal: Switched}
                """.formatted(sources, targets), ReshardWorkflow.class);
    }

    @Test
    void whichShardsBecomeWhichIsOneShortText() {
        assertThat(WorkflowStatus.of(workflow("[-40, 40-80]", "[-80]"), report(null), Clock.systemUTC())
                        .shards())
                .isEqualTo("-40,40-80 -> -80");
        assertThat(WorkflowStatus.of(
                                workflow("['-']", "[-20, 20-40, 40-80, 80-c0, 'c0-']"), report(null), Clock.systemUTC())
                        .shards())
                .isEqualTo("- -> -20..c0- (5)");
    }

    @Test
    void theLastSwitchoverIsToldStepByStepUntilTheNextOne() {
        var timeline = new Timeline(List.of(
                new Timeline.Timing(Step.READY, Duration.ofMillis(-30), Duration.ofMillis(20)),
                new Timeline.Timing(Step.MARK_FENCED, Duration.ZERO, Duration.ofNanos(5_140_000)),
                new Timeline.Timing(Step.FLIP, Duration.ofMillis(30), Duration.ofMillis(6)),
                new Timeline.Timing(Step.OPEN, Duration.ofMillis(36), Duration.ofMillis(4))));
        var workflow = workflow("['c0-']", "[c0-e0, 'e0-']");
        workflow.setStatus(WorkflowStatus.of(workflow, report(timeline), Clock.fixed(NOW, ZoneOffset.UTC)));
        var later = WorkflowStatus.of(workflow, report(null), Clock.fixed(NOW.plusSeconds(9), ZoneOffset.UTC));

        assertThat(later.switchover())
                .isEqualTo(new ReshardWorkflowStatus.SwitchoverStatus(
                        "2026-01-02T03:04:05Z",
                        "40.0ms",
                        List.of(
                                new ReshardWorkflowStatus.StepStatus("READY", "-30.0ms", "20.0ms"),
                                new ReshardWorkflowStatus.StepStatus("MARK_FENCED", "0.0ms", "5.1ms"),
                                new ReshardWorkflowStatus.StepStatus("FLIP", "30.0ms", "6.0ms"),
                                new ReshardWorkflowStatus.StepStatus("OPEN", "36.0ms", "4.0ms"))));
    }

    private static WorkflowReport report(@Nullable Timeline timeline) {
        return new WorkflowReport(
                "Switched",
                Succeeded.TRUE,
                "Switched",
                "the targets serve",
                "",
                null,
                List.of(),
                timeline,
                Duration.ofSeconds(1),
                List.of());
    }
}
