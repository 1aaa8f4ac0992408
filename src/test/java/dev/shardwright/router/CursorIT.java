package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ResponseScanner.Kind;
import dev.shardwright.testing.TestServers;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that a client fetches a few at a time, of one shard and of two. */
class CursorIT {
    private static final int ROWS = 100;
    private static final int ONE_CHANNEL = 1;

    private static TestKeyspace keyspace;
    /** A channel on the other shard. */
    private static int otherChannel;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of(TestKeyspace.messagesByChannel(), "-80", "80-");
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE messages (channel_id BIGINT, id BIGINT, body TEXT,"
                    + " PRIMARY KEY (channel_id, id))");
            int server = insert(statement, ONE_CHANNEL);
            otherChannel = ONE_CHANNEL + 1;
            while (insert(statement, otherChannel) == server) {
                otherChannel++;
            }
        }
    }

    /** Fills a channel; returns the server that has it. */
    private static int insert(java.sql.Statement statement, int channel) throws SQLException {
        for (int id = 0; id < ROWS; id++) {
            statement.executeUpdate("INSERT INTO messages (channel_id, id, body) VALUES (%d, %d, 'text %d')"
                    .formatted(channel, id, id));
        }
        return serverOf(channel);
    }

    private static int serverOf(int channel) throws SQLException {
        return keyspace.number(0, "SELECT COUNT(*) FROM chat.messages WHERE channel_id = " + channel) > 0 ? 0 : 1;
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    private static Connection connect() throws SQLException {
        return keyspace.connect("useCursorFetch", "true", "defaultFetchSize", "7");
    }

    private static PreparedStatement byChannel(Connection connection, int channel) throws SQLException {
        var statement = connection.prepareStatement("SELECT id FROM messages WHERE channel_id = ? ORDER BY id");
        statement.setLong(1, channel);
        return statement;
    }

    private static List<Integer> ids(java.sql.ResultSet rows) throws SQLException {
        try (rows) {
            var ids = new ArrayList<Integer>();
            while (rows.next()) {
                ids.add(rows.getInt(1));
            }
            return ids;
        }
    }

    private static List<Integer> all() {
        return IntStream.range(0, ROWS).boxed().toList();
    }

    @Test
    void rowsOfOneShardAreFetchedFromItsCursor() throws Exception {
        int server = serverOf(ONE_CHANNEL);
        long before = fetches(server);
        try (var connection = connect();
                var statement = byChannel(connection, ONE_CHANNEL)) {
            assertThat(ids(statement.executeQuery())).isEqualTo(all());
            assertThat(ids(statement.executeQuery())).isEqualTo(all());
        }
        assertThat(fetches(server) - before).isGreaterThanOrEqualTo(2 * (ROWS / 7));
    }

    private static long fetches(int server) throws SQLException {
        try (var connection = keyspace.server(server).connect(TestServers.OPERATOR);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Com_stmt_fetch'")) {
            rows.next();
            return rows.getLong(2);
        }
    }

    /** A server may always answer with the rows instead of a cursor, so drivers take them. */
    @Test
    void rowsOfSeveralShardsComeWithoutACursor() throws Exception {
        try (var connection = connect();
                var statement = connection.prepareStatement("SELECT id FROM messages WHERE id >= ?")) {
            statement.setInt(1, 0);
            for (int i = 0; i < 2; i++) {
                assertThat(ids(statement.executeQuery())).containsAll(all());
            }
        }
    }

    @Test
    void otherStatementsRunBetweenTheFetches() throws Exception {
        try (var connection = connect();
                var statement = byChannel(connection, ONE_CHANNEL);
                var other = byChannel(connection, otherChannel);
                var text = connection.createStatement();
                var rows = statement.executeQuery();
                var otherRows = other.executeQuery()) {
            for (int id = 0; id < ROWS; id++) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(id);
                assertThat(otherRows.next()).isTrue();
                assertThat(otherRows.getInt(1)).isEqualTo(id);
                text.executeUpdate(
                        "UPDATE messages SET body = 'changed' WHERE channel_id = " + otherChannel + " AND id = " + id);
                text.executeUpdate(
                        "UPDATE messages SET body = 'changed' WHERE channel_id = " + ONE_CHANNEL + " AND id = " + id);
            }
            assertThat(rows.next()).isFalse();
            assertThat(otherRows.next()).isFalse();
        }
    }

    @Test
    void anExecutionEndsTheCursorBeforeItOnAnotherShard() throws Exception {
        try (var connection = connect();
                var statement = byChannel(connection, ONE_CHANNEL)) {
            for (int i = 0; i < 3; i++) {
                try (var rows = statement.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                }
                statement.setLong(1, i % 2 == 0 ? otherChannel : ONE_CHANNEL);
            }
            assertThat(ids(statement.executeQuery())).isEqualTo(all());
        }
    }

    /** MySQL 9.7 itself answers wrongly when one statement is run in both ways. */
    @Test
    void aStatementRunsWithACursorAndWithout() throws Exception {
        try (var connection = connect();
                var statement = byChannel(connection, ONE_CHANNEL)) {
            for (int i = 0; i < 6; i++) {
                statement.setFetchSize(i % 3 == 1 ? 0 : 10);
                assertThat(ids(statement.executeQuery())).isEqualTo(all());
            }
        }
    }

    @Test
    void aCursorOutlivesItsTransaction() throws Exception {
        try (var connection = connect();
                var statement = byChannel(connection, ONE_CHANNEL)) {
            connection.setAutoCommit(false);
            try (var rows = statement.executeQuery()) {
                assertThat(rows.next()).isTrue();
                connection.commit();
                var rest = ids(rows);
                assertThat(rest).hasSize(ROWS - 1);
            }
        }
    }

    @Test
    void aCursorWhoseServerEndsTheConnectionIsLostWithAnError() throws Exception {
        int server = serverOf(ONE_CHANNEL);
        try (var connection = connect();
                var statement = byChannel(connection, ONE_CHANNEL);
                var rows = statement.executeQuery()) {
            assertThat(rows.next()).isTrue();
            endAppSessions(server);
            await().until(() -> keyspace.number(server, APP_SESSIONS) == 0);
            assertThatThrownBy(() -> ids(rows))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("cursor is gone")
                    .hasMessageContaining("execute the statement again");
            assertThat(ids(statement.executeQuery())).isEqualTo(all());
        }
    }

    private static final String APP_SESSIONS = "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'app'";

    private static void endAppSessions(int server) throws SQLException {
        while (true) {
            long id = keyspace.number(
                    server, "SELECT COALESCE(MAX(id), 0) FROM information_schema.processlist WHERE user = 'app'");
            if (id == 0) {
                return;
            }
            try {
                keyspace.admin(server, "KILL " + id);
            } catch (SQLException gone) {
                assertThat(gone.getErrorCode()).isEqualTo(1094);
            }
        }
    }

    /** Byte for byte what MySQL itself says, without metadata where that can be agreed on. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                Capability.DEPRECATE_EOF,
                Capability.OPTIONAL_RESULTSET_METADATA,
                Capability.OPTIONAL_RESULTSET_METADATA | Capability.DEPRECATE_EOF
            })
    void speaksOfCursorsAsMysqlDoes(int more) throws Exception {
        int server = serverOf(ONE_CHANNEL);
        try (var routed = keyspace.raw(more);
                var direct = RawClient.connect(keyspace.server(server).port(), more)) {
            var expected = conversation(direct);
            assertThat(conversation(routed)).isEqualTo(expected);
        }
    }

    /** The answer to that has no status, from which a session would learn that its statements commit at once. */
    @Test
    void whatIsPreparedFirstOnANewConnectionMayRunOnSeveralShards() throws Exception {
        // Of no other client's capabilities, so its connections to the servers are new ones.
        int capabilities = Capability.DEPRECATE_EOF | Capability.FOUND_ROWS;
        try (var client = keyspace.raw(capabilities)) {
            client.ask(
                    CommandByte.STMT_PREPARE,
                    "SELECT COUNT(*) FROM messages".getBytes(StandardCharsets.UTF_8),
                    Kind.PREPARE);
            assertThat(execute(client, 0)[PacketBuilder.HEADER]).as("columns").isEqualTo((byte) 1);
        }
    }

    private static List<String> conversation(RawClient client) throws Exception {
        var said = new ArrayList<String>();
        said.add(hex(client.query("SET resultset_metadata = NONE")));
        said.add(hex(client.ask(
                CommandByte.STMT_PREPARE,
                "SELECT id, body FROM messages WHERE channel_id = 1 ORDER BY id LIMIT 5"
                        .getBytes(StandardCharsets.UTF_8),
                Kind.PREPARE)));
        for (int fetched = 0; fetched < 2; fetched++) {
            said.add(hex(execute(client, 1)));
            for (int i = 0; i < 4; i++) {
                said.add(hex(client.ask(CommandByte.STMT_FETCH, fetch(1, 2), Kind.FETCH)));
            }
        }
        said.add(hex(execute(client, 1)));
        said.add(hex(client.ask(CommandByte.STMT_RESET, new byte[] {1, 0, 0, 0}, Kind.RESULT)));
        said.add(hex(client.ask(CommandByte.STMT_FETCH, fetch(1, 2), Kind.FETCH)));
        said.add(hex(client.ask(CommandByte.STMT_FETCH, fetch(1, 2), Kind.FETCH)));
        said.add(hex(client.ask(CommandByte.STMT_FETCH, fetch(99, 2), Kind.FETCH)));
        return said;
    }

    private static byte[] execute(RawClient client, int flags) throws Exception {
        var body = Unpooled.buffer().writeIntLE(1).writeByte(flags).writeIntLE(1);
        return client.ask(CommandByte.STMT_EXECUTE, ByteBufUtil.getBytes(body), Kind.RESULT);
    }

    private static byte[] fetch(int statement, int rows) {
        return ByteBufUtil.getBytes(Unpooled.buffer().writeIntLE(statement).writeIntLE(rows));
    }

    private static String hex(byte[] bytes) {
        return ByteBufUtil.hexDump(bytes);
    }
}
