package dev.shardwright.router;

import static dev.shardwright.router.TestKeyspace.run;
import static dev.shardwright.router.TestKeyspace.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.JdbcConnection;
import io.netty.buffer.ByteBufUtil;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One connection that becomes another user's; what was of the first one's session must be gone. */
class ChangeUserIT {
    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of("-");
        keyspace.admin(0, "CREATE USER other@'%' IDENTIFIED BY 'other-secret'");
        keyspace.admin(0, "GRANT SELECT, CREATE TEMPORARY TABLES ON chat.* TO other@'%'");
        keyspace.admin(0, "CREATE TABLE chat.notes (id INT PRIMARY KEY)");
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @Test
    void theServerSeesTheOtherUserWithItsPrivileges() throws SQLException {
        try (var connection = keyspace.connect()) {
            assertThat(text(connection, "SELECT CURRENT_USER()")).isEqualTo("app@%");
            change(connection, "other", "other-secret");
            assertThat(text(connection, "SELECT CURRENT_USER()")).isEqualTo("other@%");
            assertThat(text(connection, "SELECT DATABASE()")).isEqualTo("chat");
            assertThatThrownBy(() -> run(connection, "INSERT INTO notes VALUES (1)"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            error -> assertThat(error.getErrorCode()).isEqualTo(1142));
            change(connection, "app", "app-secret");
            run(connection, "INSERT INTO notes VALUES (2)");
        }
    }

    @Test
    void nothingOfTheSessionStays() throws SQLException {
        try (var connection = keyspace.connect()) {
            run(connection, "SET @a = 5, SESSION sort_buffer_size = 123456");
            run(connection, "CREATE TEMPORARY TABLE mine (id INT)");
            connection.setAutoCommit(false);
            run(connection, "INSERT INTO notes VALUES (3)");
            change(connection, "app", "app-secret");
            assertThat(text(connection, "SELECT @a")).isNull();
            assertThat(text(connection, "SELECT @@sort_buffer_size")).isNotEqualTo("123456");
            assertThat(text(connection, "SELECT @@autocommit")).isEqualTo("1");
            assertThat(text(connection, "SELECT COUNT(*) FROM notes WHERE id = 3"))
                    .as("the open transaction was rolled back")
                    .isEqualTo("0");
            assertThatThrownBy(() -> run(connection, "SELECT * FROM mine"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            error -> assertThat(error.getErrorCode()).isEqualTo(1146));
        }
    }

    @Test
    void aWrongPasswordEndsTheConnectionAsAtMysql() throws SQLException {
        try (var connection = keyspace.connect()) {
            assertThatThrownBy(() -> change(connection, "other", "guessed"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            error -> assertThat(error.getErrorCode()).isEqualTo(1873));
            assertThat(connection.isValid(5)).isFalse();
        }
        try (var connection = keyspace.connect()) {
            assertThatThrownBy(() -> change(connection, "nobody", ""))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            error -> assertThat(error.getErrorCode()).isEqualTo(1873));
        }
    }

    /** The packet has two bytes for the collation, and many of utf8mb4's need both. */
    @ParameterizedTest
    @ValueSource(ints = {8, 255, 256, 291, 309, 323})
    void theCollationIsAsAtMysql(int collation) throws Exception {
        var question = "SELECT @@collation_connection, @@character_set_client, @@character_set_results";
        try (var routed = keyspace.raw(0);
                var direct = RawClient.connect(keyspace.server(0).port(), 0)) {
            routed.changeUser(collation);
            direct.changeUser(collation);
            assertThat(ByteBufUtil.hexDump(routed.query(question)))
                    .isEqualTo(ByteBufUtil.hexDump(direct.query(question)));
        }
    }

    @Test
    void collationsAbove255AreOfUtf8mb4() throws SQLException {
        assertThat(keyspace.number(
                        0,
                        "SELECT COUNT(*) FROM information_schema.collations WHERE id BETWEEN 256 AND 323"
                                + " AND character_set_name <> 'utf8mb4'"))
                .isZero();
    }

    private static void change(Connection connection, String user, String password) throws SQLException {
        connection.unwrap(JdbcConnection.class).changeUser(user, password);
    }
}
