package dev.shardwright.reshard.mover;

import static dev.shardwright.reshard.mover.MoveFixture.HIGH;
import static dev.shardwright.reshard.mover.MoveFixture.LOW;
import static dev.shardwright.reshard.mover.MoveFixture.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.testing.TestServers;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Transactions that are unusual in size or kind, and binary logs that are gone. */
class StreamIT {
    private static final String NUMBERS = "CREATE TABLE numbers (id BIGINT PRIMARY KEY, v INT, body VARCHAR(600))";
    /** Some hundred times what the tuning below lets it hold. */
    private static final int ROWS = 6_000;

    @RegisterExtension
    static final MoveFixture fixture = new MoveFixture();

    private static Mover splitInLittleMemory(long spillBytes) {
        return fixture.start(
                fixture.spec(WHOLE, List.of(LOW, HIGH), 1, null),
                new MoverTuning(2, 32 << 20, 256 << 10, 4 << 20, 64 << 10, spillBytes, 500, 60_000));
    }

    private static String insert(int from) {
        return "INSERT INTO numbers WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < "
                + ROWS
                + ") SELECT /*+ SET_VAR(cte_max_recursion_depth = 1000000) */ " + from
                + " + i, i, REPEAT(CHAR(97 + i % 26), 500) FROM n";
    }

