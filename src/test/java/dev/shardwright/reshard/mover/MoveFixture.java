package dev.shardwright.reshard.mover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.api.VSchema;
import dev.shardwright.api.VSchema.ColumnVindex;
import dev.shardwright.api.VSchema.ShardKeyColumn;
import dev.shardwright.api.VSchema.TableSpec;
import dev.shardwright.api.VSchema.UnlistedTables;
import dev.shardwright.api.VSchema.VindexSpec;
import dev.shardwright.mysql.admin.Identity;
import dev.shardwright.mysql.binlog.GtidSet;
import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.mysql.server.MysqlHome;
import dev.shardwright.mysql.server.Setting;
import dev.shardwright.mysql.server.Trees;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Three servers for all tests of a class: one whole shard and its two halves, for splits one way and merges the other. A test's
 * movers end with it.
 */
final class MoveFixture implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    static final int WHOLE = 0;
    static final int LOW = 1;
    static final int HIGH = 2;

    private static final List<String> RANGES = List.of("-", "-80", "80-");
    static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("move.patience", 180));

    final List<LocalMysqld> servers = new ArrayList<>();
    private final List<Setting> settings;
    private final List<Mover> movers = new ArrayList<>();
    private @Nullable Path directory;
    private String workflow = "none";
    private int workflows;

    /** @param settings of all three servers */
    MoveFixture(Setting... settings) {
        this.settings = List.of(settings);
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        var parent = Files.createTempDirectory(Files.createDirectories(Path.of("target", "it")), "move");
        directory = parent;
        for (var range : RANGES) {
            var uid = "uid" + servers.size();
            servers.add(LocalMysqld.start(
                    MysqlHome.find(),
                    parent.resolve(uid),
                    TestServers.bootstrap(false),
                    new Identity(TestServers.KEYSPACE, uid, range),
                    settings));
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        closeMovers();
    }

    /** For files of a test's own; gone after the last test. */
    Path directory() {
        return Objects.requireNonNull(directory);
    }

    /** Empties all servers and makes these tables on one of them. */
    void begin(List<Integer> sources, String... tables) throws SQLException {
        closeMovers();
        workflow = "wf" + ++workflows;
        for (int i = 0; i < servers.size(); i++) {
            empty(i);
            asOperator(i, "INSERT INTO _shardwright.fencing VALUES ('" + workflow + "', 1)");
        }
        for (var source : sources) {
            run(source, tables);
        }
    }

    void empty(int server) throws SQLException {
        asOperator(server, "DROP DATABASE chat", "CREATE DATABASE chat");
    }

    static VSchema vschema() {
        return new VSchema(
                UnlistedTables.FirstShard,
                List.of(new VindexSpec("h", "xxhash")),
                List.of(
                        table("numbers", "id", "bigint", null),
                        table("names", "tenant", "bigint", null),
                        table("texts", "name", "varchar(40)", "utf8mb4_0900_bin"),
                        table("pairs", "a", "int", null),
                        table("bags", "id", "bigint", null),
                        table("kinds", "id", "bigint", null)));
    }

    private static TableSpec table(String name, String column, String type, @Nullable String collation) {
        return new TableSpec(
                name, List.of(new ColumnVindex(List.of(new ShardKeyColumn(column, type, collation)), "h")));
    }

    MoverSpec spec(int source, List<Integer> targets, long token, @Nullable String startFrom) {
        return new MoverSpec(
                workflow,
                "test",
                TestServers.KEYSPACE,
                MoverSpec.streamName(workflow, "uid" + source),
                token,
                peer(source),
                targets.stream().map(this::peer).toList(),
                vschema(),
                startFrom,
                TestServers.UNHINDERED);
    }

    private MoverSpec.Peer peer(int server) {
        return new MoverSpec.Peer(
                "uid" + server,
                KeyRange.parse(RANGES.get(server)),
                new Endpoint(servers.get(server).host(), servers.get(server).port()));
    }

    Mover start(MoverSpec spec) {
        return start(spec, new MoverTuning(2, 4 << 20, 4 << 20, 64 << 20, 20_000, 60_000));
    }

    Mover start(MoverSpec spec, MoverTuning tuning) {
        var mover = new Mover(spec, TestServers.MOVER, tuning);
        movers.add(mover);
        mover.start();
        return mover;
    }

    Mover split() {
        return start(spec(WHOLE, List.of(LOW, HIGH), 1, null));
    }

    /** With chunks of two rows, so that many of them lie between the changes. */
    Mover splitSlowly() {
        return start(
                spec(WHOLE, List.of(LOW, HIGH), 1, null), new MoverTuning(2, 4 << 20, 4 << 20, 64 << 20, 2, 60_000));
    }

    /** Lets the next mover compare all rows once more. */
    void verifyAgain() throws SQLException {
        closeMovers();
        for (var server : List.of(LOW, HIGH)) {
            asOperator(
                    server,
                    "UPDATE _shardwright.chunk_progress SET frontier = NULL, complete = FALSE, rows_done = 0"
                            + " WHERE phase = 'verify'");
        }
    }

    void closeMovers() {
        movers.forEach(Mover::close);
        movers.clear();
    }

    static MoverProgress await(Mover mover, Predicate<MoverProgress> wanted) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(
                        mover::progress,
                        progress -> wanted.test(progress) || progress.stage() == MoverProgress.Stage.Failed);
    }

    static void awaitStage(Mover mover, MoverProgress.Stage stage) {
        assertThat(await(mover, progress -> progress.stage() == stage))
                .as("progress")
                .extracting(MoverProgress::stage, MoverProgress::failure, MoverProgress::mismatches)
                .containsExactly(stage, null, List.of());
    }

    Connection app(int server) throws SQLException {
        var connection = servers.get(server).connect(TestServers.APP);
        connection.setCatalog("chat");
        return connection;
    }

    void run(int server, String... statements) throws SQLException {
        try (var connection = app(server);
                var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        }
    }

    void asOperator(int server, String... statements) throws SQLException {
        try (var connection = servers.get(server).connect(TestServers.OPERATOR);
                var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        }
    }

    String one(int server, String sql) throws SQLException {
        try (var connection = servers.get(server).connect(TestServers.OPERATOR);
                var statement = connection.createStatement()) {
            statement.execute("SET SESSION group_concat_max_len = 100000");
            try (var rows = statement.executeQuery(sql)) {
                rows.next();
                return rows.getString(1);
            }
        }
    }

    /** Waits until the targets' checkpoints hold all that the sources have now. */
    void awaitApplied(List<Integer> sources, List<Integer> targets) throws SQLException {
        for (var source : sources) {
            var executed = GtidSet.parse(one(source, "SELECT @@GLOBAL.gtid_executed"));
            for (var target : targets) {
                Awaitility.await()
                        .atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(50))
                        .until(() -> GtidSet.parse(one(
                                        target,
                                        "SELECT gtid FROM _shardwright.stream WHERE stream = '"
                                                + MoverSpec.streamName(workflow, "uid" + source) + "'"))
                                .containsAll(executed));
            }
        }
    }

    /** Every row of the sources is exactly once on the targets, equal in each column, and nothing else is. */
    void assertSame(List<Integer> sources, List<Integer> targets, String... tables) throws SQLException {
        awaitApplied(sources, targets);
        for (var table : tables) {
            var columns = one(
                    sources.getFirst(),
                    "SELECT GROUP_CONCAT(CONCAT('COALESCE(IF(LENGTH(', value, ') > 60, SHA2(', value, ', 256), HEX(', value, ')), ''NULL'')')"
                            + " ORDER BY ORDINAL_POSITION) FROM (SELECT ORDINAL_POSITION, CASE DATA_TYPE"
                            + " WHEN 'float' THEN CONCAT('CAST(CAST(`', COLUMN_NAME, '` AS DOUBLE) AS CHAR)')"
                            + " WHEN 'double' THEN CONCAT('CAST(`', COLUMN_NAME, '` AS CHAR)')"
                            // Numbers may change their type in a document, but nothing else.
                            + " WHEN 'json' THEN CONCAT('CONCAT(CAST(`', COLUMN_NAME, '` AS CHAR), JSON_TYPE(`', COLUMN_NAME, '`),"
                            + " REGEXP_REPLACE(CONCAT(COALESCE((SELECT GROUP_CONCAT(JSON_TYPE(x)) FROM JSON_TABLE(`', COLUMN_NAME,"
                            + " '`, ''$**.*'' COLUMNS (x JSON PATH ''$'')) t), ''''), '' '', COALESCE((SELECT GROUP_CONCAT(JSON_TYPE(x))"
                            + " FROM JSON_TABLE(`', COLUMN_NAME, '`, ''$**[*]'' COLUMNS (x JSON PATH ''$'')) t), '''')),"
                            + " ''DECIMAL|DOUBLE|(UNSIGNED )?INTEGER'', ''NUMBER''))')"
                            + " WHEN 'enum' THEN CONCAT('CONCAT(`', COLUMN_NAME, '` + 0)')"
                            + " WHEN 'set' THEN CONCAT('CAST(CAST(`', COLUMN_NAME, '` AS UNSIGNED) AS CHAR)')"
                            + " ELSE CONCAT('CAST(`', COLUMN_NAME, '` AS BINARY)') END AS value FROM information_schema.COLUMNS"
                            + " WHERE TABLE_SCHEMA = 'chat' AND TABLE_NAME = '" + table + "') c");
            var wanted = rows(sources, table, columns);
            var found = rows(targets, table, columns);
            assertThat(found.size()).as("rows of " + table).isEqualTo(wanted.size());
            for (int i = 0; i < wanted.size(); i++) {
                assertThat(found.get(i)).as(table).isEqualTo(wanted.get(i));
            }
        }
    }

    private List<String> rows(List<Integer> servers, String table, String columns) throws SQLException {
        var all = new ArrayList<String>();
        for (var server : servers) {
            try (var connection = app(server);
                    var statement = connection.createStatement();
                    var rows = statement.executeQuery("SELECT CONCAT_WS(',', " + columns + ") FROM `" + table + "`")) {
                while (rows.next()) {
                    all.add(rows.getString(1));
                }
            }
        }
        var sorted = all.toArray(String[]::new);
        Arrays.sort(sorted);
        return List.of(sorted);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        servers.forEach(LocalMysqld::close);
        var begun = directory;
        if (begun != null) {
            Trees.delete(begun);
        }
    }
}
