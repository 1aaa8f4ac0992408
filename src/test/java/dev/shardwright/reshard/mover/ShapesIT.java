package dev.shardwright.reshard.mover;

import static dev.shardwright.reshard.mover.MoveFixture.HIGH;
import static dev.shardwright.reshard.mover.MoveFixture.LOW;
import static dev.shardwright.reshard.mover.MoveFixture.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.reshard.copy.ThrottleLimits;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Columns that MySQL fills in by itself, and tables whose rows have no primary key. */
class ShapesIT {
    private static final String FILLED_IN = "CREATE TABLE numbers (v1 VARCHAR(40) AS (UPPER(a)) VIRTUAL, a VARCHAR(20),"
            + " s1 BIGINT AS (id * 2 + b) STORED, b INT, id BIGINT PRIMARY KEY, v2 INT AS (b DIV 2) VIRTUAL INVISIBLE,"
            + " j JSON, s2 VARCHAR(20) AS (j->>'$.n') STORED, v3 JSON AS (JSON_ARRAY(a, b)) VIRTUAL,"
            + " t TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),"
            + " u DATETIME(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), x VARCHAR(40) DEFAULT (UUID()),"
            + " i INT INVISIBLE DEFAULT (1 + 2), vec VECTOR(3), d INT DEFAULT 7, v4 YEAR AS (YEAR(t)) VIRTUAL,"
            + " INDEX (v1, s1), INDEX ((LOWER(a))), INDEX ((b + 1), a), INDEX ((CAST(j->'$.t' AS UNSIGNED ARRAY))), UNIQUE (id, s1, v2))";

    /** {@code -Dmove.tables=10000 -Dmove.patience=1800} for a long look. */
    private static final int TABLES = Integer.getInteger("move.tables", 60);

    @RegisterExtension
    static final MoveFixture fixture = new MoveFixture();

    private static void insert(int from) throws Exception {
        for (int i = from; i < from + 40; i++) {
            fixture.run(
                    WHOLE,
                    "INSERT INTO numbers (id, a, b, j, vec) VALUES (" + i + ", 'a" + i + "', " + i + ", '{\"n\": \"x"
                            + i + "\", \"t\": [1, " + i + "]}', STRING_TO_VECTOR('[1,-0.5," + i + "]'))");
        }
    }

