package dev.shardwright.reshard.cutover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.reshard.workflow.Goal;
import dev.shardwright.reshard.workflow.Phase;
import dev.shardwright.reshard.workflow.WorkflowEngine;
import dev.shardwright.reshard.workflow.WorkflowReport;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The owner changes their mind, or deletes the workflow, in every phase that there is, under load. The switches over
 * phases have no default: a new phase does not compile before it has its place here. {@code -Dfaults=all}: each goal in
 * each phase; else one goal in each phase.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LifecycleIT {
    private static final boolean ALL = System.getProperty("faults", "fast").equals("all");
    private static final List<String> ONE = List.of("-");
    private static final List<String> TWO = List.of("-80", "80-");

    @SuppressWarnings("NullAway.Init")
    private SplitCluster cluster;

    private int workflows;
    private Goal goal = Goal.Cancelled;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        cluster = new SplitCluster(directory);
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    /** The phases whose entry is in the topology: those in which something can be changed. */
    static Stream<Phase> phases() {
        return Phase.all().filter(LifecycleIT::hasEntry);
    }

    private static boolean hasEntry(Phase phase) {
        return switch (phase) {
            case Phase.Preparing p -> true;
            case Phase.Copying p -> true;
            case Phase.CatchingUp p -> true;
            case Phase.Verifying p -> true;
            case Phase.Verified p -> true;
            case Phase.Switching p -> true;
            case Phase.Switched p -> true;
            case Phase.RollingBack p -> true;
            case Phase.RolledBack p -> true;
            case Phase.Completing p -> true;
            case Phase.Retiring p -> true;
            case Phase.Cancelling p -> true;
            case Phase.Pending p -> false;
            case Phase.Completed p -> false;
            case Phase.Cancelled p -> false;
        };
    }

    /** Each phase with each goal that may be set in it. */
    static Stream<Arguments> changes() {
        return phases().flatMap(phase -> Arrays.stream(Goal.values())
                .filter(next -> goalIn(phase).mayBecome(next) && next != goalIn(phase))
                .filter(next -> ALL || next == fast(phase))
                .map(next -> Arguments.of(phase, next)));
    }

    /** The goal with which a workflow comes to this phase. */
    private static Goal goalIn(Phase phase) {
        return switch (phase) {
            case Phase.Preparing p -> Goal.Verified;
            case Phase.Copying p -> Goal.Switched;
            case Phase.CatchingUp p -> Goal.Verified;
            case Phase.Verifying p -> Goal.Completed;
            case Phase.Verified p -> Goal.Verified;
            case Phase.Switching p -> Goal.Completed;
            case Phase.Switched p -> Goal.Switched;
            case Phase.RollingBack p -> Goal.RolledBack;
            case Phase.RolledBack p -> Goal.RolledBack;
            case Phase.Completing p -> Goal.Completed;
            case Phase.Retiring p -> Goal.Completed;
            case Phase.Cancelling p -> Goal.Cancelled;
            case Phase.Pending p -> throw new IllegalArgumentException("it has no entry");
            case Phase.Completed p -> throw new IllegalArgumentException("it has no entry");
            case Phase.Cancelled p -> throw new IllegalArgumentException("it has no entry");
        };
    }

    /** The change that says most of this phase. */
    private static @Nullable Goal fast(Phase phase) {
        return switch (phase) {
            case Phase.Preparing p -> Goal.Cancelled;
            case Phase.Copying p -> Goal.RolledBack;
            case Phase.CatchingUp p -> Goal.Cancelled;
            case Phase.Verifying p -> Goal.Switched;
            case Phase.Verified p -> Goal.Cancelled;
            case Phase.Switching p -> Goal.RolledBack;
            case Phase.Switched p -> Goal.Completed;
            case Phase.RollingBack p -> Goal.Cancelled;
            case Phase.RolledBack p -> Goal.Completed;
            case Phase.Completing p -> Goal.RolledBack;
            case Phase.Retiring p -> Goal.Switched;
            case Phase.Cancelling p -> null; // It is final.
            case Phase.Pending p -> null;
            case Phase.Completed p -> null;
            case Phase.Cancelled p -> null;
        };
    }

    /** Where a switchover may be under way, or movers run in both directions; all phases with ALL. */
    static Stream<Phase> deleted() {
        return phases().filter(phase -> ALL
                || phase instanceof Phase.Copying
                || phase instanceof Phase.Switching
                || phase instanceof Phase.RollingBack
                || phase instanceof Phase.Completing);
    }

    @ParameterizedTest(name = "{0}, then goal {1}")
    @MethodSource("changes")
    void aGoalThatIsChangedInAnyPhaseIsReached(Phase phase, Goal next) throws Exception {
        comeTo(phase);

        var report = settle(next);

        assertThat(report.phase()).isEqualTo(endOf(phase, next).name());
        assertThat(report.succeeded())
                .as(report.message())
                .isEqualTo(phase instanceof Phase.Retiring ? Succeeded.FALSE : Succeeded.TRUE);
        cluster.assertOneSideServes();
    }

    /** Where a workflow ends whose goal is changed to this one in this phase. */
    private static Phase endOf(Phase phase, Goal next) {
        if (phase instanceof Phase.Retiring) {
            return new Phase.Completed(); // The sources are going already; the report says that the goal came too late.
        }
        boolean neverSwitched = phase.sourcesServe() && !(phase instanceof Phase.RolledBack);
        return switch (next) {
            case Verified -> new Phase.Verified();
            case Switched -> new Phase.Switched();
            case Completed -> new Phase.Completed();
            case RolledBack -> neverSwitched ? new Phase.Verified() : new Phase.RolledBack();
            case Cancelled -> new Phase.Cancelled();
        };
    }

    @ParameterizedTest(name = "deleted when {0}")
    @MethodSource("deleted")
    void aWorkflowMayBeDeletedInAnyPhase(Phase phase) throws Exception {
        comeTo(phase);
        var entry = cluster.store.topology().workflows().getFirst();
        boolean sourcesServed = phase.sourcesServe();
        var engine = cluster.engine(StepListener.NONE);

        var kept = engine.forget(entry.uid(), goal);
        goal = Goal.Cancelled;

        var topology = cluster.store.topology();
        assertThat(topology.workflows()).isEmpty();
        var serving = sourcesServed ? entry.sources() : entry.targets();
        assertThat(topology.shards())
                .extracting(shard -> shard.uid())
                .isEqualTo(serving.stream().map(member -> member.uid()).toList());
        boolean sourcesStay = phase instanceof Phase.Switched || phase instanceof Phase.RollingBack;
        assertThat(kept).isEqualTo(sourcesStay ? entry.sources() : List.of());
        cluster.reconcileFences(engine);
        cluster.assertOneSideServes();
        for (var member : kept) {
            var fence = cluster.fence(cluster.server(member.uid()));
            assertThat(fence.superReadOnly() && fence.offline())
                    .as("kept shut: " + fence)
                    .isTrue();
        }
        for (var member : sourcesServed ? entry.targets() : sourcesStay ? List.<Member>of() : entry.sources()) {
            assertThat(cluster.runs(member.uid())).as(member.name() + " runs").isFalse();
        }
    }

    /** A workflow in exactly this phase, with the goal of {@link #goalIn}; a split of one shard, or the merge of two. */
    private void comeTo(Phase phase) throws Exception {
        settleForNew();
        boolean split = cluster.store.topology().shards().size() == 1;
        cluster.use(SplitCluster.workflow("wf-" + ++workflows, split ? ONE : TWO, split ? TWO : ONE));
        goal = goalIn(phase);
        switch (phase) {
            case Phase.Preparing p -> until(phase);
            case Phase.Copying p -> heldAt(Stage.CatchingUp, phase);
            case Phase.CatchingUp p -> heldAt(Stage.Verifying, phase);
            case Phase.Verifying p -> heldAt(Stage.Streaming, phase);
            case Phase.Verified p -> until(phase);
            case Phase.Switching p -> dieUnderTheFence();
            case Phase.Switched p -> until(phase);
            case Phase.RollingBack p -> {
                goal = Goal.Switched;
                until(new Phase.Switched());
                goal = Goal.RolledBack;
                dieUnderTheFence();
            }
            case Phase.RolledBack p -> {
                goal = Goal.Switched;
                until(new Phase.Switched());
                goal = Goal.RolledBack;
                until(phase);
            }
            case Phase.Completing p -> until(phase);
            case Phase.Retiring p -> until(phase);
            case Phase.Cancelling p -> {
                goal = Goal.Verified;
                until(new Phase.Verified());
                goal = Goal.Cancelled;
                until(phase);
            }
            case Phase.Pending p -> throw new IllegalArgumentException("it has no entry");
            case Phase.Completed p -> throw new IllegalArgumentException("it has no entry");
            case Phase.Cancelled p -> throw new IllegalArgumentException("it has no entry");
        }
        assertThat(cluster.store.topology().workflows().getFirst().phase()).isEqualTo(phase.name());
    }

    /** Brings what the last test has left to an end that leaves nothing behind. */
    private void settleForNew() {
        cluster.release();
        if (!cluster.store.topology().workflows().isEmpty()) {
            boolean sourcesServe = Phase.of(
                            cluster.store.topology().workflows().getFirst().phase())
                    .sourcesServe();
            settle(sourcesServe ? Goal.Cancelled : Goal.Completed);
        }
        cluster.retireWhatDoesNotServe();
    }

    private void until(Phase phase) {
        var engine = cluster.engine(StepListener.NONE);
        Clients.within(
                Duration.ofMinutes(2),
                () -> cluster.advance(engine, goal).phase().equals(phase.name()) ? Optional.of(true) : Optional.empty(),
                "phase " + phase.name());
    }

    private void heldAt(Stage stage, Phase phase) {
        cluster.holdAt(stage);
        until(phase);
    }

    private void dieUnderTheFence() {
        var doomed = cluster.engine(Crash.at(Step.APPLY_G, true));
        assertThatThrownBy(() -> cluster.reach(doomed, goal)).isInstanceOf(Crash.class);
    }

    /** Goes on, by a new engine, until the workflow says for good how it went. */
    private WorkflowReport settle(Goal wanted) {
        goal = wanted;
        cluster.release();
        var engine = cluster.engine(StepListener.NONE);
        return Clients.within(
                Duration.ofMinutes(2),
                () -> {
                    var report = cluster.advance(engine, wanted);
                    boolean over = report.succeeded() == Succeeded.TRUE
                            || report.reason().equals("TooLate")
                            || report.reason().equals("GoalNotPossible");
                    Clients.sleep(Math.min(50, report.againAfter().toMillis()));
                    return over ? Optional.of(report) : Optional.empty();
                },
                "an end for goal " + wanted);
    }

    @Test
    void oneShardBecomesEightAndTheyAreResharded() throws Exception {
        settleForNew();
        if (cluster.store.topology().shards().size() == 2) {
            cluster.use(SplitCluster.workflow("wf-" + ++workflows, TWO, ONE));
            settle(Goal.Completed);
            settleForNew();
        }
        cluster.use(SplitCluster.workflow(
                "eight", ONE, List.of("-20", "20-40", "40-60", "60-80", "80-a0", "a0-c0", "c0-e0", "e0-")));
        assertThat(settle(Goal.Completed).phase()).isEqualTo("Completed");
        cluster.assertOneSideServes();

        // A merge of fresh targets and a split of one, at the same time, each step by step.
        var merge = SplitCluster.workflow("merge", List.of("-20", "20-40", "40-60", "60-80"), List.of("-80"));
        var split = SplitCluster.workflow("split", List.of("e0-"), List.of("e0-f0", "f0-"));
        var back = SplitCluster.workflow("back", List.of("80-a0", "a0-c0"), List.of("80-c0"));
        var engine = cluster.engine(StepListener.NONE);
        together(engine, Goal.Switched, merge, split, back);
        assertThat(cluster.store.topology().shards())
                .extracting(shard -> shard.range().toString())
                .containsExactly("-80", "80-c0", "c0-e0", "e0-f0", "f0-");
        together(engine, Goal.RolledBack, back);
        together(engine, Goal.Cancelled, back);
        together(engine, Goal.Completed, merge, split);
        assertThat(cluster.store.topology().shards())
                .extracting(shard -> shard.range().toString())
                .containsExactly("-80", "80-a0", "a0-c0", "c0-e0", "e0-f0", "f0-");
        assertThat(cluster.store.topology().workflows()).isEmpty();
        cluster.assertOneSideServes();

        // Back to one, for the tests after this one.
        cluster.use(SplitCluster.workflow("one", List.of("-80", "80-a0", "a0-c0", "c0-e0", "e0-f0", "f0-"), ONE));
        settle(Goal.Completed);
        cluster.assertOneSideServes();
    }

    private void together(WorkflowEngine engine, Goal wanted, SplitCluster.Workflow... all) {
        for (var workflow : all) {
            workflow.goal = wanted;
        }
        Clients.within(
                Duration.ofMinutes(3),
                () -> {
                    boolean there = true;
                    for (var workflow : all) {
                        there &= workflow.advance(engine).succeeded() == Succeeded.TRUE;
                    }
                    Clients.sleep(20);
                    return there ? Optional.of(true) : Optional.empty();
                },
                wanted + " of " + all.length + " workflows at once");
    }
}
