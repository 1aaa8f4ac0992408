package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.ResponseScanner.Kind;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two clients take turns on the router's one connection to the server: each is told, byte for byte, what it would be
 * told on a connection of its own.
 */
class SessionStateIT {
    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of(
                config -> config.withEventLoops(1)
                        .withBackends(RouterConfig.backends(1, Duration.ofSeconds(5), Duration.ofSeconds(60))),
                "-");
        for (var sql : List.of(
                "CREATE TABLE chat.notes (id INT PRIMARY KEY)",
                "CREATE TABLE chat.ids (id INT PRIMARY KEY AUTO_INCREMENT, a VARCHAR(5) CHARSET utf8mb4)",
                "GRANT reader, writer TO app",
                "SET DEFAULT ROLE reader TO app")) {
            keyspace.admin(0, sql);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    /**
     * Steps apart by bars, each begins with who takes it: client 1 or 2, or 0 for somebody who is connected to the server
     * itself in both runs. RESET is COM_RESET_CONNECTION, after which a router gives the character set of the login.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 SET time_zone = '+05:00', sql_mode = 'ANSI_QUOTES' | 2 SELECT @@time_zone, \"a\""
                        + " | 1 SELECT @@time_zone, \"a\" | 2 SELECT \"a\" | 1 SELECT 'a'",
                "1 SET sql_mode = 'NO_BACKSLASH_ESCAPES' | 1 SELECT 'a\\' | 2 SELECT 'a\\'b' | 1 SELECT '\\', '''' | 2 SELECT 'a\\'",
                "1 SET sql_mode = 'PIPES_AS_CONCAT,IGNORE_SPACE' | 2 SELECT 1 || 0 | 1 SELECT 1 || 0 | 2 SELECT 1 || 0"
                        + " | 1 SELECT COUNT (*)",
                "1 SET NAMES latin1 | 2 SELECT HEX('é') | 1 SELECT HEX('é') | 2 SET NAMES ucs2 | 1 SET NAMES utf16"
                        + " | 2 SET character_set_client = utf32 | 1 SELECT @@character_set_client, @@collation_connection"
                        + " | 2 SELECT @@character_set_client, @@collation_connection",
                "1 SET NAMES sjis | 2 SELECT HEX('ア') | 1 SELECT HEX('ア'), 'a' | 1 SET NAMES gbk | 1 SELECT HEX('é'), '5'"
                        + " | 1 SET NAMES utf8mb4 | 1 SELECT 'é'",
                "1 SET character_set_results = NULL | 2 SELECT 'é' | 1 SELECT 'é' | 1 SET CHARACTER SET latin1 | 2 SELECT 'é' | 1 SELECT 'a'",
                "1 SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE | 2 SELECT @@transaction_isolation"
                        + " | 1 SELECT @@transaction_isolation | 1 SET SESSION TRANSACTION READ ONLY"
                        + " | 2 INSERT INTO notes VALUES (1) | 1 INSERT INTO notes VALUES (2) | 2 DELETE FROM notes",
                "0 BEGIN | 0 INSERT INTO notes VALUES (77) | 1 SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED | 2 SELECT 1"
                        + " | 2 SELECT COUNT(*) FROM notes | 1 BEGIN | 1 SELECT COUNT(*) FROM notes | 1 COMMIT | 1 BEGIN"
                        + " | 1 SELECT COUNT(*) FROM notes | 1 COMMIT | 1 SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED"
                        + " | 2 SELECT 1 | 1 SELECT COUNT(*) FROM notes | 1 SELECT COUNT(*) FROM notes | 0 ROLLBACK",
                "1 BEGIN | 1 SELECT COUNT(*) FROM notes | 1 SET TRANSACTION READ ONLY | 1 COMMIT",
                "0 BEGIN | 0 INSERT INTO notes VALUES (78) | 1 SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED | 1 BEGIN"
                        + " | 1 SELECT COUNT(*) FROM notes | 1 COMMIT AND CHAIN | 2 SELECT COUNT(*) FROM notes"
                        + " | 1 SELECT COUNT(*) FROM notes | 1 COMMIT AND CHAIN | 1 SELECT COUNT(*) FROM notes | 1 COMMIT"
                        + " | 1 SELECT COUNT(*) FROM notes | 0 ROLLBACK",
                "1 SET autocommit = 0 | 2 SELECT @@autocommit | 1 SELECT @@autocommit | 1 INSERT INTO notes VALUES (5)"
                        + " | 1 CREATE TABLE made (a INT) | 1 ROLLBACK | 2 SELECT COUNT(*) FROM notes | 1 DROP TABLE made"
                        + " | 1 DELETE FROM notes | 1 ANALYZE TABLE notes | 1 ROLLBACK | 2 SELECT COUNT(*) FROM notes"
                        + " | 1 INSERT INTO notes VALUES (6) | 1 BEGIN | 1 ROLLBACK | 1 DELETE FROM notes"
                        + " | 1 LOCK TABLES notes WRITE | 1 ROLLBACK | 1 UNLOCK TABLES | 1 SELECT COUNT(*) FROM notes | 1 COMMIT"
                        + " | 2 SELECT COUNT(*) FROM notes",
                "1 SET autocommit = 0 | 1 INSERT INTO notes VALUES (5) | 1 SET autocommit = 1 | 1 ROLLBACK"
                        + " | 2 SELECT COUNT(*) FROM notes | 2 DELETE FROM notes",
                "1 INSERT INTO ids (a) VALUES ('x'), ('y') | 1 SELECT ROW_COUNT(), LAST_INSERT_ID() | 2 INSERT INTO ids (a) VALUES ('z')"
                        + " | 1 SELECT LAST_INSERT_ID() | 2 SELECT LAST_INSERT_ID() | 1 SELECT LAST_INSERT_ID(41) | 2 SELECT 1"
                        + " | 1 SELECT LAST_INSERT_ID() + 1 | 2 SELECT LAST_INSERT_ID() | 1 RESET | 1 SET NAMES utf8mb4 | 1 SELECT LAST_INSERT_ID()"
                        + " | 2 SELECT LAST_INSERT_ID() | 0 TRUNCATE TABLE ids",
                "1 INSERT INTO ids (a) VALUES ('x'), ('y'), ('z') | 1 SELECT ROW_COUNT() | 1 SELECT * FROM ids LIMIT 2"
                        + " | 1 SELECT FOUND_ROWS() | 1 SELECT 1 / 0 | 1 SHOW WARNINGS | 1 SELECT nothing | 1 SHOW ERRORS"
                        + " | 1 SHOW COUNT(*) ERRORS | 2 DELETE FROM ids | 2 SELECT ROW_COUNT() | 0 TRUNCATE TABLE ids",
                "1 SET ROLE NONE | 2 SELECT CURRENT_ROLE() | 1 SELECT CURRENT_ROLE() | 1 SET ROLE reader, writer"
                        + " | 2 SET ROLE ALL EXCEPT reader | 1 SELECT CURRENT_ROLE() | 2 SELECT CURRENT_ROLE() | 1 RESET | 1 SET NAMES utf8mb4"
                        + " | 1 SET NAMES utf8mb4 | 1 SELECT CURRENT_ROLE() | 2 SET ROLE DEFAULT | 1 SET ROLE nobody | 2 SELECT CURRENT_ROLE()"
                        + " | 1 SELECT CURRENT_ROLE()",
                "1 SET ROLE NONE | 1 SELECT 1 | 2 SELECT CURRENT_ROLE()",
                "1 USE aside | 2 SELECT DATABASE() | 1 SELECT DATABASE() | 1 RESET | 1 SET NAMES utf8mb4 | 1 SELECT DATABASE() | 2 SELECT DATABASE()",
                "1 SET @a = 5, @b = 'é', time_zone = '+01:00', sort_buffer_size = 40000 | 2 SELECT @@time_zone, @@sort_buffer_size"
                        + " | 1 SELECT @a, @b, @@time_zone, @@sort_buffer_size | 1 RESET | 1 SET NAMES utf8mb4 | 1 SELECT @@time_zone, @@sort_buffer_size"
                        + " | 1 SELECT @a, @b",
                "1 SET wait_timeout = 77 | 2 SELECT @@wait_timeout | 1 SELECT @@wait_timeout",
                "1 SET GLOBAL max_connections = 5 | 1 SET PERSIST max_connections = 5 | 1 SET @@GLOBAL.sort_buffer_size = 40000"
                        + " | 1 RESET PERSIST | 1 SET max_allowed_packet = 4096 | 1 SET DEFAULT ROLE ALL TO other | 1 SELECT 1",
                "1 CREATE TEMPORARY TABLE notes (a INT) | 1 SELECT * FROM notes | 1 DROP TEMPORARY TABLE notes | 2 SELECT * FROM notes"
                        + " | 1 SELECT * FROM notes",
                "1 SELECT GET_LOCK('a', 0) | 1 SELECT RELEASE_LOCK('a') | 2 SELECT GET_LOCK('a', 0) | 2 SELECT RELEASE_ALL_LOCKS()"
                        + " | 1 SELECT RELEASE_LOCK('a'), IS_FREE_LOCK('a')",
            })
    void eachIsToldWhatItWouldBeToldAlone(String script) throws Exception {
        var routed = answers(script, keyspace.port());
        var direct = answers(script, keyspace.server(0).port());
        for (int i = 0; i < direct.size(); i++) {
            assertThat(routed.get(i)).isEqualTo(direct.get(i));
        }
    }

    private static List<String> answers(String script, int port) throws Exception {
        var answers = new ArrayList<String>();
        try (var aside = RawClient.connect(keyspace.server(0).port(), 0);
                var one = RawClient.connect(port, 0);
                var two = RawClient.connect(port, 0)) {
            var clients = List.of(aside, one, two);
            for (var step : script.split(" \\| ")) {
                var client = clients.get(step.charAt(0) - '0');
                var sql = step.substring(2);
                var answer = sql.equals("RESET")
                        ? client.ask(CommandByte.RESET_CONNECTION, new byte[0], Kind.RESULT)
                        : client.query(sql);
                answers.add(step + "\n" + ByteBufUtil.prettyHexDump(Unpooled.wrappedBuffer(answer)));
            }
        }
        return answers;
    }
}
