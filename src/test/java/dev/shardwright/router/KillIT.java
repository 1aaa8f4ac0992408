package dev.shardwright.router;

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

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
