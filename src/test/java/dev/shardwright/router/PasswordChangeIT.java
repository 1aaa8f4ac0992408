package dev.shardwright.router;

import static dev.shardwright.router.TestKeyspace.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.shardwright.mysql.admin.AppUser;
import dev.shardwright.mysql.admin.Users;
import dev.shardwright.testing.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A password changes at the servers and in the router's file at different times; nobody who is in notices. */
class PasswordChangeIT {
    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of("-");
        keyspace.admin(0, "CREATE TABLE chat.notes (id INT PRIMARY KEY)");
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @Test
    void whoIsInGoesOn() throws Exception {
        try (var early = connect("app-secret");
                var inUse = connect("app-secret")) {
            inUse.setAutoCommit(false);
            run(inUse, "INSERT INTO notes VALUES (1)");

            // The servers are changed first, as the operator does it.
            ensure("second", Duration.ofMinutes(10));
            onManyConnections(early);
            assertThat(refused("second")).isTrue();

            keyspace.users("{\"app\": \"second\", \"other\": \"other-secret\"}");
            await().until(() -> !refused("second"));
            assertThat(refused("app-secret")).isTrue();
            ensure("second", Duration.ZERO);
            onManyConnections(early);
            run(inUse, "INSERT INTO notes VALUES (2)");
            inUse.commit();

            // Now a server lags behind.
            keyspace.users("{\"app\": \"third\", \"other\": \"other-secret\"}");
            await().until(() -> !refused("third"));
            onManyConnections(early);
            try (var late = connect("third")) {
                onManyConnections(late);
            }
            ensure("third", Duration.ZERO);
            ensure("third", Duration.ZERO);
            onManyConnections(early);
            run(inUse, "DELETE FROM notes");
            inUse.commit();
        }
    }

    /** More clients than the router has connections at rest, so that it must log in anew. */
    private static void onManyConnections(Connection first) throws SQLException {
        closeServerSessions();
        run(first, "SELECT 1");
        run(first, "INSERT INTO notes VALUES (50)");
        run(first, "DELETE FROM notes WHERE id = 50");
    }

    /** All but those in a transaction. */
    private static void closeServerSessions() throws SQLException {
        var ids = new ArrayList<Long>();
        try (var operator = keyspace.server(0).connect(TestServers.OPERATOR);
                var statement = operator.createStatement();
                var rows =
                        statement.executeQuery("SELECT p.id FROM information_schema.processlist p WHERE p.user = 'app'"
                                + " AND p.id NOT IN (SELECT trx_mysql_thread_id FROM information_schema.innodb_trx)")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        for (var id : ids) {
            keyspace.admin(0, "KILL " + id);
        }
        await().until(() -> keyspace.number(
                        0,
                        "SELECT COUNT(*) FROM information_schema.processlist WHERE id IN (0"
                                + ids.stream().map(id -> ", " + id).reduce("", String::concat) + ")")
                == 0);
    }

    private static void ensure(String password, Duration bothPasswords) throws SQLException {
        try (var operator = keyspace.server(0).connect(TestServers.OPERATOR)) {
            new Users(operator, TestServers.KEYSPACE, bothPasswords)
                    .ensure(new AppUser("app", password, List.of("ALL")));
        }
    }

    private static boolean refused(String password) throws SQLException {
        try (var connection = connect(password)) {
            return !connection.isValid(5);
        } catch (SQLException e) {
            assertThat(e.getErrorCode()).isEqualTo(1045);
            return true;
        }
    }

    private static Connection connect(String password) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", "app");
        properties.setProperty("password", password);
        return DriverManager.getConnection(keyspace.url(TestServers.KEYSPACE), properties);
    }
}
