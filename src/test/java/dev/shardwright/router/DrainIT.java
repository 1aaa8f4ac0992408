package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.shardwright.router.RouterConfig.Stop;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A router that is told to stop. Its waits are too long to pass by themselves. */
class DrainIT {
    private static final Duration LONG = Duration.ofMinutes(10);

    private TestKeyspace keyspace;
    private Thread stopping;

    private void start(Duration delay) throws Exception {
        keyspace = TestKeyspace.of(config -> config.withStop(new Stop(delay, LONG)), "-");
        keyspace.admin(0, "CREATE TABLE chat.t (id INT PRIMARY KEY)");
        stopping = new Thread(keyspace.router()::close);
    }

    @AfterEach
    void stop() throws Exception {
        stopping.interrupt();
        stopping.join();
        keyspace.closeServers();
    }

    @Test
    void servesNewClientsWhileOthersLearnThatItIsNotReady() throws Exception {
        start(LONG);
        try (var before = keyspace.connect()) {
            stopping.start();
            await().until(() -> keyspace.management("/readyz").contains("stopping"));

            execute(before, "INSERT INTO t VALUES (1)");
            try (var during = keyspace.connect()) {
                execute(during, "INSERT INTO t VALUES (2)");
            }
            execute(before, "INSERT INTO t VALUES (3)");
            assertThat(keyspace.number(0, "SELECT COUNT(*) FROM chat.t")).isEqualTo(3);
        }
    }

    @Test
    void thenLetsTransactionsFinishAndNoOneElseIn() throws Exception {
        start(Duration.ZERO);
        try (var resting = keyspace.connect();
                var writing = keyspace.connect()) {
            writing.setAutoCommit(false);
            execute(writing, "INSERT INTO t VALUES (1)");
            drain();

            assertThatThrownBy(keyspace::connect).hasMessageContaining("Communications link failure");
            assertThatThrownBy(() -> execute(resting, "SELECT 1")).isInstanceOf(SQLException.class);
            execute(writing, "INSERT INTO t VALUES (2)");
            writing.commit();
            stopping.join();
            assertThat(keyspace.number(0, "SELECT COUNT(*) FROM chat.t")).isEqualTo(2);
            assertThatThrownBy(() -> execute(writing, "SELECT 1")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void rollsBackWhatDoesNotEndInTime() throws Exception {
        start(Duration.ZERO);
        try (var writing = keyspace.connect()) {
            writing.setAutoCommit(false);
            execute(writing, "INSERT INTO t VALUES (1)");
            drain();

            stopping.interrupt();
            stopping.join();
            assertThatThrownBy(writing::commit).isInstanceOf(SQLException.class);
            // The server rolls back once it has seen that the router is gone.
            await().until(() -> keyspace.number(0, "SELECT COUNT(*) FROM information_schema.INNODB_TRX") == 0);
            assertThat(keyspace.number(0, "SELECT COUNT(*) FROM chat.t")).isZero();
        }
    }

    private void drain() {
        stopping.start();
        await().until(this::refusesClients);
    }

    private boolean refusesClients() {
        try (var client = keyspace.connect()) {
            return false;
        } catch (SQLException e) {
            return true;
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
