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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The comparison finds what is wrong and nothing else, with writes going on. */
class VerifyIT {
    /** How often rows that are right are compared; {@code -Dverify.runs=20} for a long look. */
    private static final int RUNS = Integer.getInteger("verify.runs", 2);

    private static final String KINDS =
            "CREATE TABLE kinds (id BIGINT PRIMARY KEY, t TINYINT, bu BIGINT UNSIGNED, f FLOAT,"
                    + " d DOUBLE, de DECIMAL(65,30), y YEAR, da DATE, ti TIME(3), dt DATETIME(6), ts TIMESTAMP(1) NULL, bi BIT(13),"
                    + " e ENUM('1','2','b'), s SET('a','b','c'), c CHAR(10), vc VARCHAR(300), lt VARCHAR(20) CHARACTER SET latin1,"
                    + " u16 VARCHAR(20) CHARACTER SET utf16, bn BINARY(6), vb VARBINARY(300), tx MEDIUMTEXT, bl LONGBLOB, j JSON,"
                    + " g GEOMETRY, inv INT INVISIBLE, st INT AS (t + 1) STORED)";

    /** One small difference: a column's value on the source, and on the target. */
    private record Change(String column, String source, String target) {}

    private static final List<Change> CHANGES = List.of(
            new Change("t", "1", "-1"),
            new Change("bu", "18446744073709551615", "18446744073709551614"),
            new Change("f", "0.1", "0.10000001"),
            new Change("d", "0.1e0", "0.10000000000000002e0"),
            new Change("d", "0e0", "-0e0"),
            new Change("de", "1e-30", "2e-30"),
            new Change("y", "2155", "0"),
            new Change("da", "'2024-02-29'", "'2024-02-28'"),
            new Change("ti", "'-00:00:00.001'", "'00:00:00.001'"),
            new Change("dt", "'9999-12-31 23:59:59.999999'", "'9999-12-31 23:59:59.999998'"),
            new Change("ts", "'2038-01-19 03:14:07.5'", "'2038-01-19 03:14:07.4'"),
            new Change("bi", "b'1010101010101'", "b'1010101010100'"),
            new Change("e", "'1'", "'2'"),
            new Change("s", "'a,c'", "'a'"),
            new Change("c", "'x'", "'X'"),
            new Change("vc", "'a'", "'a '"),
            new Change("vc", "'é'", "'e'"),
            new Change("vc", "''", "NULL"),
            new Change("lt", "'ü'", "'u'"),
            new Change("u16", "'😀'", "'😁'"),
            new Change("bn", "X'61'", "X'6120'"),
            new Change("vb", "X'00'", "X'0000'"),
            new Change("tx", "REPEAT('ä', 70000)", "CONCAT(REPEAT('ä', 69999), 'a')"),
            new Change("bl", "REPEAT(X'00', 100000)", "CONCAT(REPEAT(X'00', 99999), X'01')"),
            new Change("j", "'null'", "NULL"),
            new Change("j", "'{\"a\": 1}'", "'{\"a\": \"1\"}'"),
            new Change("j", "'[1, 2]'", "'[2, 1]'"),
            new Change("j", "JSON_ARRAY(CAST('2024-02-29' AS DATE))", "'[\"2024-02-29\"]'"),
            new Change("j", "JSON_ARRAY(X'00')", "'[\"base64:type15:AA==\"]'"),
            new Change("g", "ST_GeomFromText('POINT(1 1)')", "ST_GeomFromText('POINT(1 1)', 4326)"),
            new Change("inv", "7", "NULL"));

    @RegisterExtension
    static final MoveFixture fixture = new MoveFixture();

    private static void begin(int rows, String... more) throws SQLException {
        fixture.begin(List.of(WHOLE), MoveWriter.TABLES);
        fixture.run(WHOLE, more);
        try (var connection = fixture.app(WHOLE)) {
            MoveWriter.fill(connection, rows);
        }
    }

    private static Mover compare() {
        return fixture.start(
                fixture.spec(WHOLE, List.of(LOW, HIGH), 1, null),
                new MoverTuning(2, 4 << 20, 4 << 20, 64 << 20, 40, 60_000));
    }

    @Test
    void aSmallDifferenceInAnyTypeIsFoundWhileOthersWrite() throws Exception {
        begin(1_000, KINDS);
        for (int i = 0; i < CHANGES.size(); i++) {
            fixture.run(
                    WHOLE,
                    "INSERT INTO kinds (id, " + CHANGES.get(i).column + ") VALUES (" + i + ", " + CHANGES.get(i).source
                            + ")");
        }
        fixture.run(WHOLE, "INSERT INTO kinds (id) VALUES (1000), (1001), (1002), (1003)");
        MoveFixture.awaitStage(compare(), Stage.Streaming);
        fixture.verifyAgain();
        var wanted = new ArrayList<String>();
        for (int i = 0; i < CHANGES.size(); i++) {
            var change = CHANGES.get(i);
            wanted.add("different on target " + plant(i, "UPDATE kinds SET " + change.column + " = " + change.target)
                    + ": kinds (id=" + i + ") in " + (change.column.equals("t") ? "t, st" : change.column));
        }
        wanted.add("missing on target " + plant(1000, "DELETE FROM kinds") + ": kinds (id=1000)");
        fixture.run(LOW, "INSERT INTO kinds (id) VALUES (2000)");
        wanted.add("extra on target -80: kinds (id=2000)");
        try (var writer = new MoveWriter(fixture.app(WHOLE), 5)) {
            var progress = MoveFixture.await(compare(), now -> now.stage() == Stage.Mismatched);
            assertThat(progress.mismatches()).containsExactlyInAnyOrderElementsOf(wanted);
            assertThat(progress.failure()).isNull();
        }
    }

