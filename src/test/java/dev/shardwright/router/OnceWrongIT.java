package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Statements that once had a wrong result, as random statements or a reader found. */
class OnceWrongIT {
    private static TwinKeyspace twins;

    @BeforeAll
    static void start() throws Exception {
        twins = new TwinKeyspace();
    }

    @AfterAll
    static void stop() throws Exception {
        twins.close();
    }

    /** Texts of what once gave a wrong result. */
    static List<List<String>> statements() {
        return List.of(
                // A minus makes a number of the string after it.
                List.of(
                        "INSERT INTO names (name, id) VALUES (-'5', 50)",
                        "SELECT id FROM messages WHERE channel_id = -'5'"),
                List.of(
                        "REPLACE INTO tokens (token, id) VALUES (-0x35, 50)",
                        "SELECT id FROM tokens WHERE token = -'5'"),
                // An introducer says what the hex digits are.
                List.of(
                        "INSERT INTO names (name, id) VALUES (_latin1 0xC3A9, 50)",
                        "SELECT id FROM names WHERE name = _latin1 0xC3A9"),
                List.of(
                        "REPLACE INTO tokens (token, id) VALUES (_utf16'5', 50)",
                        "SELECT id FROM tokens WHERE token = _utf16'5'"),
                // An aggregate over columns of the outer query is the outer query's.
                List.of(
                        "SELECT (SELECT SUM(a.n)) FROM messages a",
                        "SELECT (SELECT MAX(a.n) FROM posts b WHERE b.channel_id = a.channel_id) FROM messages a"),
                // A text's decimals depend on whether the server sorts in a temporary table.
                List.of("SELECT a.id, a.channel_id, b.channel_id, b.body FROM posts a STRAIGHT_JOIN messages b"
                        + " ON a.channel_id = b.channel_id AND a.id = b.id"
                        + " ORDER BY a.channel_id, a.id, b.channel_id, b.id"),
                // ORDER BY can name an expression by its text.
                List.of("SELECT n + 1 FROM names ORDER BY `n + 1`"),
                // What each shard knows of a merged SELECT is not what MySQL knows.
                List.of(
                        "SELECT id FROM messages",
                        "SELECT FOUND_ROWS()",
                        "SELECT id FROM messages WHERE body = 1",
                        "SHOW WARNINGS"),
                List.of(
                        "SELECT id FROM messages WHERE channel_id = 5",
                        "INSERT INTO settings (name) VALUES ('y')",
                        "SELECT FOUND_ROWS()"),
                // Savepoints before a transaction's first row are checked too.
                List.of(
                        "BEGIN",
                        "ROLLBACK TO a",
                        "RELEASE SAVEPOINT a",
                        "SAVEPOINT a",
                        "SAVEPOINT b",
                        "SAVEPOINT A",
                        "ROLLBACK TO b",
                        "ROLLBACK TO a",
                        "RELEASE SAVEPOINT b",
                        "UPDATE messages SET n = n + 1 WHERE channel_id = 5",
                        "ROLLBACK TO b",
                        "COMMIT"),
                List.of(
                        "SET autocommit = 0",
                        "ROLLBACK TO a",
                        "SELECT id FROM settings WHERE id = 9",
                        "COMMIT",
                        "SAVEPOINT a",
                        "UPDATE messages SET n = n + 1 WHERE channel_id = 5",
                        "ROLLBACK TO a",
                        "COMMIT",
                        "SAVEPOINT a",
                        "UPDATE messages SET n = n + 1 WHERE channel_id = 6",
                        "RELEASE SAVEPOINT a",
                        "ROLLBACK",
                        "SAVEPOINT a",
                        "UPDATE messages SET n = n + 1 WHERE channel_id = 7",
                        "SET autocommit = 1",
                        "UPDATE messages SET n = n + 1 WHERE channel_id = 8"),
                // Literals are converted to character_set_connection.
                List.of(
                        "SET character_set_connection = latin1", "REPLACE INTO names (name, id) VALUES ('漢字', 50)",
                        "SELECT id FROM names WHERE name = '漢字'", "REPLACE INTO tokens (token, id) VALUES ('é', 50)"),
                List.of(
                        "SET collation_connection = latin1_swedish_ci",
                        "REPLACE INTO names (name, id) VALUES ('漢字', 50)"));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void areRightOrRefused(List<String> statements) throws Exception {
        twins.fill(new Random(1));
        for (var prepared : List.of("false", "true")) {
            try (var session = twins.session("useServerPrepStmts", prepared)) {
                for (var sql : statements) {
                    var any = new RandomStatement(sql, List.of(), RandomStatement.Order.ANY);
                    assertThat((prepared.equals("true") ? session.prepared() : session).differs(any))
                            .as(sql)
                            .isNull();
                }
            }
            assertThat(twins.differences()).isEmpty();
        }
    }

    @Test
    void aParameterThatIsNullNeedsNoType() throws Exception {
        twins.fill(new Random(1));
        try (var session = twins.session("useServerPrepStmts", "true").prepared()) {
            for (var sql : List.of("SELECT id FROM names WHERE name = ?", "DELETE FROM names WHERE name IN (?)")) {
                var statement = new RandomStatement(sql, Arrays.asList((Object) null), RandomStatement.Order.ANY);
                assertThat(session.differs(statement)).isNull();
                assertThat(session.refused()).isFalse();
            }
        }
    }

    @Test
    void whatWasPreparedInAnotherSqlModeIsPreparedAgain() throws Exception {
        twins.fill(new Random(1));
        try (var session = twins.session("useServerPrepStmts", "true").prepared()) {
            var sql = "REPLACE INTO names (name, id) VALUES ('a\\\\b', 50)";
            assertThat(session.differsAfter(sql, "SET sql_mode = 'NO_BACKSLASH_ESCAPES'"))
                    .isNull();
            assertThat(session.differsAfter(sql, "SET sql_mode = ''")).isNull();
            assertThat(session.differsAfter(sql, "SET @other = 1")).isNull();
            assertThat(session.refused()).isFalse();
            assertThat(twins.differences()).isEmpty();
        }
    }
}
