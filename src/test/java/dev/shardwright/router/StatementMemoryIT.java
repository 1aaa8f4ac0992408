package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ResponseScanner;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What statements of all clients hold together is bounded, and who finds no room hears so. */
class StatementMemoryIT {
    private static final int BUDGET = 4 << 20;
    private static final int LARGE = 3 << 20;
    private static final int TOO_LARGE = 5 << 20;

    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of(config -> config.withStatementBytes(BUDGET), "-");
        keyspace.admin(0, "CREATE TABLE chat.notes (id INT PRIMARY KEY, note LONGBLOB)");
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @AfterEach
    void allIsGivenBack() {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(keyspace.metric("statement_bytes")).isZero());
    }

    private static String literal(int length) {
        return "'" + "x".repeat(length) + "'";
    }

    @Test
    void aStatementThatIsTooLargeLosesNothingElse() throws Exception {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate("INSERT INTO notes VALUES (1, 'kept')");
            assertThatThrownBy(
                            () -> statement.executeUpdate("INSERT INTO notes VALUES (2, " + literal(TOO_LARGE) + ")"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(1041))
                    .hasMessageContaining("spec.router.statementBytes")
                    .hasMessageContaining(String.valueOf(BUDGET));
            statement.executeUpdate("INSERT INTO notes VALUES (3, " + literal(LARGE) + ")");
            connection.commit();
            try (var rows = statement.executeQuery("SELECT GROUP_CONCAT(id ORDER BY id) FROM notes")) {
                rows.next();
                assertThat(rows.getString(1)).isEqualTo("1,3");
            }
        }
    }

    @Test
    void aLargeStatementWaitsForAnother() throws Exception {
        try (var first = keyspace.connect();
                var second = keyspace.connect();
                var third = keyspace.connect()) {
            var slow = CompletableFuture.supplyAsync(() -> length(first, "SLEEP(1.5) + "));
            await().atMost(Duration.ofSeconds(20)).until(() -> keyspace.metric("statement_bytes") > 0);
            var waiting = CompletableFuture.supplyAsync(() -> length(second, ""));
            assertThat(length(third, 100)).as("a small one need not wait").isEqualTo(100);
            assertThat(slow.isDone()).isFalse();
            assertThat(waiting.isDone()).isFalse();
            assertThat(slow.join()).isEqualTo(LARGE);
            assertThat(waiting.join()).isEqualTo(LARGE);
        }
    }

    private static long length(Connection connection, String before) {
        try {
            return number(connection, "SELECT " + before + "LENGTH(" + literal(LARGE) + ")");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long length(Connection connection, int length) throws SQLException {
        return number(connection, "SELECT LENGTH(" + literal(length) + ")");
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void aClientThatVanishesInTheMiddleOfItsStatementHoldsNothing() throws Exception {
        try (var client = keyspace.raw(0)) {
            client.bytes(new byte[] {0, 0, LARGE >> 16, 0, 3, 's'});
            await().atMost(Duration.ofSeconds(20)).until(() -> keyspace.metric("statement_bytes") > 0);
        }
    }

    @Test
    void valuesThatAreSentAheadCountToo() throws Exception {
        try (var client = keyspace.raw(0)) {
            int id = prepare(client, "SELECT LENGTH(?)");
            sendAhead(client, id, LARGE);
            await().atMost(Duration.ofSeconds(20)).until(() -> keyspace.metric("statement_bytes") > 0);
            assertThat(execute(client, id)).contains(String.valueOf(LARGE));
            assertThat(keyspace.metric("statement_bytes")).isZero();

            sendAhead(client, id, LARGE);
            sendAhead(client, id, LARGE);
            assertThat(execute(client, id)).contains("statementBytes");
            sendAhead(client, id, 1_000);
            assertThat(execute(client, id)).as("the next execution").contains("1000");

            sendAhead(client, id, LARGE);
            var close = Unpooled.buffer().writeIntLE(id);
            client.send(CommandByte.STMT_CLOSE, bytes(close));
            assertThat(client.query("SELECT 1")).isNotEmpty();
            assertThat(keyspace.metric("statement_bytes")).isZero();
            sendAhead(client, prepare(client, "SELECT ?"), LARGE);
        }
    }

    private static int prepare(RawClient client, String sql) throws IOException {
        var answer = Unpooled.wrappedBuffer(client.ask(
                CommandByte.STMT_PREPARE, sql.getBytes(StandardCharsets.UTF_8), ResponseScanner.Kind.PREPARE));
        return answer.getIntLE(PacketBuilder.HEADER + 1);
    }

    private static void sendAhead(RawClient client, int id, int length) throws IOException {
        client.send(
                CommandByte.STMT_SEND_LONG_DATA,
                bytes(Unpooled.buffer().writeIntLE(id).writeShortLE(0).writeBytes(new byte[length])));
    }

    /** The answer, as text. */
    private static String execute(RawClient client, int id) throws IOException {
        int blob = 0xfc;
        var body = Unpooled.buffer()
                .writeIntLE(id)
                .writeByte(0)
                .writeIntLE(1)
                .writeByte(0)
                .writeByte(1)
                .writeByte(blob)
                .writeByte(0);
        var answer = client.ask(CommandByte.STMT_EXECUTE, bytes(body), ResponseScanner.Kind.RESULT);
        var binary = Unpooled.wrappedBuffer(answer);
        var text = new StringBuilder(new String(answer, StandardCharsets.ISO_8859_1));
        // The number, wherever it stands.
        for (int at = 0; at + Long.BYTES <= answer.length; at++) {
            text.append(' ').append(binary.getLongLE(at));
        }
        return text.toString();
    }

    private static byte[] bytes(ByteBuf buffer) {
        return ByteBufUtil.getBytes(buffer);
    }

    private static Connection compressed() throws SQLException {
        return keyspace.connect("useCompression", "true");
    }

    @Test
    void underCompressionTheConnectionEnds() throws Exception {
        try (var connection = compressed()) {
            assertThat(length(connection, LARGE)).isEqualTo(LARGE);
            assertThatThrownBy(() -> length(connection, TOO_LARGE)).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> length(connection, 1)).isInstanceOf(SQLException.class);
        }
    }
}
