package dev.shardwright.router;

import static dev.shardwright.router.TestKeyspace.run;
import static dev.shardwright.router.TestKeyspace.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.JdbcConnection;
import dev.shardwright.testing.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
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

    /** A server session that drops its own database has none any more; a later one of that name is not its own. */
    @Test
    void whoDropsItsDatabaseHasNone() throws SQLException {
        for (var drop : List.of("DROP DATABASE aside", "/* a */ drop SCHEMA -- b\n if  exists`aside`")) {
            try (var other = login(one, TestServers.KEYSPACE, "app-secret");
                    var connection = login(one, TestServers.ASIDE, "app-secret")) {
                run(connection, drop);
                assertThat(text(connection, "SELECT DATABASE()")).isNull();
                assertThatThrownBy(() -> run(connection, "CREATE TABLE t (id INT)"))
                        .hasMessageContaining("No database selected");
                assertRefused(1049, () -> login(one, TestServers.ASIDE, "app-secret"));
                run(other, "CREATE DATABASE aside");
                assertThat(text(connection, "SELECT DATABASE()")).isNull();
                try (var next = login(one, TestServers.ASIDE, "app-secret")) {
                    run(next, "CREATE TABLE made (id INT)");
                    assertThat(text(next, "SELECT DATABASE()")).isEqualTo(TestServers.ASIDE);
                }
                run(other, "DROP DATABASE aside");
                assertThat(text(other, "SELECT DATABASE()")).isEqualTo(TestServers.KEYSPACE);
                assertRefused(1049, () -> login(one, TestServers.ASIDE, "app-secret"));
                run(other, "CREATE DATABASE aside");
            }
        }
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
}
