package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ResponseScanner.Kind;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A keyspace of one shard, seen by Connector/J. */
class RouterIT {
    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of("-");
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE notes (id BIGINT PRIMARY KEY AUTO_INCREMENT, body LONGTEXT)");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @Test
    void runsTextStatements() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            statement.executeUpdate(
                    "INSERT INTO notes (body) VALUES ('one')", java.sql.Statement.RETURN_GENERATED_KEYS);
            try (var keys = statement.getGeneratedKeys()) {
                assertThat(keys.next()).isTrue();
                assertThat(keys.getLong(1)).isPositive();
            }
            try (var rows = statement.executeQuery("SELECT body FROM notes WHERE body = 'one'")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("one");
            }
            assertThatThrownBy(() -> statement.execute("SELECT nothing FROM nowhere"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("nowhere");
        }
    }

    @Test
    void runsServerPreparedStatements() throws SQLException {
        try (var connection = keyspace.connect("useServerPrepStmts", "true");
                var insert = connection.prepareStatement("INSERT INTO notes (body) VALUES (?)");
                var select = connection.prepareStatement("SELECT id, body FROM notes WHERE body = ?")) {
            for (int i = 0; i < 3; i++) {
                insert.setString(1, "prepared " + i);
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
            for (int i = 0; i < 3; i++) {
                select.setString(1, "prepared " + i);
                try (var rows = select.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString("body")).isEqualTo("prepared " + i);
                    assertThat(rows.next()).isFalse();
                }
            }
        }
    }

    @Test
    void commitsAndRollsBack() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate("INSERT INTO notes (body) VALUES ('rolled back')");
            connection.rollback();
            statement.executeUpdate("INSERT INTO notes (body) VALUES ('committed')");
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(count(connection, "rolled back")).isZero();
            assertThat(count(connection, "committed")).isEqualTo(1);
        }
    }

    @Test
    void rollsBackWhatAClientLeavesOpen() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            statement.execute("BEGIN");
            statement.executeUpdate("INSERT INTO notes (body) VALUES ('left open')");
        }
        try (var connection = keyspace.connect()) {
            assertThat(count(connection, "left open")).isZero();
        }
    }

    @Test
    void carriesPacketsOfSixteenMebibytesAndMore() throws SQLException {
        int length = 17 << 20;
        try (var connection = keyspace.connect();
                var insert = connection.prepareStatement("INSERT INTO notes (body) VALUES (?)");
                var statement = connection.createStatement()) {
            insert.setString(1, "x".repeat(length));
            insert.executeUpdate();
            try (var rows = statement.executeQuery("SELECT body FROM notes WHERE LENGTH(body) > 16000000 LIMIT 1")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).hasSize(length);
            }
        }
    }

    /** Lengths at which packets are continued, and the greatest that are taken; headers are counted. */
    @ParameterizedTest
    @ValueSource(ints = {8 << 20, (1 << 24) - 2, (1 << 24) - 1, 1 << 24, (64 << 20) - 5 * PacketBuilder.HEADER})
    void takesStatementsOfAnyLengthByTextAndPrepared(int payload) throws Exception {
        var port = keyspace.port();
        try (var client = RawClient.connect(port, Capability.DEPRECATE_EOF)) {
            var before = "SELECT LENGTH('";
            int length = payload - 1 - before.length() - 2;
            var text = (before + "x".repeat(length) + "')").getBytes(StandardCharsets.US_ASCII);
            assertThat(text).hasSize(payload - 1);
            assertThat(asText(client.ask(CommandByte.QUERY, text, Kind.RESULT))).contains(Integer.toString(length));

            client.ask(
                    CommandByte.STMT_PREPARE,
                    "SELECT ? = REPEAT('y', ?)".getBytes(StandardCharsets.US_ASCII),
                    Kind.PREPARE);
            var body = Unpooled.buffer(payload);
            body.writeIntLE(1)
                    .writeByte(0)
                    .writeIntLE(1)
                    .writeByte(0)
                    .writeByte(1)
                    .writeShortLE(0xfd)
                    .writeShortLE(3);
            length = payload - 1 - body.readableBytes() - 4 - 4;
            body.writeByte(0xfd).writeMediumLE(Math.min(length, 0xffffff));
            if (length > 0xffffff) {
                // A length that needs more bytes.
                body.writerIndex(body.writerIndex() - 4);
                length -= 5;
                body.writeByte(0xfe).writeLongLE(length);
            }
            for (int i = 0; i < length; i++) {
                body.writeByte('y');
            }
            body.writeIntLE(length);
            assertThat(body.readableBytes()).isEqualTo(payload - 1);
            var answer = client.ask(CommandByte.STMT_EXECUTE, ByteBufUtil.getBytes(body), Kind.RESULT);
            // The row: a header, no NULL, and the number 1.
            assertThat(ByteBufUtil.hexDump(answer)).contains("00000100000000000000");
        }
    }

    private static String asText(byte[] answer) {
        return new String(answer, StandardCharsets.ISO_8859_1);
    }

    @Test
    void tellsTheVersionOfItsServersBeforeItHasUsedThem() throws Exception {
        try (var fresh = TestKeyspace.of("-80", "80-");
                var connection = fresh.connect();
                var statement = connection.createStatement()) {
            var told = connection.getMetaData().getDatabaseProductVersion();
            try (var rows = statement.executeQuery("SELECT VERSION()")) {
                rows.next();
                assertThat(told).isEqualTo(rows.getString(1) + "-Shardwright");
            }
        }
    }

    @Test
    void refusesAWrongPasswordAsMysqlDoes() {
        assertThatThrownBy(() -> DriverManager.getConnection(keyspace.url("chat"), "app", "wrong"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("Access denied for user 'app'@'127.0.0.1' (using password: YES)")
                .extracting(failure -> ((SQLException) failure).getErrorCode())
                .isEqualTo(1045);
    }

    @Test
    void refusesAnUnknownDatabase() {
        assertThatThrownBy(() -> DriverManager.getConnection(keyspace.url("nowhere"), "app", "app-secret"))
                .isInstanceOf(SQLException.class)
                .as("what MySQL says to a user who may not see whether there is such a database")
                .hasMessageContaining("to database 'nowhere'");
    }

    private static long count(Connection connection, String body) throws SQLException {
        try (var select = connection.prepareStatement("SELECT COUNT(*) FROM notes WHERE body = ?")) {
            select.setString(1, body);
            try (var rows = select.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }
}
