package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.ResponseScanner.Kind;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client is told of its session's changes: byte for byte what MySQL tells. */
class SessionTrackIT {
    private static final int TEXT = Capability.SESSION_TRACK | Capability.MULTI_STATEMENTS;

    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of("-");
        keyspace.admin(0, "CREATE TABLE chat.notes (id INT PRIMARY KEY AUTO_INCREMENT, body VARCHAR(200))");
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "USE chat",
                "USE information_schema",
                "USE INFORMATION_SCHEMA",
                "USE nowhere",
                "USE information_schema; USE chat; SELECT 1",
                "SET autocommit = 0",
                "SET autocommit = 0; INSERT INTO notes (id, body) VALUES (77, 'x'); SET autocommit = 1; DELETE FROM notes",
                "SET NAMES latin1",
                "SET CHARACTER SET latin1",
                "SET character_set_results = NULL",
                "SET time_zone = '+01:00', @a = 5",
                "SET time_zone = '+01:00', no_such = 5",
                "SET time_zone = 'nonsense'",
                "SET SESSION TRANSACTION READ ONLY",
                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; BEGIN; SELECT 1; COMMIT",
                "SET sql_mode = ''",
                "SET @a = 1",
                "SELECT 1",
                "BEGIN",
                "COMMIT",
                "COMMIT AND CHAIN",
                "BEGIN; BEGIN; COMMIT AND CHAIN; SELECT 1; ROLLBACK AND CHAIN; COMMIT",
                "BEGIN; USE chat; SET time_zone = '+01:00'; COMMIT",
                "BEGIN; SELECT COUNT(*) FROM notes; SET autocommit = 0; COMMIT; BEGIN; DO 0; SET autocommit = 1; COMMIT",
                "SET autocommit = 0; SELECT COUNT(*) FROM notes; COMMIT; BEGIN; COMMIT",
                "BEGIN; INSERT INTO nowhere VALUES (1)",
                "START TRANSACTION READ ONLY; COMMIT AND CHAIN; SELECT 1; ROLLBACK",
                "START TRANSACTION READ ONLY; COMMIT",
                "SET TRANSACTION READ ONLY; BEGIN; COMMIT AND CHAIN; SELECT 1; ROLLBACK; BEGIN; COMMIT",
                "SET TRANSACTION READ ONLY; DO 0; BEGIN; DO 0; COMMIT AND CHAIN; ROLLBACK; BEGIN; COMMIT",
                "SET autocommit = 0; SET TRANSACTION READ ONLY; DO 0; BEGIN; SELECT COUNT(*) FROM notes; COMMIT; BEGIN; COMMIT",
                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY; SET autocommit = 0; SELECT COUNT(*) FROM notes; COMMIT",
                "SET SESSION TRANSACTION READ ONLY; BEGIN; COMMIT; SET TRANSACTION READ WRITE; BEGIN; COMMIT AND CHAIN; ROLLBACK",
                "SET transaction_read_only = 1; START TRANSACTION READ WRITE; DELETE FROM notes; COMMIT AND CHAIN;"
                        + " DELETE FROM notes; SET SESSION transaction_read_only = OFF; COMMIT AND CHAIN; ROLLBACK; BEGIN; ROLLBACK",
                "BEGIN; SAVEPOINT a; SELECT COUNT(*) FROM notes; RELEASE SAVEPOINT a; COMMIT AND CHAIN",
                "BEGIN; INSERT INTO notes (id, body) VALUES (1, 'x'), (2, 'y'); ROLLBACK",
                "BEGIN; INSERT INTO notes (id, body) VALUES (3, 'x'); DELETE FROM notes; COMMIT",
                "INSERT INTO notes (id, body) VALUES (5, 'x'); DELETE FROM notes",
                "UPDATE notes SET body = 'z'",
                "CREATE TABLE more (id INT); DROP TABLE more"
            })
    void tellsOfChangesAsMysqlDoes(String text) throws Exception {
        for (int more : new int[] {0, Capability.DEPRECATE_EOF}) {
            try (var routed = keyspace.raw(more | TEXT);
                    var direct = RawClient.connect(keyspace.server(0).port(), more | TEXT)) {
                assertThat(answers(routed, text)).isEqualTo(answers(direct, text));
            }
        }
    }

    /** The only connection to the server goes back and forth, and is brought up to date each time. */
    @Test
    void whatTheRouterReplaysIsNotTold() throws Exception {
        try (var narrow = TestKeyspace.of(
                        config -> config.withEventLoops(1)
                                .withBackends(RouterConfig.backends(1, Duration.ofSeconds(2), Duration.ofSeconds(10))),
                        "-");
                var one = RawClient.connect(narrow.router().mysqlAddress().getPort(), TEXT);
                var other = RawClient.connect(narrow.router().mysqlAddress().getPort(), TEXT)) {
            one.query("SET time_zone = '+01:00', NAMES latin1");
            one.query("USE information_schema");
            other.query("SET time_zone = '+02:00', @a = 5");
            var nothing = hex(new byte[] {7, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0});
            for (int i = 0; i < 5; i++) {
                assertThat(hex(one.query("DO 0"))).isEqualTo(nothing);
                assertThat(hex(other.query("DO 0"))).isEqualTo(nothing);
            }
            assertThat(text(one.query("SELECT @@time_zone, DATABASE()"))).contains("+01:00", "information_schema");
            assertThat(text(other.query("SELECT @@time_zone, DATABASE()"))).contains("+02:00", "chat");
            assertThat(hex(other.query("BEGIN"))).contains("T_______");
            assertThat(hex(other.query("DO 0"))).isEqualTo(hex(new byte[] {7, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0}));
        }
    }

    /** The two can't share a connection to the server. */
    @Test
    void whoDoesNotAskIsToldNothing() throws Exception {
        int port = keyspace.port();
        try (var asks = RawClient.connect(port, TEXT);
                var silent = RawClient.connect(port, Capability.MULTI_STATEMENTS)) {
            for (int i = 0; i < 3; i++) {
                assertThat(text(asks.query("SET time_zone = '+01:00'"))).contains("time_zone");
                assertThat(silent.query("SET time_zone = '+01:00'")).hasSize(11);
                assertThat(silent.query("USE chat")).hasSize(11);
                assertThat(silent.query("BEGIN")).hasSize(11);
                assertThat(silent.query("COMMIT")).hasSize(11);
            }
        }
    }

    private static String text(byte[] answer) {
        return new String(answer, StandardCharsets.ISO_8859_1);
    }

    private static String answers(RawClient client, String text) throws Exception {
        return hex(client.welcome())
                + hex(client.query(text))
                + hex(client.query("DO 0"))
                + hex(client.ask(CommandByte.INIT_DB, "chat".getBytes(StandardCharsets.UTF_8), Kind.RESULT))
                + hex(client.ask(
                        CommandByte.INIT_DB, "INFORMATION_SCHEMA".getBytes(StandardCharsets.UTF_8), Kind.RESULT))
                + hex(client.ask(CommandByte.PING, new byte[0], Kind.RESULT))
                + hex(client.query("ROLLBACK"))
                + hex(client.ask(CommandByte.RESET_CONNECTION, new byte[0], Kind.RESULT))
                + hex(client.ask(CommandByte.PING, new byte[0], Kind.RESULT))
                + hex(client.query("DO 0"));
    }

    private static String hex(byte[] bytes) {
        return ByteBufUtil.prettyHexDump(Unpooled.wrappedBuffer(bytes)) + "\n";
    }
}
