package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.ResponseScanner.Kind;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same packets to a router and to its server, in many dialects of the protocol: every byte of the answers is the
 * same, metadata, flags, counts of warnings, status and info strings included.
 */
class ByteForByteIT {
    private static final int BASE = RawClient.CAPABILITIES;

    /**
     * What clients agree on with their server, by what is special about it. Not with CLIENT_NO_SCHEMA: MySQL counts a
     * warning with each answer that it is deprecated, and the router's own answers do not.
     */
    static Map<String, Integer> dialects() {
        var dialects = new TreeMap<String, Integer>();
        dialects.put("plain", BASE);
        dialects.put("deprecate EOF", BASE | Capability.DEPRECATE_EOF);
        dialects.put("found rows, ignore space", BASE | Capability.FOUND_ROWS | Capability.IGNORE_SPACE);
        dialects.put(
                "interactive, with attributes",
                BASE | Capability.INTERACTIVE | Capability.CONNECT_ATTRS | Capability.QUERY_ATTRIBUTES);
        dialects.put("multi statements, tracked", BASE | Capability.MULTI_STATEMENTS | Capability.SESSION_TRACK);
        dialects.put("no metadata, tracked", BASE | Capability.OPTIONAL_RESULTSET_METADATA | Capability.SESSION_TRACK);
        dialects.put(
                "no metadata, deprecate EOF",
                BASE | Capability.OPTIONAL_RESULTSET_METADATA | Capability.DEPRECATE_EOF | Capability.MULTI_STATEMENTS);
        dialects.put(
                "old",
                BASE & ~(Capability.MULTI_RESULTS | Capability.PS_MULTI_RESULTS | Capability.TRANSACTIONS)
                        | Capability.LONG_PASSWORD
                        | Capability.LONG_FLAG);
        dialects.put(
                "as drivers do",
                BASE
                        | Capability.LONG_PASSWORD
                        | Capability.LONG_FLAG
                        | Capability.DEPRECATE_EOF
                        | Capability.SESSION_TRACK
                        | Capability.QUERY_ATTRIBUTES
                        | Capability.MULTI_STATEMENTS
                        | Capability.FOUND_ROWS
                        | Capability.LOCAL_FILES
                        | Capability.CONNECT_ATTRS);
        return dialects;
    }

    static List<String> dialectNames() {
        return List.copyOf(dialects().keySet());
    }

