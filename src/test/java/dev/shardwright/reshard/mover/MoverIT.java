package dev.shardwright.reshard.mover;

import static dev.shardwright.reshard.mover.MoveFixture.HIGH;
import static dev.shardwright.reshard.mover.MoveFixture.LOW;
import static dev.shardwright.reshard.mover.MoveFixture.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.reshard.mover.MoverProgress.Stage;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MoverIT {
    @RegisterExtension
    static final MoveFixture fixture = new MoveFixture();

    private static void fill(int server, int rows) throws SQLException {
        try (var connection = fixture.app(server)) {
            MoveWriter.fill(connection, rows);
        }
    }

    @Test
    void aShardIsSplitWhileItsClientsWrite() throws SQLException {
        fixture.begin(List.of(WHOLE), MoveWriter.TABLES);
        fill(WHOLE, 5_000);
        try (var writer = new MoveWriter(fixture.app(WHOLE), 1);
                var other = new MoveWriter(fixture.app(WHOLE), 2)) {
            var mover = fixture.split();
            MoveFixture.awaitStage(mover, Stage.Streaming);
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
        assertThat(fixture.one(HIGH, "SELECT COUNT(*) FROM chat.unlisted")).isEqualTo("0");
        assertThat(Integer.parseInt(fixture.one(HIGH, "SELECT COUNT(*) FROM chat.numbers")))
                .isPositive();
        assertThat(Integer.parseInt(fixture.one(LOW, "SELECT COUNT(*) FROM chat.numbers")))
                .isPositive();
    }

    @Test
    void twoShardsAreMergedAndTheWayBackFansOut() throws Exception {
        fixture.begin(List.of(WHOLE), MoveWriter.TABLES);
        fill(WHOLE, 2_000);
        var split = fixture.split();
        MoveFixture.awaitStage(split, Stage.Streaming);
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
        fixture.closeMovers();

        fixture.empty(WHOLE);
        var low = fixture.start(fixture.spec(LOW, List.of(WHOLE), 1, null));
        var high = fixture.start(fixture.spec(HIGH, List.of(WHOLE), 1, null));
        for (var source : List.of(LOW, HIGH)) {
            // Of the table without a key, the changes of one wait while the other's rows come in.
            fixture.run(
                    source,
                    "UPDATE bags SET v = v + 1 LIMIT 20",
                    "INSERT INTO bags SELECT * FROM bags LIMIT 10",
                    "DELETE FROM bags WHERE v = 0 LIMIT 5");
        }
        fixture.run(LOW, "UPDATE numbers SET v = v + 1", "DELETE FROM numbers WHERE v % 5 = 0");
        fixture.run(HIGH, "UPDATE numbers SET v = v + 1", "DELETE FROM texts WHERE v % 5 = 0");
        MoveFixture.awaitStage(low, Stage.Streaming);
        MoveFixture.awaitStage(high, Stage.Streaming);
        fixture.assertSame(List.of(LOW, HIGH), List.of(WHOLE), MoveWriter.NAMES);
        fixture.closeMovers();

        var from = fixture.one(WHOLE, "SELECT @@GLOBAL.gtid_executed");
        try (var writer = new MoveWriter(fixture.app(WHOLE), 3)) {
            var back = fixture.start(fixture.spec(WHOLE, List.of(LOW, HIGH), 1, from));
            MoveFixture.awaitStage(back, Stage.Streaming);
            Thread.sleep(1_000);
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
    }

    @Test
    void aMoverThatIsKilledAgainAndAgainLosesAndDoublesNothing() throws Exception {
        fixture.begin(List.of(WHOLE), MoveWriter.TABLES);
        fill(WHOLE, 10_000);
        var random = new Random(11);
        try (var writer = new MoveWriter(fixture.app(WHOLE), 4)) {
            for (int i = 0; i < 25; i++) {
                var mover = fixture.split();
                Thread.sleep(100 + random.nextInt(i * 40 + 100));
                assertThat(mover.progress().failure()).isNull();
                assertThat(mover.progress().mismatches()).isEmpty();
                fixture.closeMovers();
            }
            MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
    }

    @Test
    void aServerThatCrashesIsWaitedFor() throws Exception {
        fixture.begin(List.of(WHOLE), MoveWriter.TABLES);
        fill(WHOLE, 10_000);
        var mover = fixture.split();
        Thread.sleep(1_500);
        fixture.servers.get(LOW).kill();
        fixture.servers.get(LOW).restart();
        fixture.servers.get(WHOLE).kill();
        fixture.servers.get(WHOLE).restart();
        MoveFixture.awaitStage(mover, Stage.Streaming);
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
    }

    @Test
    void aMoverWithAnOldTokenWritesNoMore() throws Exception {
        fixture.begin(List.of(WHOLE), MoveWriter.TABLES);
        fill(WHOLE, 500);
        var mover = fixture.split();
        MoveFixture.awaitStage(mover, Stage.Streaming);
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
        fixture.asOperator(LOW, "UPDATE _shardwright.fencing SET token = 2");
        fixture.asOperator(HIGH, "UPDATE _shardwright.fencing SET token = 2");
        var before =
                fixture.one(LOW, "SELECT @@GLOBAL.gtid_executed") + fixture.one(HIGH, "SELECT @@GLOBAL.gtid_executed");

        fixture.run(WHOLE, "UPDATE numbers SET v = -1");

        var progress = MoveFixture.await(mover, unused -> false);
        assertThat(progress.failure()).contains("fenced", "token 2");
        assertThat(fixture.one(LOW, "SELECT @@GLOBAL.gtid_executed")
                        + fixture.one(HIGH, "SELECT @@GLOBAL.gtid_executed"))
                .isEqualTo(before);
        assertThat(fixture.one(LOW, "SELECT COUNT(*) FROM chat.numbers WHERE v = -1"))
                .isEqualTo("0");

        var next = fixture.start(fixture.spec(WHOLE, List.of(LOW, HIGH), 2, null));
        MoveFixture.awaitStage(next, Stage.Streaming);
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
    }

    @Test
    void aMoverThatIsRestartedWhileTheSourceIsFencedStillBringsTheRest() throws Exception {
        fixture.begin(List.of(WHOLE), MoveWriter.TABLES);
        fill(WHOLE, 500);
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
        fixture.closeMovers();
        fixture.run(WHOLE, "UPDATE numbers SET v = 77");
        fixture.asOperator(WHOLE, "SET GLOBAL super_read_only = ON");
        try {
            MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
            fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
        } finally {
            fixture.asOperator(WHOLE, "SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
        }
    }

    @Test
    void verifyNamesEachDifferenceAndNothingElse() throws Exception {
        fixture.begin(List.of(WHOLE), MoveWriter.TABLES);
        fill(WHOLE, 3_000);
        var mover = fixture.split();
        MoveFixture.awaitStage(mover, Stage.Streaming);
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
        fixture.closeMovers();
        var gone = fixture.one(LOW, "SELECT MAX(id) FROM chat.numbers");
        var changed = fixture.one(HIGH, "SELECT MIN(id) FROM chat.numbers");
        var stray = fixture.one(HIGH, "SELECT name FROM chat.texts LIMIT 1");
        fixture.run(
                LOW,
                "DELETE FROM numbers WHERE id = " + gone,
                "INSERT INTO texts VALUES ('" + stray.replace("\\", "\\\\") + "', 1)");
        fixture.run(
                HIGH, "UPDATE numbers SET v = -5 WHERE id = " + changed, "INSERT INTO unlisted VALUES ('stranger', 1)");
        for (var server : List.of(LOW, HIGH)) {
            fixture.asOperator(
                    server,
                    "UPDATE _shardwright.chunk_progress SET frontier = NULL, complete = FALSE WHERE phase = 'verify'");
        }
        var progress = MoveFixture.await(fixture.split(), now -> now.stage() == Stage.Mismatched);

        assertThat(progress.failure()).isNull();
        assertThat(progress.mismatches())
                .containsExactlyInAnyOrder(
                        "missing on target -80: numbers (id=" + gone + ")",
                        "extra on target -80: texts (name='" + stray + "')",
                        "different on target 80-: numbers (id=" + changed + ") in v",
                        "extra on target 80-: unlisted (code='stranger')");
    }

    @Test
    void aChangeOfARowThatTheTargetLacksStopsTheMoveAndNamesIt() throws Exception {
        fixture.begin(List.of(WHOLE), MoveWriter.TABLES);
        fixture.run(WHOLE, "INSERT INTO numbers VALUES (1, 1, 'a'), (2, 2, 'b')");
        var mover = fixture.split();
        MoveFixture.awaitStage(mover, Stage.Streaming);
        fixture.run(LOW, "DELETE FROM numbers");
        fixture.run(HIGH, "DELETE FROM numbers");
        fixture.run(WHOLE, "UPDATE numbers SET v = 9 WHERE id = 2");
        assertThat(MoveFixture.await(mover, unused -> false).failure()).contains("numbers (id=2)", "hit 0 rows");
    }

    @Test
    void anInsertOfAKeyThatTheTargetHasFromElsewhereStopsTheMoveAndNamesIt() throws Exception {
        fixture.begin(List.of(WHOLE), MoveWriter.TABLES);
        var mover = fixture.split();
        MoveFixture.awaitStage(mover, Stage.Streaming);
        for (var target : List.of(LOW, HIGH)) {
            fixture.run(target, "INSERT INTO numbers VALUES (5, 1, 'not of the source')");
        }
        fixture.run(WHOLE, "INSERT INTO numbers VALUES (5, 2, 'b')");
        assertThat(MoveFixture.await(mover, unused -> false).failure())
                .contains("insert", "numbers (id=5)", "Duplicate");
        for (var target : List.of(LOW, HIGH)) {
            assertThat(fixture.one(target, "SELECT v FROM chat.numbers WHERE id = 5"))
                    .isEqualTo("1");
        }
    }

    @Test
    void aRowOutsideOfTheSourcesRangeStopsTheMoveAndIsNamed() throws Exception {
        fixture.begin(List.of(LOW), MoveWriter.TABLES);
        fixture.run(LOW, "INSERT INTO numbers (id) VALUES (1), (2), (3), (4), (5), (6), (7), (8)");
        var mover = fixture.start(fixture.spec(LOW, List.of(WHOLE), 1, null));
        assertThat(MoveFixture.await(mover, unused -> false).failure())
                .matches("misplaced row on the source: numbers \\(id=\\d\\) does not belong to shard -80: .*");
    }

    @Test
    void xaTransactionsCountFromTheirCommit() throws Exception {
        fixture.begin(List.of(WHOLE), MoveWriter.TABLES);
        fill(WHOLE, 2_000);
        try (var early = fixture.app(WHOLE);
                var late = fixture.app(WHOLE);
                var never = fixture.app(WHOLE)) {
            xa(early, "early", 100_001);
            var mover = fixture.split();
            Thread.sleep(1_000);
            assertThat(mover.progress().rowsCopied()).isZero();
            execute(early, "XA COMMIT 'early'");
            MoveFixture.awaitStage(mover, Stage.Streaming);
            xa(late, "late", 100_002);
            xa(never, "never", 100_003);
            fixture.run(WHOLE, "INSERT INTO numbers (id) VALUES (100004)");
            Thread.sleep(500);
            fixture.closeMovers();
            mover = fixture.split();
            MoveFixture.awaitStage(mover, Stage.Streaming);
            execute(late, "XA COMMIT 'late'");
            execute(never, "XA ROLLBACK 'never'");
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), MoveWriter.NAMES);
        assertThat(fixture.one(WHOLE, "SELECT COUNT(*) FROM chat.numbers WHERE id > 100000 AND id < 100005"))
                .isEqualTo("3");
    }

    private static void xa(java.sql.Connection connection, String xid, int id) throws SQLException {
        execute(connection, "XA START '" + xid + "'");
        execute(connection, "INSERT INTO numbers (id) VALUES (" + id + ")");
        execute(connection, "XA END '" + xid + "'");
        execute(connection, "XA PREPARE '" + xid + "'");
    }

    private static void execute(java.sql.Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aSchemaChangeStopsTheMoveAndIsNamed() throws Exception {
        fixture.begin(List.of(WHOLE), MoveWriter.TABLES);
        var mover = fixture.split();
        MoveFixture.awaitStage(mover, Stage.Streaming);
        fixture.run(WHOLE, "ALTER TABLE numbers ADD COLUMN w INT");
        assertThat(MoveFixture.await(mover, unused -> false).failure())
                .contains("ALTER TABLE numbers ADD COLUMN w INT");
    }

    @Test
    void whatCannotBeMovedIsRefusedBeforeTheCopyByName() throws Exception {
        fixture.begin(
                List.of(WHOLE),
                "CREATE TABLE numbers (id INT PRIMARY KEY, u INT UNIQUE)",
                "CREATE TABLE old (a INT PRIMARY KEY) ENGINE=MyISAM",
                "CREATE TABLE child (a INT PRIMARY KEY, CONSTRAINT c1 FOREIGN KEY (a) REFERENCES numbers (id))");
        var mover = fixture.split();
        assertThat(MoveFixture.await(mover, unused -> false).failure())
                .contains("table old", "c1 of table child", "column id is int, but the vschema says bigint")
                .contains("unique key u does not contain the shard key column id");
        assertThat(fixture.one(LOW, "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'chat'"))
                .isEqualTo("0");
    }
}
