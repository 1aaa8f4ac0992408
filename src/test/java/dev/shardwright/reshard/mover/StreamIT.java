package dev.shardwright.reshard.mover;

import static dev.shardwright.reshard.mover.MoveFixture.HIGH;
import static dev.shardwright.reshard.mover.MoveFixture.LOW;
import static dev.shardwright.reshard.mover.MoveFixture.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.reshard.mover.MoverProgress.Stage;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions that are unusual in size or kind. */
class StreamIT {
    private static final String NUMBERS = "CREATE TABLE numbers (id BIGINT PRIMARY KEY, v INT, body VARCHAR(600))";
    /** Some hundred times what the tuning below lets it hold. */
    private static final int ROWS = 6_000;

    @TempDir
    static Path directory;

    static MoveFixture fixture;

    @BeforeAll
    static void startServers() {
        fixture = new MoveFixture(directory);
    }

    @AfterAll
    static void stopServers() {
        fixture.close();
    }

    @AfterEach
    void stopMovers() {
        fixture.closeMovers();
    }

    private static Mover splitInLittleMemory(long spillBytes) {
        return fixture.start(
                fixture.spec(WHOLE, List.of(LOW, HIGH), 1, null),
                new MoverTuning(2, 256 << 10, 4 << 20, 64 << 10, spillBytes, 500, 60_000));
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
}
