package dev.shardwright.router;

import dev.shardwright.api.VSchema;
import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.mysql.server.Trees;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.keyrange.KeyRange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A sharded keyspace behind its router, and one plain MySQL with the same tables and rows. */
final class TwinKeyspace implements AutoCloseable {
    private static final List<String> RANGES = List.of("-40", "40-80", "80-c0", "c0-");

    private final TestKeyspace keyspace;
    private final Path directory;
    private final LocalMysqld plain;
    private final List<Connection> shards = new ArrayList<>();
    private final Connection whole;

    TwinKeyspace() throws Exception {
        var vschema = new VSchema(
                VSchema.UnlistedTables.FirstShard,
                List.of(new VSchema.VindexSpec("by_bytes", "xxhash"), new VSchema.VindexSpec("by_number", "hash")),
                TwinTable.ALL.stream()
                        .filter(TwinTable::sharded)
                        .map(TwinTable::spec)
                        .toList());
        keyspace = TestKeyspace.of(vschema, RANGES.toArray(String[]::new));
        directory = Files.createTempDirectory(Path.of("target", "it"), "plain");
        plain = TestServers.start(directory.resolve("mysql"), "plain", "-");
        for (var i = 0; i < RANGES.size(); i++) {
            shards.add(direct(keyspace.server(i)));
        }
        whole = direct(plain);
        for (var server : shards) {
            hurry(server);
        }
        hurry(whole);
        try (var router = keyspace.connect()) {
            for (var table : TwinTable.ALL) {
                run(router, table.create());
                run(whole, table.create());
            }
        }
    }

    private static Connection direct(LocalMysqld server) throws SQLException {
        var connection = server.connect(TestServers.OPERATOR);
        run(connection, "USE " + TestServers.KEYSPACE);
        return connection;
    }

    /** Nobody needs these servers' data after a crash. */
    private static void hurry(Connection server) throws SQLException {
        run(server, "SET GLOBAL sync_binlog = 0");
        run(server, "SET GLOBAL innodb_flush_log_at_trx_commit = 0");
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }

    TwinSession session(String... properties) throws SQLException {
        var settings = new Properties();
        // Else the driver makes a text of what it can't prepare.
        settings.setProperty("emulateUnsupportedPstmts", "false");
        for (var i = 0; i < properties.length; i += 2) {
            settings.setProperty(properties[i], properties[i + 1]);
        }
        var router = keyspace.connect(settings);
        settings.setProperty("sslMode", "DISABLED");
        settings.setProperty("allowPublicKeyRetrieval", "true");
        var url = "jdbc:mysql://" + plain.host() + ":" + plain.port() + "/" + TestServers.KEYSPACE;
        return new TwinSession(router, DriverManager.getConnection(url, settings));
    }

    /** The same new rows for both sides, each on the shard that owns it. */
    void fill(Random random) throws SQLException {
        for (var table : TwinTable.ALL) {
            for (var server : servers(table)) {
                run(server, "DELETE FROM " + table.name());
            }
            var rows = new HashMap<Connection, List<String>>();
            for (var i = 0; i < 40; i++) {
                var key = table.keys().get(random.nextInt(table.keys().size()));
                var row = "(" + new RandomValues(random, false, "ANSI").literal(key) + ", " + random.nextInt(3) + ", "
                        + TwinRows.values(random) + ")";
                var owner = table.sharded() ? shards.get(owner(table.keyspaceId(key))) : shards.get(0);
                rows.computeIfAbsent(owner, _ -> new ArrayList<>()).add(row);
                rows.computeIfAbsent(whole, _ -> new ArrayList<>()).add(row);
            }
            for (var server : rows.entrySet()) {
                run(
                        server.getKey(),
                        "REPLACE INTO " + table.name() + " VALUES " + String.join(", ", server.getValue()));
            }
        }
    }

    private List<Connection> servers(TwinTable table) {
        var all = new ArrayList<>(table.sharded() ? shards : shards.subList(0, 1));
        all.add(whole);
        return all;
    }

    private static int owner(byte @Nullable [] id) {
        for (var i = 0; i < RANGES.size(); i++) {
            if (id != null && KeyRange.parse(RANGES.get(i)).contains(id)) {
                return i;
            }
        }
        return -1;
    }

    /** What is on the shards' own servers but should not be, and the other way round; empty when all is well. */
    List<String> differences() throws SQLException {
        var found = new ArrayList<String>();
        for (var table : TwinTable.ALL) {
            var sharded = new ArrayList<String>();
            for (var i = 0; i < (table.sharded() ? shards.size() : 1); i++) {
                sharded.addAll(rows(shards.get(i), table, i, found));
            }
            var expected = rows(whole, table, -1, found);
            sharded.sort(Comparator.naturalOrder());
            if (!sharded.equals(expected)) {
                var lost = new ArrayList<>(expected);
                sharded.forEach(lost::remove);
                expected.forEach(sharded::remove);
                found.add(table.name() + ": only MySQL has " + lost + ", only the shards have " + sharded);
            }
        }
        return found;
    }

    private static List<String> rows(Connection server, TwinTable table, int shard, List<String> found)
            throws SQLException {
        try (var statement = server.createStatement()) {
            try (var rows = statement.executeQuery("SELECT * FROM " + table.name())) {
                while (table.sharded() && shard >= 0 && rows.next()) {
                    if (owner(table.keyspaceId(rows)) != shard) {
                        found.add(table.name() + ": a row with key " + rows.getString(1) + " is on shard "
                                + RANGES.get(shard));
                    }
                }
            }
            try (var rows = statement.executeQuery("SELECT * FROM " + table.name())) {
                return new ArrayList<>(TwinAnswer.rows(rows).stream().sorted().toList());
            }
        }
    }

    @Override
    public void close() throws Exception {
        for (var shard : shards) {
            shard.close();
        }
        whole.close();
        keyspace.close();
        plain.close();
        Trees.delete(directory);
    }
}