    /** Of two rows that a collation or a type's comparison might take for one, the one that goes is the one that went. */
    @Test
    void ofTwoRowsWithoutAKeyThatDifferALittleTheRightOneGoes() throws Exception {
        begin(0, KINDS.replace("id BIGINT PRIMARY KEY", "id BIGINT"));
        for (int i = 0; i < CHANGES.size(); i++) {
            var into = "INSERT INTO kinds (id, " + CHANGES.get(i).column + ") VALUES ";
            for (var id : List.of(i, 1000 + i)) {
                fixture.run(
                        WHOLE,
                        into + "(" + id + ", " + CHANGES.get(i).source + "), (" + id + ", " + CHANGES.get(i).target
                                + ")");
            }
        }
        var mover = compare();
        MoveFixture.awaitStage(mover, Stage.Streaming);
        for (int i = 0; i < CHANGES.size(); i++) {
            var column = CHANGES.get(i).column;
            var order = " ORDER BY SHA2(CAST("
                    + switch (column) {
                        case "f" -> "CAST(f AS DOUBLE)";
                        case "j" -> "CONCAT(JSON_TYPE(j), COALESCE(JSON_TYPE(j->'$[0]'), JSON_TYPE(j->'$.a'), ''), j)";
                        default -> column;
                    }
                    + " AS BINARY), 256)";
            // One of these is the second that the target comes to.
            fixture.run(
                    WHOLE,
                    "DELETE FROM kinds WHERE id = " + i + order + " LIMIT 1",
                    "DELETE FROM kinds WHERE id = " + (1000 + i) + order + " DESC LIMIT 1");
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "kinds");
        assertThat(fixture.one(WHOLE, "SELECT COUNT(*) FROM chat.kinds")).isEqualTo(2 * CHANGES.size() + "");
        fixture.verifyAgain();
        MoveFixture.awaitStage(compare(), Stage.Streaming);
    }

    /** Changes a row on the target that has it, and names that. */
    private static String plant(int id, String sql) throws SQLException {
        for (var target : List.of(LOW, HIGH)) {
            if (fixture.one(target, "SELECT COUNT(*) FROM chat.kinds WHERE id = " + id)
                    .equals("1")) {
                fixture.run(target, sql + " WHERE id = " + id);
                return target == LOW ? "-80" : "80-";
            }
        }
        throw new AssertionError("row " + id + " is on no target");
    }

    @Test
    void rowsThatAreRightAreNeverCalledWrongHoweverTheyChange() throws Exception {
        begin(4_000);
        try (var one = new MoveWriter(fixture.app(WHOLE), 6);
                var other = new MoveWriter(fixture.app(WHOLE), 7)) {
            for (int i = 0; i < RUNS; i++) {
                var mover = compare();
                MoveFixture.awaitStage(mover, Stage.Streaming);
                assertThat(mover.progress().rowsVerified()).isGreaterThan(1_000);
                fixture.verifyAgain();
            }
        }
    }

    @Test
    void aComparisonGoesOnWhereItsMoverDied() throws Exception {
        begin(4_000);
        MoveFixture.awaitStage(compare(), Stage.Streaming);
        fixture.verifyAgain();
        var rows = Long.parseLong(fixture.one(
                WHOLE,
                "SELECT (SELECT COUNT(*) FROM chat.numbers)"
                        + " + (SELECT COUNT(*) FROM chat.names) + (SELECT COUNT(*) FROM chat.texts)"
                        + " + (SELECT COUNT(*) FROM chat.pairs) + (SELECT COUNT(*) FROM chat.unlisted)"
                        + " + (SELECT COUNT(*) FROM chat.bags)"));
        // So slow that a part of the rows is left when it dies.
        var slow = fixture.start(
                fixture.spec(WHOLE, List.of(LOW, HIGH), 1, null)
                        .with(new ThrottleLimits(rows / 4, 100_000, 100_000, 3_600_000)),
                new MoverTuning(2, 4 << 20, 4 << 20, 64 << 20, 40, 60_000));
        MoveFixture.await(slow, now -> now.stage() == Stage.Verifying && now.rowsVerified() > rows / 3);
        fixture.closeMovers();
        var before = verified();
        assertThat(before).isBetween(rows / 3, rows - 1);

        var next = compare();
        MoveFixture.awaitStage(next, Stage.Streaming);
        assertThat(next.progress().rowsVerified()).as("each row once").isEqualTo(rows);
        assertThat(verified()).isEqualTo(rows);
        var cost = next.progress().verifyCost();
        assertThat(cost.bytes()).as("of the rows that were left").isBetween(rows, 200 * rows);
        assertThat(next.progress().copyCost()).isEqualTo(Cost.NONE);
    }

    private static long verified() throws SQLException {
        var sum = 0L;
        for (var target : List.of(LOW, HIGH)) {
            sum += Long.parseLong(fixture.one(
                    target, "SELECT SUM(rows_done) FROM _shardwright.chunk_progress WHERE phase = 'verify'"));
        }
        return sum;
    }
}
