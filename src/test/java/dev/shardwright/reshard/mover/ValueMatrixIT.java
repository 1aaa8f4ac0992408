package dev.shardwright.reshard.mover;

import static dev.shardwright.reshard.mover.MoveFixture.HIGH;
import static dev.shardwright.reshard.mover.MoveFixture.LOW;
import static dev.shardwright.reshard.mover.MoveFixture.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.binlog.BinlogConnection;
import dev.shardwright.mysql.binlog.BinlogEvent;
import dev.shardwright.mysql.binlog.GtidSet;
import dev.shardwright.mysql.binlog.RowDecoder;
import dev.shardwright.mysql.binlog.RowSpace;
import dev.shardwright.mysql.binlog.TransactionReader;
import dev.shardwright.mysql.server.Setting;
import dev.shardwright.reshard.copy.Chunk;
import dev.shardwright.reshard.copy.Partition;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.reshard.table.Key;
import dev.shardwright.reshard.table.KeyEncoder;
import dev.shardwright.reshard.table.Row;
import dev.shardwright.reshard.table.RowBatch;
import dev.shardwright.reshard.table.SchemaReader;
import dev.shardwright.reshard.table.Table;
import dev.shardwright.reshard.verify.Comparison;
import dev.shardwright.testing.TestServers;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every type at its edges, by the copy, by the stream and in a comparison. */
class ValueMatrixIT {
    @RegisterExtension
    static final MoveFixture fixture = new MoveFixture(new Setting("default_time_zone", "+05:30"));

    private static ValueMatrix begin() throws SQLException {
        return begin("PRIMARY KEY");
    }

    private static ValueMatrix begin(String key) throws SQLException {
        try (var connection = fixture.app(WHOLE)) {
            var matrix = new ValueMatrix(connection);
            fixture.begin(List.of(WHOLE), matrix.creations(key));
            return matrix;
        }
    }

    private static void insert(ValueMatrix matrix, int from) throws SQLException {
        try (var connection = fixture.app(WHOLE)) {
            matrix.insert(connection, from);
        }
    }

