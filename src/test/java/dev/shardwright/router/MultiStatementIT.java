package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.ResponseScanner.Kind;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of several statements on a keyspace of one shard: byte for byte what the server itself answers. */
class MultiStatementIT {
    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of("-");
        keyspace.admin(0, "CREATE TABLE chat.notes (id INT PRIMARY KEY AUTO_INCREMENT, body VARCHAR(200))");
        keyspace.admin(0, "INSERT INTO chat.notes (body) VALUES ('one'), ('two'), ('three')");
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1; SELECT 2",
                "SELECT id, body FROM notes; SELECT body FROM notes WHERE id = 2; SELECT 3;",
                "SELECT 1; SELECT nothing FROM notes; SELECT 3",
                "SELECT * FROM nowhere; SELECT 2",
                "SELECT 1;;SELECT 2",
                ";SELECT 1",
                "SELECT 1; ; ",
                ";",
                "SELECT 1; -- the end",
                "SELECT 1; /* the end */",
                "SELECT ';' AS a; SELECT \"b;c\" AS b; SELECT 'it''s;' AS c, 'x\\';y' AS d",
                "SELECT 1 /* a; comment */; SELECT 2 -- another; one\n; SELECT 3 # and; one\n",
                "SELECT `x;y` FROM (SELECT 1 AS `x;y`) t; SELECT 2",
                "/*!40101 SET NAMES utf8mb4 */; SELECT 1 /*!50000 + 1 */; SELECT 2",
                "SET sql_mode = 'ANSI_QUOTES'; SELECT 1 AS \"a;b\"; SET sql_mode = DEFAULT; SELECT \"a;b\" AS c",
                "SET sql_mode = 'NO_BACKSLASH_ESCAPES'; SELECT 'a\\'; SET sql_mode = DEFAULT; SELECT 'a\\';b' AS c",
                "SET @a = 1; SELECT @a; SET @a = 2; SELECT @a",
                "USE information_schema; SELECT DATABASE(); USE chat; SELECT DATABASE()",
                "BEGIN; SELECT COUNT(*) FROM notes; UPDATE notes SET body = 'two' WHERE id = 2; COMMIT; SELECT 1",
                "BEGIN; DELETE FROM notes; SELECT COUNT(*) FROM notes; ROLLBACK; SELECT COUNT(*) FROM notes",
                "BEGIN; UPDATE notes SET body = 'gone' WHERE id = 1; SELECT nothing; COMMIT",
                "ROLLBACK; SELECT body FROM notes WHERE id = 1",
                "UPDATE notes SET body = 'changed' WHERE id = 3; UPDATE notes SET body = 'three' WHERE id = 3; DO 0",
                "CREATE TABLE made (a INT); INSERT INTO made VALUES (1), (2); SELECT * FROM made; DROP TABLE made",
                "SELECT 1; CREATE PROCEDURE both_of() BEGIN SELECT 1; SELECT 2; END; CALL both_of(); SELECT 3;"
                        + " DROP PROCEDURE both_of; SELECT 4",
                "SELECT 5; SELECT 6",
                "CREATE DEFINER = CURRENT_USER PROCEDURE one_of(OUT o INT) SET o = 5; CALL one_of(@o); SELECT @o;"
                        + " DROP PROCEDURE one_of",
                "CREATE TRIGGER noted BEFORE INSERT ON notes FOR EACH ROW BEGIN SET @n = 1; SET @m = 2; END;"
                        + " DROP TRIGGER noted; SELECT 1"
            })
    void answersAsMysqlDoes(String text) throws Exception {
        for (int more : new int[] {0, Capability.DEPRECATE_EOF}) {
            try (var routed = client(more);
                    var direct = RawClient.connect(keyspace.server(0).port(), more | Capability.MULTI_STATEMENTS)) {
                assertThat(answers(routed, text)).isEqualTo(answers(direct, text));
            }
        }
    }

    /** With what the session has become, and without locks for the next client. */
    private static String answers(RawClient client, String text) throws Exception {
        return hex(client.query(text))
                + hex(client.query("SELECT DATABASE(), @@sql_mode"))
                + hex(client.query("ROLLBACK"));
    }

    private static RawClient client(int more) throws Exception {
        return keyspace.raw(more | Capability.MULTI_STATEMENTS);
    }

    private static String hex(byte[] bytes) {
        return ByteBufUtil.prettyHexDump(io.netty.buffer.Unpooled.wrappedBuffer(bytes));
    }

    @Test
    void theOptionTurnsThemOnAndOff() throws Exception {
        try (var routed = keyspace.raw(0);
                var direct = RawClient.connect(keyspace.server(0).port(), 0)) {
            for (int option : new int[] {1, 0, 1, 7}) {
                var body = new byte[] {(byte) option, 0};
                assertThat(hex(routed.query("SELECT 1; SELECT 2"))).isEqualTo(hex(direct.query("SELECT 1; SELECT 2")));
                assertThat(hex(routed.query("DO 0"))).isEqualTo(hex(direct.query("DO 0")));
                assertThat(hex(routed.ask(CommandByte.SET_OPTION, body, Kind.FETCH)))
                        .isEqualTo(hex(direct.ask(CommandByte.SET_OPTION, body, Kind.FETCH)));
            }
        }
    }

    @Test
    void aPreparedTextIsOneStatement() throws Exception {
        try (var routed = client(0)) {
            var text = "SELECT 1; SELECT 2".getBytes(StandardCharsets.UTF_8);
            var answer = routed.ask(CommandByte.STMT_PREPARE, text, Kind.PREPARE);
            assertThat(new String(answer, StandardCharsets.ISO_8859_1)).contains("42000You have an error");
        }
    }

    @Test
    void manyStatementsGrowNoStack() throws Exception {
        int statements = 20_000;
        var text = IntStream.range(0, statements)
                .mapToObj(i -> i % 2 == 0 ? "BEGIN" : "COMMIT")
                .collect(Collectors.joining(";"));
        try (var routed = client(Capability.DEPRECATE_EOF);
                var neighbour = keyspace.connect();
                var statement = neighbour.createStatement()) {
            routed.send(CommandByte.QUERY, text.getBytes(StandardCharsets.UTF_8));
            statement.execute("SELECT 1");
            assertThat(routed.answer(Kind.RESULT)).hasSize(statements * 11);
        }
        assertThat(keyspace.metric("defects_total")).isZero();
    }

    @Test
    void aSlowReaderHoldsTheNextStatementsUp() throws Exception {
        int statements = 400;
        var text = IntStream.range(0, statements)
                .mapToObj(i -> "SELECT REPEAT('x', 100000)")
                .collect(Collectors.joining("; "));
        try (var routed = client(Capability.DEPRECATE_EOF)) {
            routed.send(CommandByte.QUERY, text.getBytes(StandardCharsets.UTF_8));
            assertThat(routed.answer(Kind.RESULT).length).isGreaterThan(statements * 100_000);
        }
    }

    @Test
    void aDriverReadsSeveralResults() throws Exception {
        try (var connection = keyspace.connect("allowMultiQueries", "true");
                var statement = connection.createStatement()) {
            assertThat(statement.execute(
                            "UPDATE notes SET body = 'two' WHERE id = 2; SELECT body FROM notes WHERE id = 2"))
                    .isFalse();
            assertThat(statement.getUpdateCount()).isEqualTo(1);
            assertThat(statement.getMoreResults()).isTrue();
            try (var rows = statement.getResultSet()) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("two");
            }
            assertThatThrownBy(() -> statement.executeUpdate("DO 0; SELECT nothing; DELETE FROM notes"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("nothing");
        }
        assertThat(keyspace.metric("defects_total")).isZero();
    }

    @Test
    void proceduresGiveSeveralResultsAndParameters() throws Exception {
        keyspace.admin(
                0,
                "CREATE PROCEDURE chat.counted(IN least INT, OUT found INT) BEGIN SELECT body FROM notes WHERE id >= least;"
                        + " SELECT COUNT(*) INTO found FROM notes WHERE id >= least; SELECT 'done'; END");
        for (var serverPrepared : new String[] {"false", "true"}) {
            try (var connection = keyspace.connect("useServerPrepStmts", serverPrepared, "allowMultiQueries", "true");
                    var call = connection.prepareCall("{CALL counted(?, ?)}")) {
                call.setInt(1, 2);
                call.registerOutParameter(2, java.sql.Types.INTEGER);
                assertThat(call.execute()).isTrue();
                int results = 1;
                while (call.getMoreResults() || call.getUpdateCount() != -1) {
                    results++;
                }
                assertThat(results).isGreaterThanOrEqualTo(2);
                assertThat(call.getInt(2)).isEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void batchesThatADriverRewrites(String serverPrepared) throws Exception {
        keyspace.admin(0, "CREATE TABLE chat.batched" + serverPrepared + " (id INT PRIMARY KEY, body VARCHAR(20))");
        var table = "batched" + serverPrepared;
        try (var connection =
                        keyspace.connect("rewriteBatchedStatements", "true", "useServerPrepStmts", serverPrepared);
                var insert = connection.prepareStatement("INSERT INTO " + table + " (id, body) VALUES (?, ?)");
                var update = connection.prepareStatement("UPDATE " + table + " SET body = ? WHERE id = ?")) {
            for (int id = 0; id < 50; id++) {
                insert.setInt(1, id);
                insert.setString(2, "it;'s " + id);
                insert.addBatch();
            }
            assertThat(insert.executeBatch()).hasSize(50);
            for (int id = 0; id < 50; id++) {
                update.setString(1, "new; " + id);
                update.setInt(2, id);
                update.addBatch();
            }
            assertThat(update.executeBatch()).hasSize(50).containsOnly(1);
        }
        assertThat(keyspace.number(0, "SELECT SUM(body = CONCAT('new; ', id)) FROM chat." + table))
                .isEqualTo(50);
    }
}