    @Test
    void largeTransactionsGoThroughLittleMemory() throws Exception {
        fixture.begin(List.of(WHOLE), NUMBERS);
        fixture.run(WHOLE, insert(0));
        var mover = splitInLittleMemory(1 << 30);
        MoveFixture.await(mover, progress -> progress.rowsCopied() > 0);
        // Half of these rows change their shard.
        fixture.run(WHOLE, insert(100_000), "UPDATE numbers SET id = id + 1000000, v = v + 1 ORDER BY id DESC");
        MoveFixture.awaitStage(mover, Stage.Streaming);
        fixture.run(WHOLE, "UPDATE numbers SET v = -v, body = REVERSE(body)", "DELETE FROM numbers WHERE v % 3 = 0");
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "numbers");
        assertThat(mover.progress().failure()).isNull();
    }

    @Test
    void aLargeTransactionOfWhichAKilledMoverAppliedAPartIsAppliedOnce() throws Exception {
        fixture.begin(List.of(WHOLE), NUMBERS);
        var mover = splitInLittleMemory(1 << 30);
        MoveFixture.awaitStage(mover, Stage.Streaming);
        for (int i = 0; i < 3; i++) {
            fixture.run(WHOLE, insert(i * ROWS), "UPDATE numbers SET v = v + 1");
            fixture.closeMovers();
            mover = splitInLittleMemory(1 << 30);
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "numbers");
        assertThat(mover.progress().failure()).isNull();
    }

    @Test
    void aTransactionThatNeedsMoreDiskThanThereMayBeStopsTheMove() throws Exception {
        fixture.begin(List.of(WHOLE), NUMBERS);
        var mover = splitInLittleMemory(1 << 20);
        MoveFixture.awaitStage(mover, Stage.Streaming);
        fixture.run(WHOLE, insert(0));
        assertThat(MoveFixture.await(mover, unused -> false).failure())
                .contains("more than the 1048576 bytes of disk", System.getProperty("java.io.tmpdir"));
        assertThat(fixture.one(LOW, "SELECT COUNT(*) FROM chat.numbers")).isEqualTo("0");
    }

    @Test
    void aPreparedBranchThatIsLargeWaitsOnDisk() throws Exception {
        fixture.begin(List.of(WHOLE), NUMBERS);
        var mover = splitInLittleMemory(1 << 30);
        MoveFixture.awaitStage(mover, Stage.Streaming);
        try (var one = fixture.app(WHOLE);
                var other = fixture.app(WHOLE)) {
            branch(one, "X'00FF27', X'', 7", insert(0));
            branch(other, "'g', 'branch', 4294967295", insert(500_000));
            fixture.run(
                    WHOLE,
                    "XA START 'at once'",
                    "INSERT INTO numbers VALUES (-1, 0, '')",
                    "XA END 'at once'",
                    "XA COMMIT 'at once' ONE PHASE");
            execute(one, "XA COMMIT X'00FF27', X'', 7");
            execute(other, "XA ROLLBACK 'g', 'branch', 4294967295");
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "numbers");
        assertThat(fixture.one(WHOLE, "SELECT COUNT(*) FROM chat.numbers")).isEqualTo(Integer.toString(ROWS + 1));
    }

    private static void branch(java.sql.Connection connection, String xid, String sql) throws SQLException {
        execute(connection, "XA START " + xid);
        execute(connection, sql);
        execute(connection, "XA END " + xid);
        execute(connection, "XA PREPARE " + xid);
    }

    private static void execute(java.sql.Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void valuesOf64MebibytesAreCopiedAndFollowed() throws Exception {
        fixture.begin(
                List.of(WHOLE),
                "CREATE TABLE numbers (id BIGINT PRIMARY KEY, b LONGBLOB, t LONGTEXT CHARACTER SET utf16, j JSON)");
        var blob = "REPEAT(X'00FF5C27', 16777216)";
        fixture.run(WHOLE, "INSERT INTO numbers VALUES (1, " + blob + ", NULL, NULL)");
        var mover = fixture.split();
        MoveFixture.awaitStage(mover, Stage.Streaming);
        fixture.run(
                WHOLE,
                "INSERT INTO numbers VALUES (2, " + blob + ", NULL, NULL)",
                "INSERT INTO numbers VALUES (3, X'0A', REPEAT('é', 2000000), JSON_ARRAY(REPEAT('日', 1000000)))",
                "UPDATE numbers SET t = CONCAT(t, '😀'), b = REPEAT(X'00', 2000000) WHERE id = 3",
                "DELETE FROM numbers WHERE id = 1");
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "numbers");
        assertThat(mover.progress().failure()).isNull();
    }

    @Test
    void theTargetsBinaryLogIsWholeFromTheCopysEndOn() throws Exception {
        fixture.begin(List.of(WHOLE), NUMBERS);
        fixture.run(WHOLE, insert(0));
        fixture.asOperator(LOW, "FLUSH BINARY LOGS");
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
        assertThat(changesInTheBinaryLog()).as("copied rows").isZero();

        fixture.run(WHOLE, "UPDATE numbers SET v = v + 1", "DELETE FROM numbers WHERE v > 3000");
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "numbers");
        assertThat(changesInTheBinaryLog()).as("changes").isPositive();
    }

    /** Of the table, in the file that the server writes. */
    private static int changesInTheBinaryLog() throws SQLException {
        int changes = 0;
        try (var connection = fixture.servers.get(LOW).connect(TestServers.MOVER);
                var statement = connection.createStatement()) {
            String file;
            try (var rows = statement.executeQuery("SHOW BINARY LOG STATUS")) {
                rows.next();
                file = rows.getString("File");
            }
            try (var rows = statement.executeQuery("SHOW BINLOG EVENTS IN '" + file + "'")) {
                while (rows.next()) {
                    changes += rows.getString("Info").contains("(chat.numbers)") ? 1 : 0;
                }
            }
        }
        return changes;
    }

    @Test
    void transactionsWhoseIdsHaveATagAreFollowed() throws Exception {
        fixture.begin(List.of(WHOLE), NUMBERS);
        tagged("red", "INSERT INTO chat.numbers (id) VALUES (1), (2), (3), (4)");
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
        tagged("blue_2", "UPDATE chat.numbers SET v = 1 WHERE id < 3", "DELETE FROM chat.numbers WHERE id = 4");
        fixture.run(WHOLE, "INSERT INTO numbers (id) VALUES (5)");
        tagged("red", "SET SESSION binlog_transaction_compression = ON", "UPDATE chat.numbers SET v = 2 WHERE id = 5");
        tagged(
                "b" + "0".repeat(31),
                "XA START 'tagged'",
                "INSERT INTO chat.numbers (id) VALUES (6)",
                "XA END 'tagged'",
                "XA PREPARE 'tagged'",
                "XA COMMIT 'tagged'");
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "numbers");
        fixture.closeMovers();

        tagged("red", "UPDATE chat.numbers SET v = v + 1");
        fixture.verifyAgain();
        var mover = fixture.split();
        MoveFixture.awaitStage(mover, Stage.Streaming);
        tagged("green", "UPDATE chat.numbers SET v = v + 1");
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "numbers");
        assertThat(fixture.one(WHOLE, "SELECT @@GLOBAL.gtid_executed")).contains(":red:", ":blue_2:", ":green:");
    }

    private static void tagged(String tag, String... statements) throws SQLException {
        fixture.asOperator(
                WHOLE,
                Stream.concat(Stream.of("SET SESSION gtid_next = 'AUTOMATIC:" + tag + "'"), Stream.of(statements))
                        .toArray(String[]::new));
    }

    /** Only with privileges that applications do not have. */
    @Test
    void aSessionThatLogsLessThanWholeRowsStopsTheMove() throws Exception {
        for (var setting : List.of("binlog_row_image = MINIMAL", "binlog_row_value_options = PARTIAL_JSON")) {
            fixture.begin(List.of(WHOLE), "CREATE TABLE numbers (id BIGINT PRIMARY KEY, v INT, j JSON)");
            fixture.run(WHOLE, "INSERT INTO numbers VALUES (1, 1, JSON_OBJECT('a', REPEAT('x', 200), 'b', 2))");
            var mover = fixture.split();
            MoveFixture.awaitStage(mover, Stage.Streaming);
            fixture.asOperator(
                    WHOLE, "SET SESSION " + setting, "UPDATE chat.numbers SET j = JSON_SET(j, '$.b', 3) WHERE id = 1");
            assertThat(MoveFixture.await(mover, unused -> false).failure()).contains("binlog_row_image=FULL");
        }
    }

    /** The server counts its transactions from 1 again, and passes the mover's position before anybody looks. */
    @Test
    void binaryLogsThatWereResetWhileNoMoverRanAreFound() throws Exception {
        fixture.asOperator(WHOLE, "RESET BINARY LOGS AND GTIDS");
        fixture.begin(List.of(WHOLE), NUMBERS);
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
        fixture.closeMovers();
        var before = transactions();
        fixture.run(WHOLE, "INSERT INTO numbers (id) VALUES (1)");
        fixture.asOperator(WHOLE, "RESET BINARY LOGS AND GTIDS");
        for (var id = 2; transactions() <= before + 1; id++) {
            fixture.run(WHOLE, "INSERT INTO numbers (id) VALUES (" + id + ")");
        }
        assertThat(MoveFixture.await(fixture.split(), now -> now.stage() == Stage.Streaming)
                        .failure())
                .contains("binary logs were reset", "start the workflow again with new targets");
    }

    /** The number of the newest one that the server has counted by itself. */
    private static long transactions() throws SQLException {
        return Long.parseLong(
                fixture.one(
                        WHOLE,
                        "SELECT COALESCE(REGEXP_SUBSTR(@@GLOBAL.gtid_executed, CONCAT('(?<=', @@server_uuid, ':1-)[0-9]+')), 1)"));
    }

    @Test
    void binaryLogsThatAreResetBeforeTheMoversEyesStopIt() throws Exception {
        fixture.begin(List.of(WHOLE), NUMBERS);
        var mover = fixture.split();
        MoveFixture.awaitStage(mover, Stage.Streaming);
        fixture.asOperator(WHOLE, "RESET BINARY LOGS AND GTIDS");
        assertThat(MoveFixture.await(mover, unused -> false).failure())
                .contains("binary logs were reset", "start the workflow again with new targets");
    }

    @Test
    void binaryLogsThatWerePurgedWhileNoMoverRanAreFound() throws Exception {
        fixture.begin(List.of(WHOLE), NUMBERS);
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
        fixture.closeMovers();
        fixture.run(WHOLE, "INSERT INTO numbers (id) VALUES (1)");
        fixture.asOperator(WHOLE, "FLUSH BINARY LOGS");
        fixture.asOperator(WHOLE, "PURGE BINARY LOGS TO '" + fixture.one(WHOLE, "SHOW BINARY LOG STATUS") + "'");
        assertThat(MoveFixture.await(fixture.split(), unused -> false).failure())
                .contains("purged binary logs that the targets still need", "binlog_expire_logs_seconds");
    }

    @Test
    void binaryLogsThatAreSoonPurgedAreToldOf() throws Exception {
        fixture.begin(List.of(WHOLE), NUMBERS);
        fixture.asOperator(WHOLE, "SET GLOBAL binlog_expire_logs_seconds = 2");
        try (var branch = fixture.app(WHOLE);
                var reader = fixture.app(LOW)) {
            var mover = fixture.split();
            MoveFixture.awaitStage(mover, Stage.Streaming);
            branch(branch, "'forgotten'", "INSERT INTO numbers (id) VALUES (-5)");
            assertThat(awaitBehind(mover)).contains("XA transactions", "keeps its binary logs for 2 s", "XA RECOVER");
            execute(branch, "XA COMMIT 'forgotten'");
            MoveFixture.await(mover, now -> now.behind() == null);

            execute(reader, "LOCK TABLES numbers READ");
            fixture.run(WHOLE, "INSERT INTO numbers (id) VALUES (1), (2), (3), (4), (5), (6), (7), (8)");
            assertThat(awaitBehind(mover)).contains("changes of", "raise binlog_expire_logs_seconds");
            execute(reader, "UNLOCK TABLES");
            MoveFixture.await(mover, now -> now.behind() == null && now.lagMillis() == 0);
            assertThat(mover.progress().failure()).isNull();
        } finally {
            fixture.asOperator(WHOLE, "SET GLOBAL binlog_expire_logs_seconds = DEFAULT");
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "numbers");
    }

    private static String awaitBehind(Mover mover) {
        return String.valueOf(
                MoveFixture.await(mover, now -> now.behind() != null).behind());
    }
}
