package dev.shardwright.router;

import static dev.shardwright.router.TestKeyspace.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.PacketBuilder;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users of other sharding proxies have met, on two shards. Each test names where it was told. */
class KnownFaultsIT {
    private static final int NOT_SUPPORTED = 1235;

    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of(TestKeyspace.messagesByChannel(), "-80", "80-");
        try (var connection = keyspace.connect()) {
            run(
                    connection,
                    "CREATE TABLE messages (channel_id BIGINT, id INT, v INT, name VARCHAR(50)"
                            + " COLLATE utf8mb4_unicode_ci, PRIMARY KEY (channel_id, id))");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    /** Channels of each shard, counted from there. */
    private static List<Integer> channels(int first, int server) throws Exception {
        var found = new ArrayList<Integer>();
        try (var connection = keyspace.connect()) {
            for (int channel = first; channel < first + 20; channel++) {
                run(connection, "INSERT INTO messages (channel_id, id) VALUES (" + channel + ", 1)");
                if (keyspace.number(server, "SELECT COUNT(*) FROM chat.messages WHERE channel_id = " + channel) == 1) {
                    found.add(channel);
                }
                run(connection, "DELETE FROM messages WHERE channel_id = " + channel);
            }
        }
        assertThat(found).isNotEmpty();
        return found;
    }

    /** Its only column; null: it was refused as not supported, and the session goes on. */
    private static List<String> answer(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            var all = new ArrayList<String>();
            while (rows.next()) {
                all.add(rows.getString(1));
            }
            return all;
        } catch (SQLException e) {
            assertThat(e.getErrorCode()).isEqualTo(NOT_SUPPORTED);
            assertThat(connection.isValid(5)).isTrue();
            return null;
        }
    }

    /** vitess#15625: an average over shards became a sum; shardingsphere#2687: groups were told apart by bytes. */
    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void groupsOverShardsAreRightOrRefused(String prepared) throws Exception {
        int one = channels(100, 0).getFirst();
        int other = channels(100, 1).getFirst();
        try (var connection = keyspace.connect("useServerPrepStmts", prepared)) {
            run(connection, "INSERT INTO messages (channel_id, id, v, name) VALUES (" + one + ", 1, 2, 'ab')");
            run(connection, "INSERT INTO messages (channel_id, id, v, name) VALUES (" + other + ", 2, 4, 'AB')");
            run(connection, "INSERT INTO messages (channel_id, id, v, name) VALUES (" + other + ", 3, 9, 'ac')");
            var shards = " FROM messages WHERE channel_id IN (" + one + ", " + other + ")";
            assertThat(answer(connection, "SELECT AVG(v)" + shards + " GROUP BY name ORDER BY name"))
                    .isIn(null, List.of("3.0000", "9.0000"));
            assertThat(answer(connection, "SELECT AVG(v)" + shards)).isIn(null, List.of("5.0000"));
            assertThat(answer(connection, "SELECT COUNT(*)" + shards + " GROUP BY name ORDER BY name"))
                    .isIn(null, List.of("2", "1"));
            assertThat(answer(connection, "SELECT COUNT(DISTINCT name)" + shards))
                    .isIn(null, List.of("2"));
            run(connection, "DELETE FROM messages WHERE channel_id = " + one);
            run(connection, "DELETE FROM messages WHERE channel_id = " + other);
        }
    }

    /** mycat#2589: rows of batches were lost when several clients sent them. */
    @Test
    void manyStatementsInOneTextFromManyClients() throws Exception {
        int batches = 17;
        int rows = 1_000;
        try (var clients = Executors.newFixedThreadPool(8)) {
            var tasks = IntStream.range(0, batches)
                    .mapToObj(batch -> (Callable<Void>) () -> {
                        try (var connection = keyspace.connect("allowMultiQueries", "true")) {
                            run(
                                    connection,
                                    IntStream.range(0, rows)
                                            .mapToObj(id -> "INSERT INTO messages (channel_id, id) VALUES ("
                                                    + (1_000 + batch) + ", " + id + ")")
                                            .collect(Collectors.joining("; ", "BEGIN; ", "; COMMIT")));
                            return null;
                        }
                    })
                    .toList();
            for (var done : clients.invokeAll(tasks)) {
                done.get();
            }
        }
        var count = "SELECT COUNT(*) FROM chat.messages WHERE channel_id BETWEEN 1000 AND " + (999 + batches);
        assertThat(keyspace.number(0, count)).isPositive().isLessThan(batches * rows);
        assertThat(keyspace.number(0, count) + keyspace.number(1, count)).isEqualTo(batches * rows);
    }

