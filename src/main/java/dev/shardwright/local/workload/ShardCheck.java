package dev.shardwright.local.workload;

import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.vindex.Vindex;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Compares all histories with every row of every serving shard, read from its server, and with what the router shows. */
public final class ShardCheck {
    private final ChatData data;
    private final Topology topology;
    private final Map<ChatTable, Vindex> vindexes;
    private final Address account;

    /**
     * @param account an account that may read the keyspace's database on every shard's server; its host
     *     and port do not matter
     */
    public ShardCheck(ChatData data, Topology topology, Map<ChatTable, Vindex> vindexes, Address account) {
        this.data = data;
        this.topology = topology;
        this.vindexes = vindexes;
        this.account = account;
    }

    /** Checks, and writes {@code check.json}. Call it when no client runs any more. {@code router} null: shards only. */
    public CheckReport check(Path history, @Nullable Address router) throws SQLException {
        var expected = new Expected(data);
        int histories = History.readAll(history, expected);
        var checker = new Checker(expected, vindexes);
        for (var shard : topology.shards()) {
            readShard(shard, checker);
        }
        checker.shardsDone();
        if (router != null) {
            readAll(router, checker::throughRouter);
            checker.routerDone();
        }
        var report = checker.finish(histories);
        Workload.write(history.resolve("check.json"), report);
        return report;
    }

    private void readShard(ShardEntry shard, Checker checker) throws SQLException {
        var primary = shard.primary();
        var place = new Checker.Shard(shard.name(), shard.range());
        readAll(account.at(primary.host(), primary.port()), row -> checker.onShard(place, row));
    }

    private static void readAll(Address address, Consumer<Row> each) throws SQLException {
        try (var connection = address.connect(false)) {
            for (var table : ChatTable.all()) {
                readTable(connection, table, each);
            }
        } catch (SQLException e) {
            throw new SQLException(
                    "reading from " + address + ": " + e.getMessage(), e.getSQLState(), e.getErrorCode(), e);
        }
    }

    private static void readTable(Connection connection, ChatTable table, Consumer<Row> each) throws SQLException {
        try (Statement statement =
                connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
            // The driver's way to say: row by row, not all at once.
            statement.setFetchSize(Integer.MIN_VALUE);
            try (ResultSet rows = statement.executeQuery(Row.selectAll(table))) {
                while (rows.next()) {
                    each.accept(Row.read(table, rows));
                }
            }
        }
    }
}
