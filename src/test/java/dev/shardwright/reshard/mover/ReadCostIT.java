package dev.shardwright.reshard.mover;

import static dev.shardwright.reshard.mover.MoveFixture.HIGH;
import static dev.shardwright.reshard.mover.MoveFixture.LOW;
import static dev.shardwright.reshard.mover.MoveFixture.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.server.Setting;
import dev.shardwright.reshard.copy.PartitionPlanner;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.reshard.table.SchemaReader;
import dev.shardwright.testing.TestServers;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Copy and comparison read each row once, whatever the key, however small the buffer pool and the chunks. */
class ReadCostIT {
    private static final int ROWS = 15_000;
    private static final String NUMBERS =
            "WITH RECURSIVE ns (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM ns WHERE n < " + (ROWS - 1) + ") SELECT ";

    @RegisterExtension
    static final MoveFixture fixture = new MoveFixture(
            new Setting("innodb_buffer_pool_size", "5242880"), new Setting("cte_max_recursion_depth", "100000"));

    @Test
    void eachRowIsReadOnceByTheCopyAndOnceByTheComparison() throws Exception {
        fixture.begin(
                List.of(WHOLE),
                "CREATE TABLE numbers (id BIGINT PRIMARY KEY, body CHAR(250) NOT NULL DEFAULT 'x')",
                "CREATE TABLE words (name VARCHAR(40) COLLATE utf8mb4_0900_ai_ci PRIMARY KEY, body CHAR(250) NOT NULL DEFAULT 'x')",
                "CREATE TABLE triples (a INT, b VARBINARY(20), c DATE, body CHAR(250) NOT NULL DEFAULT 'x', PRIMARY KEY (a, b, c))",
                "INSERT INTO numbers (id) " + NUMBERS + "IF(n % 3 = 0, -n, n * 1000003) FROM ns",
                "INSERT INTO words (name) " + NUMBERS + "CONCAT(REPEAT('é', n % 5), n) FROM ns",
                "INSERT INTO triples (a, b, c) " + NUMBERS
                        + "n % 3, UNHEX(HEX(n % 1000)), DATE_ADD('2000-01-01', INTERVAL n DAY) FROM ns");
        var before = rowsRead(WHOLE);

        MoveFixture.awaitStage(
                fixture.start(
                        fixture.spec(WHOLE, List.of(LOW, HIGH), 1, null),
                        new MoverTuning(2, 4 << 20, 4 << 20, 64 << 20, 200, 60_000)),
                Stage.Streaming);

        // Beside the rows: an index entry or two to begin each chunk, and what MySQL reads to tell about tables.
        assertThat(rowsRead(WHOLE) - before).isBetween(2L * 3 * ROWS, (long) (2.2 * 3 * ROWS) + 5_000);
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "numbers", "words", "triples");
    }

    /** Nearly all rows are in a millionth of a millionth of the range of their keys. */
    @Test
    void skewedKeysAreSplitEvenlyWithoutReadingThem() throws Exception {
        try (var connection = new Sessions(TestServers.KEYSPACE, TestServers.MOVER)
                .open(fixture.spec(WHOLE, List.of(LOW), 1, null).source(), true)) {
            fixture.begin(
                    List.of(WHOLE),
                    "CREATE TABLE numbers (id BIGINT PRIMARY KEY, body CHAR(250) NOT NULL DEFAULT 'x')",
                    "INSERT INTO numbers (id) WITH RECURSIVE ns (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ns"
                            + " WHERE n < 70000) SELECT IF(n < 69000, n, (n - 69500) * 10000000000000000) FROM ns",
                    "ANALYZE TABLE numbers");
            var table =
                    SchemaReader.read(connection, TestServers.KEYSPACE).tables().getFirst();
            var before = rowsRead(WHOLE);

            var partitions = PartitionPlanner.plan(connection, table, 4);

            assertThat(rowsRead(WHOLE) - before).isLessThan(5_000);
            assertThat(partitions).hasSize(4);
            for (var partition : partitions) {
                var rows = fixture.one(
                        WHOLE,
                        "SELECT COUNT(*) FROM chat.numbers WHERE TRUE"
                                + (partition.from() == null ? "" : " AND id >= " + partition.from())
                                + (partition.to() == null ? "" : " AND id < " + partition.to()));
                assertThat(Integer.parseInt(rows)).as("rows of " + partition).isBetween(10_000, 28_000);
            }
        }
    }

    private static long rowsRead(int server) throws SQLException {
        try (var connection = fixture.app(server);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Handler_read%'")) {
            var sum = 0L;
            while (rows.next()) {
                sum += rows.getLong(2);
            }
            return sum;
        }
    }
}
