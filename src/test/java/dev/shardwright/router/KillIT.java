package dev.shardwright.router;

import static dev.shardwright.router.TestKeyspace.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mysql.cj.jdbc.JdbcConnection;
import com.mysql.cj.jdbc.exceptions.MySQLTimeoutException;
import dev.shardwright.testing.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** KILL names a client as its login did; on the way to the server that number used to hit whoever bears it there. */
class KillIT {
    private static final String LONG = "SELECT SLEEP(100)";
    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of("-");
        keyspace.admin(0, "CREATE USER other@'%' IDENTIFIED BY 'other-secret'");
        keyspace.admin(0, "GRANT SELECT ON chat.* TO other@'%'");
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @Test
    void aQueryTimeoutEndsTheQueryThatTookTooLong() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.executeQuery(LONG + " FROM (SELECT 1) AS t"))
                    .isInstanceOf(MySQLTimeoutException.class);
            statement.setQueryTimeout(0);
            statement.execute("SELECT 1");
        }
    }

    @Test
    void killQueryLeavesTheConnection() throws Exception {
        try (var victim = keyspace.connect();
                var killer = keyspace.connect()) {
            var ended = running(victim);
            run(killer, "/* of a tool */ kill query " + id(victim));
            assertThat(ended.get(30, TimeUnit.SECONDS)).isIn(1317, 0);
            assertThat(victim.isValid(5)).isTrue();
        }
    }

    @Test
    void killEndsConnectionAndStatement() throws Exception {
        try (var victim = keyspace.connect();
                var killer = keyspace.connect()) {
            var ended = running(victim);
            run(killer, "KILL " + id(victim));
            ended.get(30, TimeUnit.SECONDS);
            assertThat(victim.isValid(5)).isFalse();
            await().until(() -> keyspace.number(
                            0,
                            "SELECT COUNT(*) FROM information_schema.processlist" + " WHERE info LIKE 'SELECT SLEEP%'")
                    == 0);
            assertErrno(1094, killer, "KILL " + id(victim));
        }
    }

    @Test
    void aClientsIdIsNoServersId() throws SQLException {
        try (var one = keyspace.connect();
                var other = keyspace.connect()) {
            assertThat(id(one)).isGreaterThan(1 << 30).isNotEqualTo(id(other));
            assertErrno(1094, one, "KILL " + (id(one) > (1 << 30) + 1000 ? id(one) - 999 : id(one) + 999));
            assertThatThrownBy(() -> run(one, "KILL " + (1 << 30))).hasMessageContaining("another router");
            assertErrno(1317, one, "KILL QUERY " + id(one));
            assertThat(one.isValid(5)).isTrue();
            assertErrno(1317, one, "KILL " + id(one));
            assertThat(one.isValid(5)).isFalse();
        }
    }

    @Test
    void anotherUsersClientIsNotToBeEnded() throws Exception {
        var properties = new Properties();
        properties.setProperty("user", "other");
        properties.setProperty("password", "other-secret");
        try (var victim = keyspace.connect();
                var other = java.sql.DriverManager.getConnection(keyspace.url(TestServers.KEYSPACE), properties)) {
            assertErrno(1095, other, "KILL " + id(victim));
            assertThat(victim.isValid(5)).isTrue();
        }
    }

    @Test
    void statementsSeeTheIdOfTheLogin() throws Exception {
        keyspace.admin(0, "CREATE TABLE chat.holders (id BIGINT, note VARCHAR(50))");
        try (var one = keyspace.connect("useServerPrepStmts", "true", "allowMultiQueries", "true");
                var other = keyspace.connect()) {
            for (int i = 0; i < 2; i++) {
                for (var client : new Connection[] {one, other}) {
                    long id = id(client);
                    assertThat(number(client, "SELECT connection_id ( ) -- mine"))
                            .isEqualTo(id);
                    assertThat(number(
                                    client,
                                    "SELECT 'CONNECTION_ID()', CONNECTION_ID() AS `CONNECTION_ID()` HAVING 1",
                                    2))
                            .isEqualTo(id);
                    assertThat(number(client, "SELECT * FROM (SELECT CONNECTION_ID() % 1000000007) d"))
                            .isEqualTo(id % 1_000_000_007);
                    run(client, "INSERT INTO holders VALUES (CONNECTION_ID(), ' CONNECTION_ID()')");
                    run(client, "UPDATE holders SET note = CONCAT('of ', CONNECTION_ID()) WHERE id = CONNECTION_ID()");
                    assertThat(number(client, "SELECT COUNT(*) FROM holders WHERE note = 'of " + id + "'"))
                            .isEqualTo(i + 1);
                }
            }
            try (var select = one.prepareStatement("SELECT ?, CONNECTION_ID(), ? + CONNECTION_ID()")) {
                select.setInt(1, 5);
                select.setInt(2, 7);
                for (int i = 0; i < 2; i++) {
                    try (var rows = select.executeQuery()) {
                        rows.next();
                        assertThat(rows.getLong("CONNECTION_ID()")).isEqualTo(id(one));
                        assertThat(rows.getLong("? + CONNECTION_ID()")).isEqualTo(id(one) + 7);
                    }
                }
            }
            try (var several = one.createStatement()) {
                several.execute("SELECT 1; SELECT CONNECTION_ID(); SELECT 3");
                several.getMoreResults();
                try (var rows = several.getResultSet()) {
                    rows.next();
                    assertThat(rows.getLong(1)).isEqualTo(id(one));
                }
            }
        }
    }

    /** There the server's ids are, so a comparison with one's own must be with the server's. */
    @Test
    void theProcessListHasTheServersIds() throws Exception {
        try (var one = keyspace.connect()) {
            assertThat(number(one, "SELECT COUNT(*) FROM information_schema.processlist WHERE id = CONNECTION_ID()"))
                    .isEqualTo(1);
            run(one, "USE information_schema");
            assertThat(number(one, "SELECT COUNT(*) FROM PROCESSLIST WHERE id = CONNECTION_ID()"))
                    .isEqualTo(1);
            run(one, "USE chat");
            run(one, "DO GET_LOCK('mine', 0)");
            assertThat(number(one, "SELECT IS_USED_LOCK('mine') = CONNECTION_ID()"))
                    .isEqualTo(1);
        }
    }

    /** A SELECT whose connection has gone is tried again on another one, so it must be the client that is ended. */
    @Test
    void killByTheProcessListEndsTheClient() throws Exception {
        for (var kill : new String[] {"KILL ", "KILL QUERY "}) {
            try (var victim = keyspace.connect();
                    var killer = keyspace.connect()) {
                var ended = running(victim);
                run(
                        killer,
                        kill
                                + number(
                                        killer,
                                        "SELECT id FROM information_schema.processlist WHERE info = '" + LONG + "'"));
                ended.get(30, TimeUnit.SECONDS);
                assertThat(victim.isValid(5)).isEqualTo(kill.equals("KILL QUERY "));
            }
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        return number(connection, sql, 1);
    }

    private static long number(Connection connection, String sql, int column) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(column);
        }
    }

    /** Its errno, or 0: SLEEP alone returns when it is interrupted. */
    private static CompletableFuture<Integer> running(Connection victim) throws SQLException {
        var ended = CompletableFuture.supplyAsync(() -> {
            try {
                run(victim, LONG);
                return 0;
            } catch (SQLException e) {
                return e.getErrorCode();
            }
        });
        await().until(() -> keyspace.number(
                        0, "SELECT COUNT(*) FROM information_schema.processlist" + " WHERE info LIKE 'SELECT SLEEP%'")
                == 1);
        return ended;
    }

    private static long id(Connection connection) throws SQLException {
        return ((com.mysql.cj.NativeSession)
                        connection.unwrap(JdbcConnection.class).getSession())
                .getThreadId();
    }

    private static void assertErrno(int errno, Connection connection, String sql) {
        assertThatThrownBy(() -> run(connection, sql))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        error -> assertThat(error.getErrorCode()).isEqualTo(errno));
    }
}