    private static final List<String> TEXTS = List.of(
            "SELECT ROW_COUNT()",
            "CREATE TABLE t (id INT UNSIGNED PRIMARY KEY AUTO_INCREMENT, a VARCHAR(20) DEFAULT 'x', b DECIMAL(10,3),"
                    + " c DATETIME(3), d ENUM('p','q'), e JSON, f BIT(9), g BLOB, h DOUBLE, KEY (a))",
            "INSERT INTO t (a, b) VALUES ('one', 1.5)",
            "SELECT LAST_INSERT_ID(), ROW_COUNT()",
            "SELECT ROW_COUNT(), FOUND_ROWS()",
            "INSERT INTO t (a, c, d, e, f, g, h) VALUES ('two', '2020-01-02 03:04:05.678', 'q', '[1, null]', b'101', x'00ff',"
                    + " 1e10), ('drei', NULL, NULL, NULL, NULL, NULL, NULL)",
            "SELECT LAST_INSERT_ID()",
            "SELECT * FROM t",
            "SELECT t.id AS other, chat.t.a, x.b + 1 FROM t JOIN t AS x USING (id) ORDER BY x.id LIMIT 2",
            "SELECT * FROM t WHERE id = 99",
            "SELECT FOUND_ROWS()",
            "SELECT COUNT (*) FROM t",
            // From here on without metadata, where that was agreed.
            "SET resultset_metadata = NONE",
            "SELECT @@resultset_metadata, t.* FROM t",
            "SET resultset_metadata = OFF",
            "SET resultset_metadata = DEFAULT",
            "SELECT id FROM t",
            "SET SESSION sort_buffer_size = 40000, resultset_metadata = 'none'",
            "SELECT COUNT(*), MAX(a), SUM(b), GROUP_CONCAT(a ORDER BY id) FROM t GROUP BY d WITH ROLLUP",
            "SELECT 1, NULL, 'é', 1.5, 2e0, TRUE, x'00', b'1', -5, 18446744073709551615, DATE '2020-01-01', 1 = 2",
            "SELECT CONNECTION_ID() > 0, CONNECTION_ID() AS a FROM t WHERE CONNECTION_ID() IS NULL",
            "UPDATE t SET a = 'one' WHERE id = 1",
            "SELECT ROW_COUNT()",
            "UPDATE t SET a = 'eins' WHERE id < 3",
            "UPDATE t SET a = 'eins' WHERE id < 3",
            "INSERT INTO t (id, a) VALUES (1, 'again') ON DUPLICATE KEY UPDATE a = VALUES(a)",
            "INSERT INTO t (id, a) VALUES (1, 'again') ON DUPLICATE KEY UPDATE a = VALUES(a)",
            "SHOW WARNINGS",
            "INSERT IGNORE INTO t (id, b) VALUES (1, 'x'), (7, 'y')",
            "SHOW COUNT(*) WARNINGS",
            "SHOW WARNINGS LIMIT 1",
            "SELECT @@warning_count, @@error_count",
            "REPLACE INTO t (id, a) VALUES (1, 'anew')",
            "INSERT INTO t (id) VALUES (1)",
            "SHOW ERRORS",
            "SELECT nothing FROM t",
            "SELECT * FROM nowhere",
            "SELECT * FROM",
            "",
            " ",
            ";",
            "SELECT 1 / 0, CAST('5x' AS SIGNED)",
            "SHOW WARNINGS",
            "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'",
            "DELETE FROM t WHERE id = 7",
            "DO 1, 2",
            "SHOW TABLES LIKE 't'",
            "SHOW COLUMNS FROM t",
            "DESCRIBE t a",
            "SHOW CREATE TABLE t",
            "SHOW VARIABLES LIKE 'sql_mode'",
            "EXPLAIN SELECT * FROM t WHERE id = 1",
            "SELECT @@wait_timeout, @@interactive_timeout, @@autocommit, @@character_set_client",
            "ALTER TABLE t ADD COLUMN i INT",
            "ALTER TABLE t ALGORITHM = COPY, ADD COLUMN j INT",
            "CREATE TABLE IF NOT EXISTS t (a INT)",
            "CREATE TABLE made SELECT id, a FROM t",
            "DROP TABLE made",
            "DROP TABLE nowhere",
            "ANALYZE TABLE t",
            "CHECK TABLE t",
            "CHECKSUM TABLE t",
            "BEGIN",
            "SELECT COUNT(*) FROM t",
            "SAVEPOINT s",
            "ROLLBACK TO s",
            "RELEASE SAVEPOINT nothing",
            "COMMIT",
            "START TRANSACTION READ ONLY",
            "INSERT INTO t (id) VALUES (50)",
            "ROLLBACK",
            "SET autocommit = 0",
            "SELECT 1",
            "SELECT id FROM t WHERE id = 1 FOR UPDATE",
            "COMMIT",
            "ROLLBACK TO s",
            "RELEASE SAVEPOINT s",
            "SAVEPOINT s",
            "DO 1",
            "ROLLBACK TO s",
            "SAVEPOINT S",
            "RELEASE SAVEPOINT s",
            "RELEASE SAVEPOINT s",
            "SELECT 1",
            "SELECT COUNT(*) FROM t",
            "SAVEPOINT s",
            "ROLLBACK TO s",
            "ROLLBACK",
            "SAVEPOINT s",
            "SELECT COUNT(*) FROM t",
            "ROLLBACK TO s",
            "RELEASE SAVEPOINT s",
            "COMMIT",
            "SAVEPOINT s",
            "SET TRANSACTION READ ONLY",
            "COMMIT",
            "SAVEPOINT s",
            "SET autocommit = 1",
            "SAVEPOINT s",
            "ROLLBACK TO s",
            "RELEASE SAVEPOINT s",
            "SELECT COUNT(*) FROM t",
            "SAVEPOINT s",
            "SELECT 1",
            "SET @a = 5, @b = 'b'",
            "SELECT @a, @b, @c",
            "SELECT @a := @a + 1",
            "SELECT id INTO @d FROM t WHERE id = 1",
            "SELECT id INTO @d FROM t WHERE id = 99",
            "SET SESSION sort_buffer_size = 40000",
            "SET no_such = 1",
            "SET NAMES latin1",
            "SELECT 'a', a FROM t WHERE id = 1",
            "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
            "BEGIN",
            "INSERT INTO t (id) VALUES (1)",
            "SELECT ROW_COUNT()",
            "INSERT INTO t (id) VALUES (1)",
            "SHOW WARNINGS",
            "COMMIT",
            "SELECT ROW_COUNT()",
            // The access mode that SET TRANSACTION names outlives statements that read no table.
            "SET TRANSACTION READ ONLY",
            "SELECT 1",
            "BEGIN",
            "SELECT 2",
            "INSERT INTO t (id) VALUES (51)",
            "COMMIT",
            "BEGIN",
            "COMMIT",
            "SET TRANSACTION READ ONLY",
            "DO 1",
            "SELECT COUNT(*) FROM t",
            "BEGIN",
            "COMMIT",
            "SET TRANSACTION READ ONLY",
            "DO 1",
            "START TRANSACTION READ WRITE",
            "ROLLBACK AND CHAIN",
            "SELECT COUNT(*) FROM t",
            "ROLLBACK",
            "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
            "DO 1",
            "BEGIN",
            "SELECT COUNT(*) FROM t",
            "COMMIT AND CHAIN",
            "SELECT COUNT(*) FROM t",
            "COMMIT",
            "SET TRANSACTION READ ONLY",
            "DO 1",
            "COMMIT",
            "BEGIN",
            "COMMIT",
            "SET TRANSACTION READ ONLY",
            "DO 1",
            "SET autocommit = 0",
            "DO 1",
            "SAVEPOINT s",
            "SELECT COUNT(*) FROM t",
            "COMMIT",
            "SET TRANSACTION READ ONLY",
            "DO 1",
            "BEGIN",
            "SELECT COUNT(*) FROM t",
            "COMMIT",
            "SET autocommit = 1",
            "SET SESSION TRANSACTION READ ONLY",
            "START TRANSACTION READ WRITE",
            "SELECT 1",
            "DELETE FROM t WHERE id = 51",
            "COMMIT AND CHAIN",
            "SELECT 1",
            "ROLLBACK",
            "BEGIN",
            "SELECT 1",
            "DELETE FROM t WHERE id = 51",
            "ROLLBACK AND CHAIN",
            "DELETE FROM t WHERE id = 51",
            "ROLLBACK",
            "SET TRANSACTION READ WRITE",
            "SELECT 1",
            "BEGIN",
            "DELETE FROM t WHERE id = 51",
            "COMMIT AND CHAIN",
            "COMMIT",
            "BEGIN",
            "COMMIT",
            "SET SESSION TRANSACTION READ WRITE",
            "BEGIN",
            "COMMIT",
            "SET sql_mode = ''",
            "INSERT INTO t (id, a) VALUES (60, 'far longer than this column')",
            "SHOW WARNINGS",
            "SET sql_mode = DEFAULT",
            "USE chat",
            "USE nowhere",
            "CALL results()",
            "CALL results",
            "SELECT 2",
            "CALL nothing()",
            "CREATE TEMPORARY TABLE tmp (a INT)",
            "INSERT INTO tmp VALUES (1), (2)",
            "DROP TEMPORARY TABLE tmp",
            "LOCK TABLES t WRITE",
            "UNLOCK TABLES",
            "SELECT GET_LOCK('byte', 0), RELEASE_LOCK('byte')",
            "SELECT SQL_CALC_FOUND_ROWS id FROM t LIMIT 1",
            "SELECT FOUND_ROWS()",
            "SELECT 1; SELECT 2",
            "INSERT INTO t (id) VALUES (70); UPDATE t SET a = 'x' WHERE id = 70; SELECT * FROM nowhere; SELECT 3",
            "SELECT 1;",
            "KILL 99999999",
            "XA START 'x'",
            "XA ROLLBACK 'x'",
            "BEGIN",
            "COMMIT",
            "COMMIT AND CHAIN",
            "ROLLBACK",
            "SELECT 1",
            "INSERT INTO t (id) VALUES (52)",
            "XA END 'x'",
            "BEGIN",
            "COMMIT",
            "ROLLBACK",
            "XA ROLLBACK 'x'",
            "SELECT COUNT(*) FROM t",
            // Errors that the router makes.
            "BEGIN",
            "ROLLBACK TO s",
            "SHOW WARNINGS",
            "SHOW COUNT(*) ERRORS",
            "SELECT @@warning_count, @@error_count, ROW_COUNT()",
            "SHOW WARNINGS",
            "SET TRANSACTION READ ONLY",
            "SHOW ERRORS LIMIT 1",
            "RELEASE SAVEPOINT `ß'\\\"`",
            "GET DIAGNOSTICS CONDITION 1 @a = MESSAGE_TEXT, @b = RETURNED_SQLSTATE, @c = MYSQL_ERRNO",
            "SELECT @a, @b, @c",
            "ROLLBACK TO s",
            "SELECT ROW_COUNT()",
            "ROLLBACK TO s",
            "ROLLBACK",
            "SHOW WARNINGS",
            "HANDLER t OPEN",
            "HANDLER t READ FIRST",
            "HANDLER t CLOSE",
            "VALUES ROW(1, 2), ROW(3, 4)",
            "TABLE t ORDER BY id LIMIT 1",
            "TRUNCATE TABLE t");