    @Test
    void columnsThatMysqlFillsInKeepTheSourcesValues() throws Exception {
        fixture.begin(List.of(WHOLE), FILLED_IN);
        insert(0);
        var mover = fixture.splitSlowly();
        insert(100);
        MoveFixture.awaitStage(mover, Stage.Streaming);
        insert(200);
        fixture.run(
                WHOLE,
                "UPDATE numbers SET b = b + 1 WHERE id % 3 = 0",
                "UPDATE numbers SET b = -b, u = u WHERE id % 3 = 1",
                "UPDATE numbers SET u = '2001-01-01', a = NULL, j = NULL, vec = NULL WHERE id % 7 = 1",
                "UPDATE numbers SET i = NULL, t = '1990-12-31 00:00:00' WHERE id % 7 = 2",
                "UPDATE numbers SET x = DEFAULT, d = DEFAULT WHERE id % 7 = 3",
                "UPDATE numbers SET id = id + 1000 WHERE id % 7 = 4",
                "DELETE FROM numbers WHERE id % 11 = 0");
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "numbers");
        fixture.verifyAgain();
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
    }

    @Test
    void aDifferenceInAGeneratedColumnIsFoundByWhatItIsComputedFrom() throws Exception {
        fixture.begin(List.of(WHOLE), FILLED_IN);
        insert(0);
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
        fixture.verifyAgain();
        fixture.run(LOW, "UPDATE numbers SET b = 7777, u = u ORDER BY id LIMIT 1");
        var id = fixture.one(LOW, "SELECT id FROM chat.numbers WHERE b = 7777");

        var progress = MoveFixture.await(fixture.split(), now -> now.stage() == Stage.Mismatched);

        assertThat(progress.mismatches()).containsExactly("different on target -80: numbers (id=" + id + ") in s1, b");
    }

    @Test
    void aKeyThatTwoShardsCouldHoldIsRefusedAndSaysWhatToDo() throws Exception {
        fixture.begin(List.of(WHOLE), "CREATE TABLE kinds (a INT NOT NULL, id BIGINT NOT NULL, UNIQUE (a))");
        fixture.asOperator(
                WHOLE, "SET SESSION sql_generate_invisible_primary_key = ON", "CREATE TABLE chat.numbers (id BIGINT)");

        assertThat(MoveFixture.await(fixture.split(), unused -> false).failure())
                .contains("table kinds: unique key a does not contain the shard key column id")
                .contains("table numbers: its generated primary key my_row_id");
    }

    /** No column of theirs is a key, whatever indexes they have. */
    private static final String[] KEYLESS = {
        "CREATE TABLE bags (id BIGINT, word VARCHAR(30) COLLATE utf8mb4_0900_ai_ci, v INT, KEY (word))",
        "CREATE TABLE keyless (a INT, b INT AS (a + 1) STORED, c INT AS (a + 2) VIRTUAL, UNIQUE (a), KEY (a))",
        "CREATE TABLE beginnings (a VARCHAR(20) NOT NULL, UNIQUE (a(5)), UNIQUE ((LOWER(a))))",
    };

    private static final String[] KEYLESS_NAMES = {"bags", "keyless", "beginnings"};
    private static final int BAG = 3_000;

    private static void fillBags() throws Exception {
        fixture.begin(List.of(WHOLE), KEYLESS);
        fixture.run(
                WHOLE,
                "SET SESSION cte_max_recursion_depth = 100000",
                "INSERT INTO keyless (a) VALUES (NULL), (NULL), (1), (2)",
                "INSERT INTO beginnings VALUES ('abcde'), ('b'), ('c')");
        fixture.run(
                WHOLE,
                "INSERT INTO bags WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
                        + " SELECT i % 100, ELT(1 + i % 4, 'a', 'A', 'a ', NULL), i % 3 FROM n",
                "INSERT INTO bags SELECT * FROM bags",
                "INSERT INTO bags SELECT * FROM bags LIMIT 1000");
    }

    private static String rowsOf(int server) throws Exception {
        return fixture.one(server, "SELECT COUNT(*) FROM chat.bags");
    }

    private static Mover splitAt(long rowsPerSecond) {
        return fixture.start(
                fixture.spec(WHOLE, List.of(LOW, HIGH), 1, null)
                        .with(new ThrottleLimits(rowsPerSecond, 100_000, 100_000, 3_600_000)),
                new MoverTuning(2, 4 << 20, 4 << 20, 64 << 20, 100, 60_000));
    }

    @Test
    void aTableWithoutAKeyIsMovedWholeOrNotAtAllWhileItIsWritten() throws Exception {
        fillBags();
        var mover = splitAt(BAG / 2);
        MoveFixture.await(mover, now -> now.copyCost().bytes() > 10_000);
        fixture.closeMovers();
        assertThat(mover.progress().rowsCopied()).isZero();
        assertThat(rowsOf(LOW) + rowsOf(HIGH))
                .as("of a pass that has not come to its end")
                .isEqualTo("00");

        mover = splitAt(BAG / 2);
        MoveFixture.await(mover, now -> now.copyCost().bytes() > 10_000);
        // Behind the snapshot: each statement below hits rows that are in it.
        fixture.run(
                WHOLE,
                "INSERT INTO bags SELECT * FROM bags LIMIT 500",
                "UPDATE bags SET v = v + 1 WHERE v = 0 LIMIT 200",
                "UPDATE bags SET word = 'A' WHERE word = 'a' LIMIT 100",
                "UPDATE bags SET id = id + 1 LIMIT 300",
                "DELETE FROM bags WHERE word IS NULL LIMIT 300",
                "UPDATE keyless SET a = a + 10",
                "INSERT INTO keyless (a) VALUES (1), (NULL)",
                "UPDATE beginnings SET a = 'xxxxx' WHERE a = 'b'",
                "INSERT INTO beginnings VALUES ('b')");
        MoveFixture.awaitStage(mover, Stage.Streaming);
        assertThat(mover.progress().rowsCopied()).isBetween(BAG + 7L, BAG + 10L);
        assertThat(mover.progress().rowsVerified()).isEqualTo(BAG + 500 - 300 + 6 + 4);
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), KEYLESS_NAMES);
    }

    @Test
    void aComparisonWithoutKeysFindsEachKindOfDifference() throws Exception {
        var plants = List.of(
                "DELETE FROM %s WHERE id = 1 LIMIT 1",
                "INSERT INTO %1$s SELECT * FROM %1$s LIMIT 1",
                "INSERT INTO %s VALUES (9, 'new', 9)",
                "UPDATE %s SET word = 'A' WHERE id = 2 LIMIT 1",
                "UPDATE %s SET word = '' WHERE word IS NULL",
                "UPDATE %s SET id = id + 1 WHERE id IN (1, 2) LIMIT 1",
                "UPDATE %s SET id = id + 0");
        fixture.begin(List.of(WHOLE));
        for (int i = 0; i < plants.size(); i++) {
            fixture.run(
                    WHOLE,
                    "CREATE TABLE bag" + i + " (id INT, word VARCHAR(9) COLLATE utf8mb4_0900_ai_ci, v INT)",
                    "INSERT INTO bag" + i
                            + " VALUES (1, 'a', 1), (1, 'a', 1), (2, 'a', 1), (2, 'a', 1), (3, NULL, NULL)");
        }
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
        fixture.verifyAgain();
        for (int i = 0; i < plants.size(); i++) {
            fixture.run(LOW, plants.get(i).formatted("bag" + i));
        }

        var progress = MoveFixture.await(fixture.split(), now -> now.stage() == Stage.Mismatched);

        var same = "as many rows as it should, 5, but not the same ones";
        assertThat(progress.mismatches())
                .containsExactlyInAnyOrder(
                        "different on target -80: table bag0 has 4 rows instead of 5",
                        "different on target -80: table bag1 has 6 rows instead of 5",
                        "different on target -80: table bag2 has 6 rows instead of 5",
                        "different on target -80: table bag3 has " + same,
                        "different on target -80: table bag4 has " + same,
                        "different on target -80: table bag5 has " + same);
    }

    @Test
    void aTargetThatLacksARowWithoutAKeyStopsTheMove() throws Exception {
        fillBags();
        var mover = fixture.split();
        MoveFixture.awaitStage(mover, Stage.Streaming);
        fixture.run(LOW, "DELETE FROM keyless WHERE a = 2");
        fixture.run(WHOLE, "DELETE FROM keyless WHERE a = 2");
        assertThat(MoveFixture.await(mover, unused -> false).failure())
                .contains("delete of row keyless (a=2, b=3, c=", "hit 0 rows instead of 1");
    }

    @Test
    void theWayBackKeepsRowsWithoutAKeyEqual() throws Exception {
        fillBags();
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), KEYLESS_NAMES);
        fixture.closeMovers();
        for (var source : List.of(LOW, HIGH)) {
            var from = fixture.one(source, "SELECT @@GLOBAL.gtid_executed");
            MoveFixture.awaitStage(fixture.start(fixture.spec(source, List.of(WHOLE), 1, from)), Stage.Streaming);
        }
        for (var source : List.of(LOW, HIGH)) {
            fixture.run(
                    source,
                    "UPDATE bags SET v = v + 1 WHERE v = 0 LIMIT 50",
                    "INSERT INTO bags SELECT * FROM bags LIMIT 100",
                    "DELETE FROM bags WHERE word IS NULL LIMIT 30");
        }
        fixture.assertSame(List.of(LOW, HIGH), List.of(WHOLE), KEYLESS_NAMES);
    }

    @Test
    void aTransactionThatHasWrittenToATableWithoutAKeyIsWaitedFor() throws Exception {
        fillBags();
        try (var open = fixture.app(WHOLE);
                var statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("DELETE FROM bags LIMIT 1");
            var mover = fixture.split();
            var waiting = MoveFixture.await(mover, now -> now.waiting() != null);
            assertThat(waiting.waiting()).contains("table bags has no key", "open");
            statement.execute("DELETE FROM bags LIMIT 1");
            open.commit();
            MoveFixture.awaitStage(mover, Stage.Streaming);
            assertThat(mover.progress().waiting()).isNull();
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), KEYLESS_NAMES);
    }

    @Test
    void aGeneratedShardKeyIsRefused() throws Exception {
        fixture.begin(List.of(WHOLE), "CREATE TABLE numbers (a BIGINT, id BIGINT AS (a + 1) STORED, PRIMARY KEY (id))");
        assertThat(MoveFixture.await(fixture.split(), unused -> false).failure())
                .contains("table numbers: column id is generated, so no INSERT says on which shard its row belongs");
    }

    @Test
    void manyTablesArePlannedInFewStatements() throws Exception {
        fixture.begin(List.of(WHOLE));
        createMany(fixture, TABLES);
        var before = inserts(LOW);
        var watermarks = inserts(WHOLE);

        Mover mover;
        CompletableFuture<Void> slow;
        try (var connection = fixture.app(LOW);
                var statement = connection.createStatement()) {
            statement.execute("DO GET_LOCK('t5', 0)");
            // Nobody sees the table before its rows are there, of which there are none.
            slow = CompletableFuture.runAsync(() -> createSlowly("t5"));
            Awaitility.await()
                    .until(() -> fixture.one(
                                    LOW,
                                    "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE STATE = 'User lock'")
                            .equals("1"));
            mover = fixture.split();
            MoveFixture.await(
                    mover,
                    now -> ("creating tables: " + (2 * TABLES - 1) + " of " + 2 * TABLES).equals(now.preparing()));
        }
        slow.join();
        MoveFixture.awaitStage(mover, Stage.Streaming);

        assertThat(mover.progress().preparing()).isNull();
        assertThat(mover.progress().rowsVerified()).isEqualTo(2L * TABLES);
        assertThat(inserts(LOW) - before).as("statements for the plan").isLessThan(TABLES / 2);
        // The probe's marks are numbered, so what remains is the readers'.
        var probes = Long.parseLong(fixture.one(
                WHOLE,
                "SELECT mark DIV 2 FROM _shardwright.watermark WHERE slot = -1 AND stream = '"
                        + mover.progress().stream() + "'"));
        assertThat(inserts(WHOLE) - watermarks - probes)
                .as("watermarks of copy and comparison")
                .isLessThan(TABLES / 2);
    }

    /** Tables of two rows each, t0 and so on. */
    static void createMany(MoveFixture fixture, int tables) throws SQLException {
        var statements = new ArrayList<String>();
        for (int i = 0; i < tables; i++) {
            statements.add("CREATE TABLE t" + i + " (id INT PRIMARY KEY)");
            statements.add("INSERT INTO t" + i + " VALUES (1), (2)");
        }
        fixture.run(WHOLE, statements.toArray(String[]::new));
    }

    private static void createSlowly(String table) {
        try {
            fixture.run(
                    LOW,
                    "CREATE TABLE " + table + " (id INT PRIMARY KEY) SELECT 1 id WHERE GET_LOCK('" + table
                            + "', 100) = 2");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many INSERTs a server has run. */
    private static long inserts(int server) throws Exception {
        try (var connection = fixture.app(server);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Com_insert'")) {
            rows.next();
            return rows.getLong(2);
        }
    }
}