    /** vitess#17497: a join within one shard went over all of them once it was prepared. */
    @Test
    void aPreparedJoinWithinOneShardStaysThere() throws Exception {
        int channel = channels(200, 1).getFirst();
        try (var connection = keyspace.connect("useServerPrepStmts", "true")) {
            run(
                    connection,
                    "INSERT INTO messages (channel_id, id, v, name) VALUES (" + channel + ", 1, 2, 'a'), (" + channel
                            + ", 2, 4, 'b')");
            var merged = keyspace.metric("statements_total{kind=\"merged\"");
            for (var condition :
                    List.of("a.channel_id = ? AND b.channel_id = ?", "b.channel_id = ? AND a.channel_id = ?")) {
                try (var join = connection.prepareStatement(
                        "SELECT a.v + b.v FROM messages a JOIN messages b ON a.channel_id = b.channel_id AND a.id < b.id"
                                + " WHERE " + condition)) {
                    join.setInt(1, channel);
                    join.setInt(2, channel);
                    try (var found = join.executeQuery()) {
                        assertThat(found.next()).isTrue();
                        assertThat(found.getInt(1)).isEqualTo(6);
                        assertThat(found.next()).isFalse();
                    }
                }
            }
            assertThat(keyspace.metric("statements_total{kind=\"merged\"")).isEqualTo(merged);
        }
    }

    /** A reader that took its time between two fetches waited for ever. */
    @Test
    void aCursorWhoseReaderTakesItsTime() throws Exception {
        int rows = 2_500;
        int channel = channels(300, 0).getFirst();
        try (var connection = keyspace.connect("useCursorFetch", "true")) {
            run(
                    connection,
                    IntStream.range(0, rows)
                            .mapToObj(id -> "(" + channel + ", " + id + ")")
                            .collect(Collectors.joining(", ", "INSERT INTO messages (channel_id, id) VALUES ", "")));
            try (var select = connection.prepareStatement("SELECT id FROM messages WHERE channel_id = ? ORDER BY id")) {
                select.setFetchSize(1_000);
                select.setInt(1, channel);
                try (var found = select.executeQuery()) {
                    for (int id = 0; id < rows; id++) {
                        if (id > 0 && id % 1_000 == 0) {
                            Thread.sleep(1_500);
                        }
                        assertThat(found.next()).isTrue();
                        assertThat(found.getInt(1)).isEqualTo(id);
                    }
                    assertThat(found.next()).isFalse();
                }
            }
        }
    }

    /** proxysql#5985: full authentication without TLS, by the server's key, when nobody has logged in before. */
    @Test
    void aClientThatAsksForTheServersKey() throws Exception {
        for (int server = 0; server < 2; server++) {
            keyspace.admin(server, "FLUSH PRIVILEGES");
        }
        assertThat(keyspace.mysql("--ssl-mode=DISABLED", "--get-server-public-key", "--execute=SELECT 6 * 7"))
                .isEqualTo("42\n");
    }

    /** proxysql#2793: the compression that a login asks for, and another way to prove the password than it began with. */
    @ParameterizedTest
    @EnumSource(names = {"ZLIB", "ZSTD"})
    void compressionAndAnotherPluginInOneLogin(FuzzDialect dialect) throws Exception {
        int port = keyspace.port();
        try (var client = new FuzzClient(port, dialect, "mysql_clear_password")) {
            var out = Unpooled.buffer();
            var attributes = dialect.attributes() ? "\0\1" : "";
            PacketBuilder.begin(out, 0)
                    .int1(CommandByte.QUERY)
                    .text(attributes + "SELECT REPEAT('switched', 1000)")
                    .end();
            client.write(ByteBufUtil.getBytes(out));
            var answer = new StringBuilder();
            while (answer.length() < 8_000) {
                answer.append(new String(client.readSome(), StandardCharsets.ISO_8859_1));
            }
            assertThat(answer).contains("switched".repeat(1_000));
        }
    }
}