    /** Run as prepared statements, with no parameter or one that is the integer 1. */
    private static final List<String> PREPARED = List.of(
            "SELECT * FROM t WHERE id = ?",
            "SELECT ?, a, b FROM t",
            "SELECT 1, 'x', NULL, 1.5",
            "INSERT INTO t (b) VALUES (?)",
            "UPDATE t SET b = ? WHERE id > 0",
            "INSERT IGNORE INTO t (id, b) VALUES (?, 'x')",
            "SELECT 1 / 0",
            "SHOW WARNINGS",
            "SHOW TABLES LIKE 't'",
            "CALL results()",
            "SET @p = 4",
            "DO 1",
            "SELECT nothing FROM t",
            "SELECT * FROM",
            "SELECT CONNECTION_ID() > 0, CONNECTION_ID() FROM t WHERE id < 0",
            "DELETE FROM t WHERE id = ?",
            "SELECT GET_LOCK('byte', ?)",
            "SELECT RELEASE_LOCK('byte')",
            "BEGIN",
            "COMMIT",
            "CREATE TABLE more (a INT)",
            "DROP TABLE more");

    private static final Set<String> RESET_THEN_ASKED = Set.of("UPDATE t SET b = ? WHERE id > 0", "SELECT 1 / 0");

    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of("-");
        keyspace.admin(
                0,
                "CREATE PROCEDURE chat.results() BEGIN SELECT 1 AS one; SELECT id, a FROM t ORDER BY id LIMIT 1;"
                        + " UPDATE t SET a = 'p' WHERE id = 1; END");
        for (var routine : List.of(
                "PROCEDURE chat.several(k INT) BEGIN DECLARE i INT DEFAULT 0; WHILE i < k DO SELECT i AS i, k;"
                        + " SET i = i + 1; END WHILE; INSERT INTO n (v) VALUES (2000 + k); END",
                "PROCEDURE chat.outs(a INT, OUT o INT, INOUT io VARCHAR(20)) BEGIN SET o = a + 1,"
                        + " io = CONCAT(COALESCE(io, 'was null'), a); SELECT o; END",
                "PROCEDURE chat.fails(k INT) BEGIN SELECT 1; SELECT k; SIGNAL SQLSTATE '45000'"
                        + " SET MESSAGE_TEXT = 'fails', MYSQL_ERRNO = 5555; END",
                "PROCEDURE chat.warns() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SELECT 'handled';"
                        + " SELECT CAST('x' AS SIGNED); INSERT IGNORE INTO n (v) VALUES (2); SELECT * FROM nowhere;"
                        + " INSERT IGNORE INTO n (v) VALUES (2); END",
                "PROCEDURE chat.deep(k INT) BEGIN CALL several(1); CALL outs(k, @d1, @d2); END",
                "FUNCTION chat.twice(k INT) RETURNS INT DETERMINISTIC NO SQL RETURN k * 2")) {
            keyspace.admin(0, "CREATE " + routine);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @ParameterizedTest
    @MethodSource("dialectNames")
    void isAnsweredAsByMysql(String dialect) throws Exception {
        int capabilities = dialects().get(dialect);
        dropAll();
        var routed = answers(keyspace.port(), capabilities);
        dropAll();
        var direct = answers(keyspace.server(0).port(), capabilities);
        var different = new ArrayList<String>();
        direct.forEach((step, answer) -> {
            if (!answer.equals(routed.get(step))) {
                different.add(step + "\nrouter:" + routed.get(step) + "\nMySQL:" + answer);
            }
        });
        assertThat(routed.keySet()).isEqualTo(direct.keySet());
        assertThat(String.join("\n\n", different)).isEmpty();
    }

    private static void dropAll() throws Exception {
        keyspace.admin(0, "DROP TABLE IF EXISTS chat.t, chat.made, chat.more, chat.n, chat.k, chat.kk");
        keyspace.admin(0, "DROP VIEW IF EXISTS chat.vn");
    }

    /** By what was asked. */
    private static Map<String, String> answers(int port, int capabilities) throws Exception {
        var answers = new LinkedHashMap<String, String>();
        try (var client = RawClient.connectWith(port, capabilities)) {
            for (var text : with(TEXTS, "statements.sql")) {
                answers.put(answers.size() + " " + text, hex(query(client, capabilities, text)));
            }
            var prepared = with(PREPARED, "prepared.sql");
            for (int i = 0; i < prepared.size(); i++) {
                prepared(client, capabilities, i + 1, prepared.get(i), answers);
            }
            commands(client, capabilities, answers);
        }
        return answers;
    }

    /** These and the lines of a file, one statement each. */
    private static List<String> with(List<String> texts, String file) throws Exception {
        var all = new ArrayList<>(texts);
        try (var in = ByteForByteIT.class.getResourceAsStream("/router/" + file)) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(all::add);
        }
        return all;
    }

