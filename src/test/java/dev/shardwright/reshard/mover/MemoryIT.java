package dev.shardwright.reshard.mover;

import static dev.shardwright.reshard.mover.MoveFixture.HIGH;
import static dev.shardwright.reshard.mover.MoveFixture.LOW;
import static dev.shardwright.reshard.mover.MoveFixture.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.reshard.mover.MoverProgress.Stage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A mover as a process with the options that it has in its pod: how much memory it takes. */
class MemoryIT {
    private static final int MAX_MEBIBYTES = Integer.getInteger("move.mebibytes", 256);

    @RegisterExtension
    static final MoveFixture fixture = new MoveFixture();

    @Test
    void rowsOfManyMebibytesTakeLittleThoughClientsChangeThemMeanwhile() throws Exception {
        fixture.begin(
                List.of(WHOLE),
                "CREATE TABLE numbers (id BIGINT PRIMARY KEY, b LONGBLOB)",
                "CREATE TABLE kinds (id BIGINT PRIMARY KEY, b LONGBLOB)",
                "CREATE TABLE pairs (a INT, b INT, v LONGTEXT CHARACTER SET latin1, PRIMARY KEY (a, b))",
                "CREATE TABLE texts (name VARCHAR(40) COLLATE utf8mb4_0900_bin PRIMARY KEY, v LONGBLOB)",
                "CREATE TABLE names (tenant BIGINT PRIMARY KEY, d JSON)");
        fixture.run(
                WHOLE,
                "INSERT INTO numbers VALUES " + rows(3, 16),
                "INSERT INTO kinds VALUES " + rows(1, 40),
                "INSERT INTO texts VALUES " + rows(4, 5),
                "INSERT INTO names SELECT 1, JSON_OBJECT('a', REPEAT('\\n', 8 << 20), 'b', JSON_ARRAY(1, NULL, 1.5, 'x'), 'c', REPEAT('x', 46 << 20))",
                "INSERT INTO pairs WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
                        + " SELECT i, -i, IF(i % 100 = 50, REPEAT('x', 9 << 20), 'little') FROM n");
        try (var mover = new MoverProcess(fixture, fixture.spec(WHOLE, List.of(LOW, HIGH), 1, null))) {
            mover.await(Stage.Copying);
            // One of 62 MiB; and its update is an event of twice as many.
            fixture.run(
                    WHOLE,
                    "UPDATE kinds SET b = CONCAT(b, 'x') WHERE id = 0",
                    "INSERT INTO numbers SELECT 100, CONCAT(b, b, b, LEFT(b, 14 << 20)) FROM numbers WHERE id = 0",
                    "UPDATE texts SET v = CONCAT(v, 'x')",
                    "UPDATE names SET d = JSON_SET(d, '$.b[3]', 'xy')");
            mover.await(Stage.Streaming);
            fixture.run(
                    WHOLE,
                    "UPDATE numbers SET b = CONCAT(LEFT(b, 100), 'x', b) WHERE id = 100",
                    "UPDATE numbers SET b = CONCAT(b, 'x') WHERE id = 1",
                    "UPDATE names SET d = JSON_SET(d, '$.b[0]', d->'$.c')",
                    "INSERT INTO names SELECT 2, d FROM names",
                    "DELETE FROM names WHERE tenant = 1",
                    "DELETE FROM kinds",
                    "DELETE FROM pairs WHERE a < 100");
            fixture.awaitApplied(List.of(WHOLE), List.of(LOW, HIGH));
            assertThat(mover.peakMebibytes()).as(mover.log()).isLessThanOrEqualTo(MAX_MEBIBYTES);
            mover.await(Stage.Streaming);
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "numbers", "kinds", "pairs", "texts", "names");
    }

    @Test
    void aRowThatDoesNotFitIsNamedAndMovedOnceItDoes() throws Exception {
        fixture.begin(List.of(WHOLE), "CREATE TABLE numbers (n INT, id BIGINT PRIMARY KEY, b LONGBLOB)");
        fixture.run(WHOLE, "INSERT INTO numbers VALUES (1, 1, 'x'), (1, 7, REPEAT('x', 90 << 20)), (1, 8, 'x')");
        var spec = fixture.spec(WHOLE, List.of(LOW, HIGH), 1, null);
        try (var mover = new MoverProcess(fixture, spec, "-XX:MaxRAM=256m")) {
            var waiting = mover.await(now -> now.waiting() != null).waiting();
            assertThat(waiting)
                    .startsWith("numbers (id=7) takes at least 91 MiB of memory, which the heap of ")
                    .endsWith(" MiB has no room for; make the row smaller, or give the mover more memory");
            fixture.run(WHOLE, "UPDATE numbers SET b = LEFT(b, 1000)");
            mover.await(Stage.Streaming);
            // While it runs: what it has committed on the source itself may not have come to the targets yet.
            fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "numbers");
        }
    }

    private static String rows(int count, int mebibytes) {
        var rows = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            rows.add("(" + i + ", REPEAT(X'00FF5C2" + i % 10 + "', " + (mebibytes << 18) + "))");
        }
        return String.join(", ", rows);
    }

    /** {@code -Dmove.tables=10000 -Dmove.patience=1800} tells how it is with many tables. */
    @Test
    @EnabledIfSystemProperty(named = "move.tables", matches = "\\d+")
    void manyTablesTakeLittle() throws Exception {
        var tables = Integer.getInteger("move.tables");
        fixture.begin(List.of(WHOLE));
        ShapesIT.createMany(fixture, tables);
        var begun = System.nanoTime();
        try (var mover = new MoverProcess(fixture, fixture.spec(WHOLE, List.of(LOW, HIGH), 1, null))) {
            mover.await(Stage.Streaming);
            System.out.println(tables + " tables in " + (System.nanoTime() - begun) / 1_000_000_000L + " s, "
                    + mover.peakMebibytes() + " MiB\n" + mover.log());
            assertThat(mover.peakMebibytes()).as(mover.log()).isLessThanOrEqualTo(MAX_MEBIBYTES);
        }
    }
}
