package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What clients see while the only shard of a keyspace is fenced and replaced by another server. */
class FenceIT {
    private static final Duration BUFFER = Duration.ofSeconds(3);
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private static TestKeyspace keyspace;
    private static ShardEntry first;
    private static ShardEntry second;
    private static ExecutorService clients;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of(config -> config.withBuffer(BUFFER, 1 << 20).withDrainTimeout(DRAIN), "-");
        first = keyspace.store().topology().shards().getFirst();
        second = keyspace.start("-");
        clients = Executors.newCachedThreadPool();
        for (int i = 0; i < 2; i++) {
            try (var connection = keyspace.server(i).connect(TestServers.APP);
                    var statement = connection.createStatement()) {
                statement.execute("CREATE TABLE chat.notes (id INT PRIMARY KEY, body TEXT)");
            }
        }
        // The first request loads an HTTP client's classes, for which a draining transaction has no time.
        assertThat(keyspace.management("/readyz")).isEqualTo("ready\n");
    }

    @AfterAll
    static void stop() throws Exception {
        clients.shutdownNow();
        keyspace.close();
    }

    @AfterEach
    void serveFromTheFirst() throws Exception {
        keyspace.admin(0, "SET GLOBAL offline_mode = OFF");
        keyspace.admin(1, "SET GLOBAL offline_mode = OFF");
        keyspace.publish(first, ShardState.Serving);
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            statement.execute("DELETE FROM notes");
        }
    }

    @Test
    void heldStatementsGoOnAtTheNewServer() throws Exception {
        try (var connection = keyspace.connect()) {
            insert(connection, 1);
            keyspace.publish(first, ShardState.Fenced);
            var held = CompletableFuture.runAsync(() -> insert(connection, 2), clients);
            await().until(() -> keyspace.metric("held_total") >= 1);
            assertThat(held).isNotDone();
            keyspace.admin(0, "SET GLOBAL offline_mode = ON");
            keyspace.publish(second, ShardState.Serving);
            held.get(10, TimeUnit.SECONDS);
            insert(connection, 3);
        }
        assertThat(count(1)).isEqualTo(2);
    }

    @Test
    void aNewServerThatIsStillOfflineIsAskedAgain() throws Exception {
        try (var connection = keyspace.connect()) {
            insert(connection, 1);
            keyspace.publish(first, ShardState.Fenced);
            keyspace.admin(1, "SET GLOBAL offline_mode = ON");
            keyspace.publish(second, ShardState.Serving);
            var waiting = CompletableFuture.runAsync(() -> insert(connection, 2), clients);
            double before = keyspace.metric("retried_total");
            await().until(() -> keyspace.metric("retried_total") > before);
            assertThat(waiting).isNotDone();
            keyspace.admin(1, "SET GLOBAL offline_mode = OFF");
            waiting.get(10, TimeUnit.SECONDS);
        }
        keyspace.admin(1, "DELETE FROM chat.notes");
    }

    @Test
    void aCursorDoesNotMoveWithItsShard() throws Exception {
        var properties = new java.util.Properties();
        properties.setProperty("useCursorFetch", "true");
        properties.setProperty("defaultFetchSize", "1");
        try (var connection = keyspace.connect(properties);
                var select = connection.prepareStatement("SELECT id FROM notes ORDER BY id")) {
            insert(connection, 1);
            insert(connection, 2);
            try (var rows = select.executeQuery()) {
                assertThat(rows.next()).isTrue();
                keyspace.publish(first, ShardState.Fenced);
                keyspace.publish(second, ShardState.Serving);
                assertThatThrownBy(() -> {
                            while (rows.next()) {}
                        })
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("cursor is gone");
            }
            try (var rows = select.executeQuery()) {
                assertThat(rows.next()).as("rows of the other server").isFalse();
            }
        }
    }

    @Test
    void aStatementThatWaitsTooLongIsToldWhichWorkflowHoldsIt() throws Exception {
        try (var connection = keyspace.connect()) {
            keyspace.publish(first, ShardState.Fenced);
            assertThatThrownBy(() -> insert(connection, 1))
                    .rootCause()
                    .hasMessageContaining("split-all (workflow-1)")
                    .extracting(failure -> ((SQLException) failure).getErrorCode())
                    .isEqualTo(1105);
            keyspace.publish(first, ShardState.Serving);
            insert(connection, 1);
        }
    }

    @Test
    void anOpenTransactionMayCommitWhileItsShardDrains() throws Exception {
        try (var connection = keyspace.connect()) {
            connection.setAutoCommit(false);
            insert(connection, 1);
            keyspace.publish(first, ShardState.Fenced);
            assertThat(keyspace.state().get("openTransactions").asInt()).isEqualTo(1);
            insert(connection, 2);
            connection.commit();
            assertThat(keyspace.state().get("openTransactions").asInt()).isZero();
            assertThat(keyspace.state().get("epoch").asLong())
                    .isEqualTo(keyspace.store().topology().epoch());
        }
        assertThat(count(0)).isEqualTo(2);
    }

    @Test
    void anOpenTransactionThatStaysIsRolledBackAndSaysSo() throws Exception {
        try (var connection = keyspace.connect()) {
            connection.setAutoCommit(false);
            insert(connection, 1);
            keyspace.publish(first, ShardState.Fenced);
            await().until(() -> keyspace.state().get("openTransactions").asInt() == 0);
            assertThatThrownBy(() -> insert(connection, 2))
                    .rootCause()
                    .hasMessageContaining("being moved; retry it")
                    .satisfies(failure -> {
                        assertThat(((SQLException) failure).getErrorCode()).isEqualTo(1213);
                        assertThat(((SQLException) failure).getSQLState()).isEqualTo("40001");
                    });
            keyspace.publish(first, ShardState.Serving);
            connection.rollback();
            insert(connection, 3);
            connection.commit();
        }
        assertThat(count(0)).isEqualTo(1);
    }

    @Test
    void aTransactionThatAutocommitOffBeganDuringTheFenceEndsToo() throws Exception {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            statement.execute("SET autocommit = 0");
            var writing = CompletableFuture.runAsync(
                    () -> run(statement, "INSERT INTO notes SELECT 8 + SLEEP(1), ''"), clients);
            TimeUnit.MILLISECONDS.sleep(300);
            keyspace.publish(first, ShardState.Fenced);
            writing.get(10, TimeUnit.SECONDS);
            await().until(() -> keyspace.state().get("openTransactions").asInt() == 0);
            assertThat(errorOf(statement, "SELECT 1").getErrorCode()).isEqualTo(1213);
            keyspace.publish(first, ShardState.Serving);
            statement.execute("ROLLBACK");
        }
        assertThat(count(0)).isZero();
    }

    @Test
    void aStatementOfATransactionIsEndedWithIt() throws Exception {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            insert(connection, 1);
            var sleeping = CompletableFuture.supplyAsync(() -> errorOf(statement, "SELECT SLEEP(20)"), clients);
            TimeUnit.MILLISECONDS.sleep(200);
            keyspace.publish(first, ShardState.Fenced);
            assertThat(sleeping.get(10, TimeUnit.SECONDS).getErrorCode()).isEqualTo(1213);
            keyspace.publish(first, ShardState.Serving);
            connection.rollback();
        }
    }

    @Test
    void runningStatementsAreCountedAndMayFinish() throws Exception {
        try (var reader = keyspace.connect();
                var read = reader.createStatement();
                var writer = keyspace.connect();
                var write = writer.createStatement()) {
            var reading = CompletableFuture.runAsync(() -> run(read, "SELECT SLEEP(1)"), clients);
            var writing =
                    CompletableFuture.runAsync(() -> run(write, "INSERT INTO notes SELECT 5 + SLEEP(1), ''"), clients);
            TimeUnit.MILLISECONDS.sleep(300);
            keyspace.publish(first, ShardState.Fenced);
            assertThat(keyspace.state().get("runningReads").get(first.uid()))
                    .as("the session at the shard's server")
                    .singleElement()
                    .satisfies(session -> assertThat(session.asLong())
                            .isEqualTo(keyspace.number(
                                    0,
                                    "SELECT ID FROM information_schema.PROCESSLIST WHERE INFO = 'SELECT SLEEP(1)'")));
            assertThat(keyspace.state().get("runningWrites").asInt()).isEqualTo(1);
            reading.get(10, TimeUnit.SECONDS);
            writing.get(10, TimeUnit.SECONDS);
            await().until(() -> keyspace.state().get("runningWrites").asInt() == 0
                    && keyspace.state().get("runningReads").isEmpty());
        }
        assertThat(count(0)).isEqualTo(1);
    }

    @Test
    void aWriteWhoseConnectionIsLostHasAnUnknownOutcome() throws Exception {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            insert(connection, 1);
            var writing = CompletableFuture.supplyAsync(
                    () -> errorOf(statement, "INSERT INTO notes SELECT 7 + SLEEP(20), ''"), clients);
            TimeUnit.MILLISECONDS.sleep(300);
            keyspace.admin(0, "SET GLOBAL offline_mode = ON");
            var error = writing.get(10, TimeUnit.SECONDS);
            assertThat(error.getMessage()).contains("outcome is unknown");
            assertThat(error.getErrorCode()).isEqualTo(2013);
        }
    }

    private static void insert(Connection connection, int id) {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO notes VALUES (" + id + ", 'text')");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void run(java.sql.Statement statement, String sql) {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SQLException errorOf(java.sql.Statement statement, String sql) {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            return e;
        }
        throw new AssertionError("no error: " + sql);
    }

    private static long count(int server) throws SQLException {
        return keyspace.number(server, "SELECT COUNT(*) FROM chat.notes");
    }
}