    /** Statements are known by ids that whoever prepares them chooses. */
    private static void prepared(
            RawClient client, int capabilities, int number, String text, Map<String, String> answers) throws Exception {
        var made = client.ask(CommandByte.STMT_PREPARE, text.getBytes(StandardCharsets.UTF_8), Kind.PREPARE);
        int id = 0;
        if (made[4] == 0) {
            id = Unpooled.wrappedBuffer(made).getIntLE(5);
            Unpooled.wrappedBuffer(made).setIntLE(5, 0);
        }
        answers.put(number + " prepare " + text, hex(made));
        if (id == 0) {
            return;
        }
        int parameters = (int) text.chars().filter(c -> c == '?').count();
        for (int flags = 0; flags < 2; flags++) {
            var execute = execute(capabilities, id, parameters, flags);
            var answer = client.ask(CommandByte.STMT_EXECUTE, execute, Kind.RESULT);
            answers.put(number + " execute " + flags + " " + text, hex(answer));
        }
        // MySQL 9.7 dies of a cursor of EXPLAIN.
        boolean fetched = !text.startsWith("EXPLAIN") && !RESET_THEN_ASKED.contains(text);
        for (int rows = 1; rows < 4 && fetched; rows++) {
            var fetch = new byte[] {(byte) id, (byte) (id >> 8), 0, 0, (byte) rows, 0, 0, 0};
            var answer = client.ask(CommandByte.STMT_FETCH, fetch, Kind.FETCH);
            // The error that there is no cursor names the statement by its id.
            answers.put(number + " fetch " + rows, answer[4] == -1 ? "none" : hex(answer));
        }
        answers.put(number + " reset " + text, hex(client.ask(CommandByte.STMT_RESET, number(id), Kind.RESULT)));
        if (RESET_THEN_ASKED.contains(text)) {
            about(client, capabilities, "reset " + text, answers);
        }
    }

