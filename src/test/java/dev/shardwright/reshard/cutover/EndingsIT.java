package dev.shardwright.reshard.cutover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.reshard.workflow.Goal;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a workflow ends: completed, cancelled, or deleted at the worst moment. */
class EndingsIT {
    @Test
    void completingRetiresTheSourceAndGivesTheClaimBack(@TempDir Path directory) throws SQLException {
        try (var cluster = new SplitCluster(directory)) {
            var engine = cluster.engine(StepListener.NONE);

            var report = cluster.reach(engine, Goal.Completed);

            assertThat(report.phase()).isEqualTo("Completed");
            assertThat(cluster.source().running()).isFalse();
            assertThat(cluster.store.topology().workflows()).isEmpty();
            assertThat(cluster.store.topology().shards()).hasSize(2);
            cluster.clients.pause();
            assertThat(cluster.clients.differences(cluster.store.topology())).isEmpty();
            assertThat(cluster.advance(engine, Goal.RolledBack).reason()).isEqualTo("GoalNotPossible");
        }
    }

    @Test
    void cancellingAfterARollbackRetiresTheTargets(@TempDir Path directory) throws SQLException {
        try (var cluster = new SplitCluster(directory)) {
            var engine = cluster.engine(StepListener.NONE);
            cluster.reach(engine, Goal.Switched);
            var targets = cluster.targets();

            // Cancelled before the rollback came about: the way leads over it.
            var report = cluster.reach(engine, Goal.Cancelled);

            assertThat(report.phase()).isEqualTo("Cancelled");
            assertThat(targets).noneMatch(server -> server.running());
            assertThat(cluster.store.topology().workflows()).isEmpty();
            cluster.clients.pause();
            assertThat(cluster.clients.differences(cluster.store.topology())).isEmpty();
        }
    }

    @Test
    void deletedUnderTheFenceTheSourceServesAgain(@TempDir Path directory) throws SQLException {
        try (var cluster = new SplitCluster(directory)) {
            cluster.reach(cluster.engine(StepListener.NONE), Goal.Verified);
            var doomed = cluster.engine(Crash.at(Step.APPLY_G, true));
            assertThatThrownBy(() -> cluster.reach(doomed, Goal.Switched)).isInstanceOf(Crash.class);
            assertThat(cluster.store.topology().shards().getFirst().state()).isEqualTo(ShardState.Fenced);
            var targets = cluster.targets();

            var engine = cluster.engine(StepListener.NONE);
            assertThat(engine.forget(SplitCluster.WORKFLOW, Goal.Switched)).isEmpty();

            assertThat(cluster.store.topology().workflows()).isEmpty();
            assertThat(cluster.sourceServes()).isTrue();
            assertThat(targets).noneMatch(server -> server.running());
            var fences = engine.fenceReconciler();
            assertThat(fences.reconcile("source", endpoint(cluster))).isEqualTo(FenceReconciler.Result.OPENED);
            cluster.clients.pause();
            assertThat(cluster.clients.differences(cluster.store.topology())).isEmpty();
        }
    }

    @Test
    void deletedAfterTheSwitchTheSourceStaysShutWithItsData(@TempDir Path directory) throws SQLException {
        try (var cluster = new SplitCluster(directory)) {
            var engine = cluster.engine(StepListener.NONE);
            cluster.reach(engine, Goal.Switched);

            assertThat(engine.forget(SplitCluster.WORKFLOW, Goal.Switched))
                    .extracting(Member::uid)
                    .containsExactly("source");

            assertThat(cluster.source().running()).isTrue();
            var fences = engine.fenceReconciler();
            fences.reconcile("source", endpoint(cluster));
            assertThat(cluster.fence(cluster.source()).superReadOnly()).isTrue();
            assertThat(cluster.fence(cluster.source()).offline()).isTrue();
            cluster.clients.pause();
            assertThat(cluster.clients.differences(cluster.store.topology())).isEmpty();
        }
    }

    @Test
    void aRefusalBeforeTheCopyHealsOnceItsCauseIsGone(@TempDir Path directory) throws SQLException {
        try (var cluster = new SplitCluster(directory)) {
            cluster.clients.pause();
            var engine = cluster.engine(StepListener.NONE);
            cluster.refuse = "table t has no primary key: add one";
            var report = cluster.advance(engine, Goal.Switched);
            report = cluster.advance(engine, Goal.Switched);
            assertThat(report.reason()).isEqualTo("NotMovable");
            assertThat(report.message()).contains("table t has no primary key");
            assertThat(report.succeeded()).isEqualTo(Succeeded.FALSE);

            cluster.refuse = "";
            cluster.clients.resume();
            cluster.reach(engine, Goal.Switched);
            cluster.assertWhole();
        }
    }

    /** What the mover had not read yet is in no log any more, and what the source says it has executed is not all that it has. */
    @Test
    void aSourceWhoseBinaryLogsAreResetInTheSwitchoverGoesOnServing(@TempDir Path directory) throws SQLException {
        try (var cluster = new SplitCluster(directory)) {
            cluster.reach(cluster.engine(StepListener.NONE), Goal.Verified);
            var engine = cluster.engine(new StepListener() {
                @Override
                public void before(Step step) {
                    if (step == Step.READ_G) {
                        reset(cluster);
                    }
                }
            });
            var report = cluster.advance(engine, Goal.Switched);
            for (int i = 0; i < 100 && !report.reason().equals("SourceReset"); i++) {
                Clients.sleep(100);
                report = cluster.advance(engine, Goal.Switched);
            }

            assertThat(report.message()).contains("binary logs of - were reset", "undone");
            assertThat(cluster.sourceServes()).isTrue();
            assertThat(cluster.fence(cluster.source()).open()).isTrue();
            cluster.clients.pause();
            assertThat(cluster.clients.differences(cluster.store.topology())).isEmpty();
        }
    }

    private static void reset(SplitCluster cluster) {
        try (var connection = cluster.source().connect(TestServers.OPERATOR);
                var statement = connection.createStatement()) {
            statement.execute("RESET BINARY LOGS AND GTIDS");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static Endpoint endpoint(SplitCluster cluster) {
        return new Endpoint(cluster.source().host(), cluster.source().port());
    }
}
