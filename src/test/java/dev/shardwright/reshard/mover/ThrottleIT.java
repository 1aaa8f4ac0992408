package dev.shardwright.reshard.mover;

import static dev.shardwright.reshard.mover.MoveFixture.HIGH;
import static dev.shardwright.reshard.mover.MoveFixture.LOW;
import static dev.shardwright.reshard.mover.MoveFixture.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.reshard.copy.ThrottleLimits;
import dev.shardwright.reshard.copy.Throttling.Reason;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A source that suffers slows the copy and the comparison, and they say so; nothing of it changes what arrives. */
class ThrottleIT {
    @RegisterExtension
    static final MoveFixture fixture = new MoveFixture();

    private static void begin(int rows) throws SQLException {
        fixture.begin(List.of(WHOLE), MoveWriter.TABLES);
        try (var connection = fixture.app(WHOLE)) {
            MoveWriter.fill(connection, rows);
        }
    }

    private static Mover start(ThrottleLimits limits) {
        return fixture.start(
                fixture.spec(WHOLE, List.of(LOW, HIGH), 1, null).with(limits),
                new MoverTuning(2, 4 << 20, 4 << 20, 64 << 20, 20, 60_000));
    }

    private static void awaitThrottle(Mover mover, Stage stage, Predicate<MoverProgress> wanted) {
        MoveFixture.await(mover, now -> now.stage() == stage);
        var progress = MoveFixture.await(mover, now -> now.stage() != stage || wanted.test(now));
        assertThat(progress.stage()).as("%s", progress).isEqualTo(stage);
    }

    @Test
    void commitsThatTakeLongSlowCopyAndComparison() throws Exception {
        begin(8_000);
        // So few that each stage lasts for some seconds.
        var limits = new ThrottleLimits(500L, 1_000, 100_000, 3_600_000);
        try (var writer = new MoveWriter(fixture.app(WHOLE), 1)) {
            fixture.asOperator(WHOLE, "SET GLOBAL binlog_group_commit_sync_delay = 100000");
            var mover = start(limits);
            // What is measured in a bad moment at the beginning does not last to the copy's end.
            awaitThrottle(mover, Stage.Copying, now -> now.throttle().quietCommitMicros() > 20_000);
            fixture.asOperator(WHOLE, "SET GLOBAL binlog_group_commit_sync_delay = 0");
            awaitThrottle(mover, Stage.Copying, now -> now.throttle().quietCommitMicros() < 20_000);
            for (var stage : List.of(Stage.Copying, Stage.Verifying)) {
                awaitThrottle(mover, stage, now -> now.throttle().reason() == Reason.RowsPerSecond);
                fixture.asOperator(WHOLE, "SET GLOBAL binlog_group_commit_sync_delay = 400000");
                awaitThrottle(
                        mover,
                        stage,
                        now -> now.throttle().reason() == Reason.CommitLatency
                                && now.throttle().speedPercent() < 50);
                fixture.asOperator(WHOLE, "SET GLOBAL binlog_group_commit_sync_delay = 0");
                awaitThrottle(mover, stage, now -> now.throttle().reason() != Reason.CommitLatency);
            }
            MoveFixture.awaitStage(mover, Stage.Streaming);
            assertThat(mover.progress().throttle().reason()).isEqualTo(Reason.None);
        } finally {
            fixture.asOperator(WHOLE, "SET GLOBAL binlog_group_commit_sync_delay = 0");
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
    }

    @Test
    void clientsThatComeLaterFindItSlow() throws Exception {
        begin(8_000);
        var mover = start(new ThrottleLimits(500L, 1_000, 100_000, 3_600_000));
        awaitThrottle(mover, Stage.Copying, now -> now.throttle().reason() == Reason.RowsPerSecond);
        assertThat(mover.progress().throttle().speedPercent()).isEqualTo(100);
        try (var writer = new MoveWriter(fixture.app(WHOLE), 1)) {
            awaitThrottle(
                    mover,
                    Stage.Copying,
                    now -> now.throttle().reason() == Reason.CommitLatency
                            && now.throttle().speedPercent() < 20);
            awaitThrottle(mover, Stage.Copying, now -> now.throttle().quietCommitMicros() > 0);
            awaitThrottle(mover, Stage.Copying, now -> now.throttle().speedPercent() == 100);
            MoveFixture.awaitStage(mover, Stage.Streaming);
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
    }

    @Test
    void aTargetThatIsTooSlowIsNamedUntilItCatchesUp() throws Exception {
        begin(6_000);
        var mover = fixture.start(
                fixture.spec(WHOLE, List.of(LOW, HIGH), 1, null),
                new MoverTuning(2, 64 << 10, 4 << 20, 64 << 20, 200, 3_000));
        MoveFixture.awaitStage(mover, Stage.Streaming);
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
        // Each row that changes there takes this long.
        fixture.run(LOW, "CREATE TRIGGER slow BEFORE UPDATE ON numbers FOR EACH ROW DO SLEEP(0.002)");
        var rounds = 0;
        var progress = mover.progress();
        for (; rounds < 500 && progress.behind() == null; rounds++) {
            fixture.run(WHOLE, "UPDATE numbers SET v = v + 1");
            Thread.sleep(100);
            progress = mover.progress();
        }
        assertThat(progress.behind()).contains("target -80 applies changes more slowly than the source commits them");
        fixture.run(LOW, "DROP TRIGGER slow");
        assertThat(MoveFixture.await(mover, now -> now.lagMillis() == 0).behind())
                .isNull();
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
    }

    @Test
    void aSourceWithMoreRunningThreadsThanAllowedIsReadSlowlyButToTheEnd() throws Exception {
        begin(2_000);
        var mover = start(new ThrottleLimits(null, 100_000, 1, 3_600_000));
        awaitThrottle(mover, Stage.Copying, now -> now.throttle().reason() == Reason.ThreadsRunning);
        MoveFixture.awaitStage(mover, Stage.Streaming);
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
    }
}