    /** All parameters are integers of 4 bytes. */
    private static byte[] execute(int capabilities, int id, int parameters, int flags) {
        boolean attributes = Capability.has(capabilities, Capability.QUERY_ATTRIBUTES);
        var out = new ByteArrayOutputStream();
        out.writeBytes(number(id));
        out.write(flags | (attributes ? 8 : 0));
        out.writeBytes(number(1));
        if (attributes) {
            out.write(parameters);
        }
        if (parameters > 0) {
            out.write(0);
            out.write(1);
            for (int i = 0; i < parameters; i++) {
                out.writeBytes(attributes ? new byte[] {3, 0, 0} : new byte[] {3, 0});
            }
            for (int i = 0; i < parameters; i++) {
                out.writeBytes(number(1));
            }
        }
        return out.toByteArray();
    }

    /** What the server knows of the last statement after this. */
    private static void about(RawClient client, int capabilities, String after, Map<String, String> answers)
            throws Exception {
        answers.put(
                "after " + after,
                hex(query(client, capabilities, "SELECT @@warning_count, @@error_count, ROW_COUNT()")));
    }

    private static byte[] query(RawClient client, int capabilities, String text) throws Exception {
        return client.ask(CommandByte.QUERY, text(capabilities, text), Kind.RESULT);
    }

