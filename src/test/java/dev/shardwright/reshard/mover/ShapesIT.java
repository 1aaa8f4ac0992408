package dev.shardwright.reshard.mover;

import static dev.shardwright.reshard.mover.MoveFixture.HIGH;
import static dev.shardwright.reshard.mover.MoveFixture.LOW;
import static dev.shardwright.reshard.mover.MoveFixture.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.reshard.mover.MoverProgress.Stage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns that MySQL fills in by itself, and tables whose rows have no primary key. */
class ShapesIT {
    private static final String FILLED_IN = "CREATE TABLE numbers (v1 VARCHAR(40) AS (UPPER(a)) VIRTUAL, a VARCHAR(20),"
            + " s1 BIGINT AS (id * 2 + b) STORED, b INT, id BIGINT PRIMARY KEY, v2 INT AS (b DIV 2) VIRTUAL INVISIBLE,"
            + " j JSON, s2 VARCHAR(20) AS (j->>'$.n') STORED, v3 JSON AS (JSON_ARRAY(a, b)) VIRTUAL,"
            + " t TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),"
            + " u DATETIME(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), x VARCHAR(40) DEFAULT (UUID()),"
            + " i INT INVISIBLE DEFAULT (1 + 2), vec VECTOR(3), d INT DEFAULT 7, v4 YEAR AS (YEAR(t)) VIRTUAL,"
            + " INDEX (v1, s1), INDEX ((LOWER(a))), INDEX ((b + 1), a), INDEX ((CAST(j->'$.t' AS UNSIGNED ARRAY))), UNIQUE (id, s1, v2))";

    /** {@code -Dmove.tables=1000} for a long look. */
    private static final int TABLES = Integer.getInteger("move.tables", 60);

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
    void whatHasNoNameForItsRowsIsRefusedAndSaysWhatToDo() throws Exception {
        fixture.begin(
                List.of(WHOLE),
                "CREATE TABLE keyless (a INT, UNIQUE (a), KEY (a))",
                "CREATE TABLE beginnings (a VARCHAR(20) NOT NULL, UNIQUE (a(5)), UNIQUE ((LOWER(a))))",
                "CREATE TABLE floats (a FLOAT PRIMARY KEY)",
                "CREATE TABLE texts (real_name VARCHAR(40), name VARCHAR(40) AS (real_name) STORED, UNIQUE (real_name))",
                "CREATE TABLE kinds (a INT NOT NULL, id BIGINT NOT NULL, UNIQUE (a))");
        fixture.asOperator(
                WHOLE, "SET SESSION sql_generate_invisible_primary_key = ON", "CREATE TABLE chat.numbers (id BIGINT)");

        assertThat(MoveFixture.await(fixture.split(), unused -> false).failure())
                .contains("table keyless: it has neither a primary key nor a unique index", "INVISIBLE")
                .contains("table beginnings: it has neither")
                .contains("table floats: its primary key can't be followed: column a of type float")
                .contains("table texts: it has neither")
                .contains("table kinds: unique key a does not contain the shard key column id")
                .contains("table numbers: its generated primary key my_row_id");
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
        var statements = new ArrayList<String>();
        for (int i = 0; i < TABLES; i++) {
            statements.add("CREATE TABLE t" + i + " (id INT PRIMARY KEY)");
            statements.add("INSERT INTO t" + i + " VALUES (1), (2)");
        }
        fixture.run(WHOLE, statements.toArray(String[]::new));
        var before = inserts();

        var mover = fixture.split();
        MoveFixture.awaitStage(mover, Stage.Streaming);

        assertThat(mover.progress().rowsVerified()).isEqualTo(2L * TABLES);
        assertThat(inserts() - before).isLessThan(TABLES / 2);
    }

    /** How often a target was told to insert, the plan's rows among others, but not those that are loaded. */
    private static long inserts() throws Exception {
        try (var connection = fixture.app(LOW);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Com_insert'")) {
            rows.next();
            return rows.getLong(2);
        }
    }
}
