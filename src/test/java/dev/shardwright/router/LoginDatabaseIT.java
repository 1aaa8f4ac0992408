package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.JdbcConnection;
import dev.shardwright.testing.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Databases that are named at the login: a server alone knows those beside the keyspace's. */
class LoginDatabaseIT {
    private static TestKeyspace one;
    private static TestKeyspace two;

    @BeforeAll
    static void start() throws Exception {
        one = TestKeyspace.of("-");
        two = TestKeyspace.of("-80", "80-");
    }

    @AfterAll
    static void stop() throws Exception {
        one.close();
        two.close();
    }

    @Test
    void aDatabaseBesideTheKeyspacesWasUnknownAtTheLogin() throws SQLException {
        try (var connection = login(one, TestServers.ASIDE, "app-secret")) {
            assertThat(text(connection, "SELECT DATABASE()")).isEqualTo(TestServers.ASIDE);
            run(connection, "CREATE TABLE t (id INT)");
            assertThat(text(connection, "SELECT COUNT(*) FROM aside.t")).isEqualTo("0");
            connection.unwrap(JdbcConnection.class).changeUser("app", "app-secret");
            assertThat(text(connection, "SELECT DATABASE()")).isEqualTo(TestServers.ASIDE);
        }
    }

    @Test
    void theServerSaysWhichIsNotThereOrNotForThisUser() {
        assertRefused(1044, () -> login(one, "nowhere", "app-secret"));
        assertRefused(1044, () -> login(one, "_shardwright", "app-secret"));
        assertRefused(1045, () -> login(one, TestServers.ASIDE, "guessed"));
    }

    @Test
    void severalShardsHaveOnlyTheKeyspace() {
        assertRefused(1049, () -> login(two, TestServers.ASIDE, "app-secret"));
    }

    private interface Login {
        Connection open() throws SQLException;
    }

    private static void assertRefused(int errno, Login login) {
        assertThatThrownBy(() -> login.open().close())
                .isInstanceOfSatisfying(
                        SQLException.class,
                        error -> assertThat(error.getErrorCode()).isEqualTo(errno));
    }

    private static Connection login(TestKeyspace keyspace, String database, String password) throws SQLException {
        return DriverManager.getConnection(keyspace.url(database), TestServers.APP.user(), password);
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