    private static void commands(RawClient client, int capabilities, Map<String, String> answers) throws Exception {
        query(client, capabilities, "SELECT 1");
        answers.put("ping", hex(client.ask(CommandByte.PING, new byte[0], Kind.RESULT)));
        about(client, capabilities, "ping", answers);
        answers.put("init db", hex(client.ask(CommandByte.INIT_DB, bytes("chat"), Kind.RESULT)));
        for (int option = 0; option < 3; option++) {
            answers.put(
                    "option " + option,
                    hex(client.ask(CommandByte.SET_OPTION, new byte[] {(byte) option, 0}, Kind.FETCH)));
        }
        answers.put("init no db", hex(client.ask(CommandByte.INIT_DB, bytes("nowhere"), Kind.RESULT)));
        answers.put("field list", hex(client.ask(CommandByte.FIELD_LIST, bytes("t\0%"), Kind.FIELD_LIST)));
        answers.put("no field list", hex(client.ask(CommandByte.FIELD_LIST, bytes("nowhere\0"), Kind.FIELD_LIST)));
        // MySQL adds such errors to those of the commands before.
        query(client, capabilities, "SELECT 1");
        answers.put(
                "execute what is not there",
                hex(client.ask(CommandByte.STMT_EXECUTE, execute(0, 999, 0, 0), Kind.RESULT)));
        answers.put("warnings of execute", hex(query(client, capabilities, "SHOW WARNINGS")));
        client.ask(CommandByte.PING, new byte[0], Kind.RESULT);
        about(client, capabilities, "execute and ping", answers);
        query(client, capabilities, "SELECT 1");
        answers.put("reset what is not there", hex(client.ask(CommandByte.STMT_RESET, number(999), Kind.RESULT)));
        query(client, capabilities, "SELECT 1");
        answers.put("fetch what is not there", hex(client.ask(CommandByte.STMT_FETCH, new byte[8], Kind.FETCH)));
        about(client, capabilities, "fetch", answers);
        query(client, capabilities, "SELECT 1");
        answers.put("no command", hex(client.ask(0x50, new byte[0], Kind.RESULT)));
        about(client, capabilities, "no command", answers);
        answers.put("reset connection", hex(client.ask(CommandByte.RESET_CONNECTION, new byte[0], Kind.RESULT)));
        answers.put("rows of reset connection", hex(query(client, capabilities, "SELECT ROW_COUNT()")));
        answers.put("ping again", hex(client.ask(CommandByte.PING, new byte[0], Kind.RESULT)));
    }

    private static byte[] text(int capabilities, String text) {
        var out = new ByteArrayOutputStream();
        if (Capability.has(capabilities, Capability.QUERY_ATTRIBUTES)) {
            out.write(0);
            out.write(1);
        }
        out.writeBytes(bytes(text));
        return out.toByteArray();
    }

    private static byte[] number(int number) {
        return new byte[] {(byte) number, (byte) (number >> 8), (byte) (number >> 16), (byte) (number >> 24)};
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String hex(byte[] answer) {
        return "\n" + ByteBufUtil.prettyHexDump(Unpooled.wrappedBuffer(answer));
    }
}