    @Test
    void everyValueOfEveryTypeTravelsUnchanged() throws Exception {
        var matrix = begin();
        insert(matrix, 0);
        insert(matrix, ValueMatrix.SET);
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
        change(matrix, 2 * ValueMatrix.SET);
        fixture.asOperator(WHOLE, "SET GLOBAL binlog_transaction_compression = ON");
        try {
            change(matrix, 4 * ValueMatrix.SET);
        } finally {
            fixture.asOperator(WHOLE, "SET GLOBAL binlog_transaction_compression = OFF");
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), matrix.tables());
        fixture.verifyAgain();
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
    }

    /** Each value must match itself, whether it was copied or came by the binary log. */
    @Test
    void rowsWithoutAKeyAreFoundByEachValueOfEveryType() throws Exception {
        var matrix = begin("KEY");
        insert(matrix, 0);
        insert(matrix, ValueMatrix.SET);
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
        change(matrix, 2 * ValueMatrix.SET);
        try (var connection = fixture.app(WHOLE)) {
            matrix.rotate(connection, ValueMatrix.SET);
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), matrix.tables());
        fixture.verifyAgain();
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
    }

    private static void change(ValueMatrix matrix, int from) throws SQLException {
        insert(matrix, from);
        insert(matrix, from + ValueMatrix.SET);
        try (var connection = fixture.app(WHOLE)) {
            matrix.rotate(connection, from);
        }
        for (var table : matrix.tables()) {
            fixture.run(WHOLE, "DELETE FROM " + table + " WHERE id >= " + (from + ValueMatrix.SET));
        }
    }

    /** A comparison takes rows that changed meanwhile from the binary log, so it must not matter where a value comes from. */
    @Test
    void theBinaryLogAndSelectGiveEachValueTheSameForm() throws Exception {
        var matrix = begin();
        var from = GtidSet.parse(fixture.one(WHOLE, "SELECT @@GLOBAL.gtid_executed"));
        insert(matrix, 0);
        var to = GtidSet.parse(fixture.one(WHOLE, "SELECT @@GLOBAL.gtid_executed"));
        var source = fixture.spec(WHOLE, List.of(LOW), 1, null).source();
        var sessions = new Sessions(TestServers.KEYSPACE, TestServers.MOVER);
        try (var connection = sessions.open(source, true);
                var selected = sessions.openRows(source)) {
            var tables = new HashMap<String, Table>();
            SchemaReader.read(connection, TestServers.KEYSPACE)
                    .tables()
                    .forEach(table -> tables.put(table.name(), table));
            var logged = logged(source, tables, from, to);
            assertThat(logged.keySet()).containsExactlyInAnyOrder(matrix.tables());
            for (var rows : logged.entrySet()) {
                var differences = new Comparison("the source", _ -> selected, (table, row) -> true)
                        .compare(
                                tables.get(rows.getKey()),
                                new Partition(0, null, null),
                                new Chunk(null, null, batch(tables.get(rows.getKey()), rows.getValue())));
                assertThat(differences).isEmpty();
            }
        }
    }

    private static RowBatch batch(Table table, TreeMap<Key, Row> rows) {
        var batch = new RowBatch.Builder(table);
        rows.forEach((key, row) -> batch.add(row, key));
        return batch.build();
    }

    /** For each table the last state of each row that was written between two places of the binary log. */
    private static Map<String, TreeMap<Key, Row>> logged(
            MoverSpec.Peer source, Map<String, Table> tables, GtidSet from, GtidSet to) throws IOException {
        var result = new HashMap<String, TreeMap<Key, Row>>();
        var seen = from.copy();
        try (var binlog = BinlogConnection.open(
                source.endpoint().host(),
                source.endpoint().port(),
                TestServers.MOVER.user(),
                TestServers.MOVER.password())) {
            binlog.dump(from);
            var reader = new TransactionReader(binlog, new RowSpace(fixture.directory(), 64 << 20, 0));
            while (!seen.containsAll(to)) {
                if (reader.next() instanceof BinlogEvent.Transaction transaction) {
                    transaction.gtids().forEach(seen::add);
                    var rows = transaction.rows().read();
                    for (var event = rows.next(); event != null; event = rows.next()) {
                        var table = tables.get(event.table().table());
                        for (var change : RowDecoder.decode(event, table.formats())) {
                            var row = new Row(change.after());
                            var key = KeyEncoder.encode(table.keyColumns(), table.keyOf(row), new byte[1][]);
                            result.computeIfAbsent(table.name(), unused -> new TreeMap<>())
                                    .put(key, row);
                        }
                    }
                }
            }
        }
        return result;
    }

    @Test
    void whatTheTextOfADocumentDoesNotTellIsCompared() throws Exception {
        fixture.begin(List.of(WHOLE), "CREATE TABLE documents (id INT PRIMARY KEY, j JSON)");
        fixture.run(
                WHOLE,
                "INSERT INTO documents VALUES (1, JSON_ARRAY(0.5)), (2, JSON_ARRAY(12345678901234567890.123)), (3, '[-0.0, 5]'),"
                        + " (4, JSON_ARRAY(CAST('2024-02-29' AS DATE))), (5, JSON_ARRAY('2024-02-29')), (6, JSON_ARRAY(X'00'))");
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);

        fixture.verifyAgain();
        fixture.run(
                LOW,
                "UPDATE documents SET j = CONCAT(j, '')",
                // Had it not been NULL, MySQL would not have changed it: the numbers are equal.
                "UPDATE documents SET j = NULL WHERE id = 3",
                "UPDATE documents SET j = '[0.0, 5.0]' WHERE id = 3",
                "UPDATE documents SET j = JSON_ARRAY(CAST('2024-02-29' AS DATE)) WHERE id = 5");
        var progress = MoveFixture.await(fixture.split(), now -> now.stage() == Stage.Mismatched);
        assertThat(progress.mismatches())
                .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(2, 6)
                        .mapToObj(id -> "different on target -80: documents (id=" + id + ") in j")
                        .toList());
    }
}
