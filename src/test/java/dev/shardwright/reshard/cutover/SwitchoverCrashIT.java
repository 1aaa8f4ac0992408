package dev.shardwright.reshard.cutover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.reshard.workflow.Goal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The engine is killed before and after each step of a switchover, in both directions, while clients write; another
 * takes over. Every step that there is takes part, so a new one can't be forgotten.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SwitchoverCrashIT {
    private static final int OFFLINE_MODE = 3032;

    @SuppressWarnings("NullAway.Init")
    private SplitCluster cluster;

    @BeforeAll
    void verified(@TempDir Path directory) throws SQLException {
        cluster = new SplitCluster(directory);
        cluster.reach(cluster.engine(StepListener.NONE), Goal.Verified);
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    /** First, as it is about shards that have never served. */
    @Test
    @Order(1)
    void whatADeadAttemptHasOpenedForTheRoutersIsShutAgain() throws SQLException {
        dieOnTheWay(Step.ADMIT, false, Goal.Switched);
        for (var target : cluster.targets()) {
            cluster.app(target).close();
        }
        var engine = cluster.engine(StepListener.NONE);

        cluster.reconcileFences(engine);

        for (var target : cluster.targets()) {
            assertThatThrownBy(() -> cluster.app(target).close())
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getErrorCode()).isEqualTo(OFFLINE_MODE));
        }
        cluster.reach(engine, Goal.Switched);
        cluster.assertWhole();
    }

    /** Killed before the step, the next engine is to go on; killed after it, to go back. */
    static Stream<Arguments> everyStep() {
        return Arrays.stream(Step.values())
                .flatMap(step ->
                        Stream.of(Arguments.of(step, true, Goal.Switched), Arguments.of(step, false, Goal.RolledBack)));
    }

    /** {@code then}: what is wanted of the engine that takes over. */
    @ParameterizedTest(name = "killed at {0}, before: {1}, then goal {2}")
    @MethodSource("everyStep")
    void anotherEngineBringsItToAnEnd(Step step, boolean before, Goal then) throws SQLException {
        cluster.reach(cluster.engine(StepListener.NONE), Goal.RolledBack);
        dieOnTheWay(step, before, Goal.Switched);
        cluster.assertNotBothWritable();

        cluster.reach(cluster.engine(StepListener.NONE), then);

        assertThat(cluster.sourceServes()).isEqualTo(then == Goal.RolledBack);
        cluster.assertWhole();
    }

    @ParameterizedTest(name = "killed on the way back after {0}")
    @EnumSource(Step.class)
    void alsoOnTheWayBack(Step step) throws SQLException {
        cluster.reach(cluster.engine(StepListener.NONE), Goal.Switched);
        dieOnTheWay(step, false, Goal.RolledBack);
        cluster.assertNotBothWritable();

        cluster.reach(cluster.engine(StepListener.NONE), Goal.RolledBack);

        assertThat(cluster.sourceServes()).isTrue();
        cluster.assertWhole();
    }

    private void dieOnTheWay(Step step, boolean before, Goal goal) {
        if (step.isUndo()) {
            // A write that does not end makes it go back.
            cluster.clients.writes.set(1);
        }
        var doomed = cluster.engine(Crash.at(step, before));
        assertThatThrownBy(() -> cluster.reach(doomed, goal)).isInstanceOf(Crash.class);
        cluster.clients.writes.set(0);
    }
}
