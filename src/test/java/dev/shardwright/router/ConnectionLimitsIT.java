package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mysql.cj.jdbc.JdbcConnection;
import java.io.IOException;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients in all, for each user, and those that have not logged in. */
class ConnectionLimitsIT {
    private static final int ALL = 6;
    private static final int EACH = 3;

    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of(config -> config.withClients(new RouterConfig.Clients(ALL, EACH, List.of())), "-");
        keyspace.admin(0, "CREATE USER other IDENTIFIED BY 'other-secret'");
        keyspace.admin(0, "GRANT ALL ON chat.* TO other");
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @Test
    void aUserThatHasTooManyIsRefusedAndNobodyElse() throws Exception {
        var open = new ArrayList<Connection>();
        try {
            for (int i = 0; i < EACH; i++) {
                open.add(login("app", "app-secret"));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(refusal("app", "app-secret")).isEqualTo(1203);
                assertThat(refusal("app", "guessed")).isEqualTo(1045);
            }
            assertThat(keyspace.metric("connections_refused_total{reason=\"user_limit\""))
                    .isGreaterThanOrEqualTo(20);
            assertThat(keyspace.metric("connections_refused_total{reason=\"login\""))
                    .isGreaterThanOrEqualTo(20);
            var other = login("other", "other-secret");
            open.add(other);
            assertThatThrownBy(() -> other.unwrap(JdbcConnection.class).changeUser("app", "app-secret"))
                    .hasMessageContaining("User app already has more than 'max_user_connections' active connections");
            open.removeFirst().close();
            await().atMost(Duration.ofSeconds(20)).until(() -> refusal("app", "app-secret") == 0);
        } finally {
            close(open);
        }
    }

    @Test
    void connectionsThatSayNothingDisturbNobodyWhoIsIn() throws Exception {
        var silent = new ArrayList<Socket>();
        try (var in = login("app", "app-secret")) {
            for (int i = 0; i < ALL; i++) {
                silent.add(socket());
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> refusal("other", "other-secret") == 1040);
            for (int i = 0; i < 50; i++) {
                try (var refused = socket()) {
                    assertThat(refused.getInputStream().readNBytes(5)[4]).isEqualTo((byte) 0xff);
                }
            }
            assertThat(keyspace.metric("connections_refused_total{reason=\"limit\""))
                    .isGreaterThanOrEqualTo(50);
            assertThat(in.isValid(5)).isTrue();
            for (var socket : silent) {
                socket.close();
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> refusal("other", "other-secret") == 0);
        } finally {
            for (var socket : silent) {
                socket.close();
            }
        }
    }

    private static Socket socket() throws IOException {
        var socket = new Socket("127.0.0.1", keyspace.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    /** The errno with which a login is refused, 0 if it is not. */
    private static int refusal(String user, String password) {
        try {
            login(user, password).close();
            return 0;
        } catch (SQLException e) {
            return e.getErrorCode();
        }
    }

    private static Connection login(String user, String password) throws SQLException {
        return DriverManager.getConnection(keyspace.url("chat"), user, password);
    }

    private static void close(List<Connection> connections) throws SQLException {
        for (var connection : connections) {
            connection.close();
        }
    }
}
