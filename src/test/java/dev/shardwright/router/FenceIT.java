package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
    private static final HttpClient HTTP = HttpClient.newHttpClient();

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
        assertThat(get("/readyz")).isEqualTo("ready\n");
    }

    @AfterAll
    static void stop() throws Exception {
        clients.shutdownNow();
        keyspace.close();
    }

    @AfterEach
    void serveFromTheFirst() throws Exception {
        admin(0, "SET GLOBAL offline_mode = OFF");
        admin(1, "SET GLOBAL offline_mode = OFF");
        publish(first, ShardState.Serving);
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            statement.execute("DELETE FROM notes");
        }
    }

    @Test
    void heldStatementsGoOnAtTheNewServer() throws Exception {
        try (var connection = keyspace.connect()) {
            insert(connection, 1);
            publish(first, ShardState.Fenced);
            var held = CompletableFuture.runAsync(() -> insert(connection, 2), clients);
            await().until(() -> metric("held_total") >= 1);
            assertThat(held).isNotDone();
            admin(0, "SET GLOBAL offline_mode = ON");
            publish(second, ShardState.Serving);
            held.get(10, TimeUnit.SECONDS);
            insert(connection, 3);
        }
        assertThat(count(1)).isEqualTo(2);
    }

    @Test
    void aNewServerThatIsStillOfflineIsAskedAgain() throws Exception {
        try (var connection = keyspace.connect()) {
            insert(connection, 1);
            publish(first, ShardState.Fenced);
            admin(1, "SET GLOBAL offline_mode = ON");
            publish(second, ShardState.Serving);
            var waiting = CompletableFuture.runAsync(() -> insert(connection, 2), clients);
            double before = metric("retried_total");
            await().until(() -> metric("retried_total") > before);
            assertThat(waiting).isNotDone();
            admin(1, "SET GLOBAL offline_mode = OFF");
            waiting.get(10, TimeUnit.SECONDS);
        }
        admin(1, "DELETE FROM chat.notes");
    }

    @Test
    void aStatementThatWaitsTooLongIsToldWhichWorkflowHoldsIt() throws Exception {
        try (var connection = keyspace.connect()) {
            publish(first, ShardState.Fenced);
            assertThatThrownBy(() -> insert(connection, 1))
                    .rootCause()
                    .hasMessageContaining("split-all (workflow-1)")
                    .extracting(failure -> ((SQLException) failure).getErrorCode())
                    .isEqualTo(1105);
            publish(first, ShardState.Serving);
            insert(connection, 1);
        }
    }

    @Test
    void anOpenTransactionMayCommitWhileItsShardDrains() throws Exception {
        try (var connection = keyspace.connect()) {
            connection.setAutoCommit(false);
            insert(connection, 1);
            publish(first, ShardState.Fenced);
            assertThat(state().get("openTransactions").asInt()).isEqualTo(1);
            insert(connection, 2);
            connection.commit();
            assertThat(state().get("openTransactions").asInt()).isZero();
            assertThat(state().get("epoch").asLong())
                    .isEqualTo(keyspace.store().topology().epoch());
        }
        assertThat(count(0)).isEqualTo(2);
    }

    @Test
    void anOpenTransactionThatStaysIsRolledBackAndSaysSo() throws Exception {
        try (var connection = keyspace.connect()) {
            connection.setAutoCommit(false);
            insert(connection, 1);
            publish(first, ShardState.Fenced);
            await().until(() -> state().get("openTransactions").asInt() == 0);
            assertThatThrownBy(() -> insert(connection, 2))
                    .rootCause()
                    .hasMessageContaining("being moved; retry it")
                    .satisfies(failure -> {
                        assertThat(((SQLException) failure).getErrorCode()).isEqualTo(1213);
                        assertThat(((SQLException) failure).getSQLState()).isEqualTo("40001");
                    });
            publish(first, ShardState.Serving);
            connection.rollback();
            insert(connection, 3);
            connection.commit();
        }
        assertThat(count(0)).isEqualTo(1);
    }

    @Test
    void aStatementOfATransactionIsEndedWithIt() throws Exception {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            insert(connection, 1);
            var sleeping = CompletableFuture.supplyAsync(() -> errorOf(statement, "SELECT SLEEP(20)"), clients);
            TimeUnit.MILLISECONDS.sleep(200);
            publish(first, ShardState.Fenced);
            assertThat(sleeping.get(10, TimeUnit.SECONDS).getErrorCode()).isEqualTo(1213);
            publish(first, ShardState.Serving);
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
            publish(first, ShardState.Fenced);
            assertThat(state().get("runningReads").asInt()).isEqualTo(1);
            assertThat(state().get("runningWrites").asInt()).isEqualTo(1);
            reading.get(10, TimeUnit.SECONDS);
            writing.get(10, TimeUnit.SECONDS);
            await().until(() -> state().get("runningWrites").asInt() == 0
                    && state().get("runningReads").asInt() == 0);
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
            admin(0, "SET GLOBAL offline_mode = ON");
            var error = writing.get(10, TimeUnit.SECONDS);
            assertThat(error.getMessage()).contains("outcome is unknown");
            assertThat(error.getErrorCode()).isEqualTo(2013);
        }
    }

    private static void publish(ShardEntry shard, ShardState state) {
        var now = keyspace.store().topology();
        boolean serving = state == ShardState.Serving;
        var entry = new ShardEntry(
                shard.range(),
                shard.uid(),
                shard.name(),
                state,
                serving ? null : "workflow-1",
                serving ? 0 : 1,
                shard.primary(),
                List.of());
        var workflow = new WorkflowEntry("workflow-1", "split-all", List.of(), List.of(), "", 1, 1, Map.of(), Map.of());
        keyspace.store()
                .set(new Topology(
                        now.format(),
                        now.keyspace(),
                        now.epoch() + 1,
                        List.of(entry),
                        serving ? List.of() : List.of(workflow),
                        now.vschema()));
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

    private static void admin(int server, String sql) throws SQLException {
        try (var connection = keyspace.server(server).connect(TestServers.OPERATOR);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int count(int server) throws SQLException {
        try (var connection = keyspace.server(server).connect(TestServers.OPERATOR);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM chat.notes")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static JsonNode state() throws Exception {
        return new ObjectMapper().readTree(get("/state"));
    }

    private static double metric(String name) throws Exception {
        return get("/metrics")
                .lines()
                .filter(line -> line.startsWith("shardwright_router_" + name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static String get(String path) throws Exception {
        var address = keyspace.router().managementAddress();
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
