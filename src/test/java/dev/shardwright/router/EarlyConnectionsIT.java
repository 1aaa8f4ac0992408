package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mysql.cj.jdbc.JdbcConnection;
import dev.shardwright.testing.TcpProxy;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shard that is about to take over lets users in before it lets them write: what the router makes of that. */
class EarlyConnectionsIT {
    private static final String WORKFLOW = "workflow-1";
    private static final String OF_APP = " FROM information_schema.processlist WHERE user = 'app'";

    private static TestKeyspace keyspace;
    private static ExecutorService clients;
    private static ShardEntry from;
    private static ShardEntry to;
    /** Before the server that takes over. */
    private static TcpProxy proxy;

    private Connection client;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of("-");
        clients = Executors.newCachedThreadPool();
        from = keyspace.store().topology().shards().getFirst();
        var second = keyspace.start("-");
        proxy = new TcpProxy(second.primary().port());
        to = member(second).serving(new Endpoint("127.0.0.1", proxy.port()));
        for (int server = 0; server < 2; server++) {
            keyspace.admin(server, "CREATE USER other@'%' IDENTIFIED BY 'other-secret'");
            keyspace.admin(server, "GRANT SELECT ON chat.* TO other@'%'");
            keyspace.admin(server, "CREATE TABLE chat.notes (id INT PRIMARY KEY, body TEXT)");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        clients.shutdownNow();
        keyspace.close();
        proxy.close();
    }

    @BeforeEach
    void admit() throws Exception {
        keyspace.admin(1, "SET GLOBAL read_only = ON");
        publish(List.of(from), true);
        var properties = new Properties();
        properties.setProperty("useServerPrepStmts", "true");
        properties.setProperty("cachePrepStmts", "true");
        client = keyspace.connect(properties);
        TestKeyspace.run(client, "SET time_zone = '+03:00'");
        assertThat(body(client, 0)).isNull();
    }

    @AfterEach
    void leave() throws Exception {
        client.close();
        publish(List.of(from), false);
        keyspace.admin(1, "SET GLOBAL read_only = OFF");
        keyspace.admin(1, "DELETE FROM chat.notes");
        await().until(() -> sessions().isEmpty());
    }

    @Test
    void aSessionFindsAllAsItWasOnAConnectionMadeEarlier() throws Exception {
        connectEarly();
        var early = sessions();
        assertThat(early).hasSize(1);
        assertThat(prepared()).isEqualTo(1);

        takeOver();
        keyspace.admin(1, "SET GLOBAL read_only = OFF");

        try (var statement = client.createStatement();
                var rows = statement.executeQuery(
                        "SELECT CONNECTION_ID(), @@time_zone FROM notes RIGHT JOIN (SELECT 1) d ON TRUE")) {
            rows.next();
            assertThat(rows.getString(2)).isEqualTo("+03:00");
        }
        assertThat(body(client, 0)).isNull();
        TestKeyspace.run(client, "INSERT INTO notes VALUES (1, 'there')");
        assertThat(sessions()).isEqualTo(early);
        assertThat(keyspace.number(1, "SELECT COUNT(*) FROM chat.notes")).isEqualTo(1);
    }

    /** Its first statements would be answered, and its first write be refused. */
    @Test
    void aTransactionDoesNotBeginBeforeItCanWrite() throws Exception {
        connectEarly();
        takeOver();
        double before = keyspace.metric("retried_total");
        var connected = CompletableFuture.runAsync(() -> transaction(client, 1), clients);
        var without = CompletableFuture.runAsync(EarlyConnectionsIT::transactionOfANewClient, clients);
        await().until(() -> keyspace.metric("retried_total") >= before + 10);
        assertThat(connected).isNotDone();
        assertThat(without).isNotDone();

        keyspace.admin(1, "SET GLOBAL read_only = OFF");

        connected.get(10, TimeUnit.SECONDS);
        without.get(10, TimeUnit.SECONDS);
        assertThat(keyspace.number(1, "SELECT COUNT(*) FROM chat.notes")).isEqualTo(2);
    }

    @Test
    void aClientThatChangesItsUserDuringTheLoginGetsNoConnectionOfTheFormerOne() throws Exception {
        connectEarlyDuring(() -> client.unwrap(JdbcConnection.class).changeUser("other", "other-secret"));
        assertThat(TestKeyspace.text(client, "SELECT CURRENT_USER() FROM notes RIGHT JOIN (SELECT 1) d ON TRUE"))
                .isEqualTo("other@%");
    }

    @Test
    void aClientThatChangesItsDatabaseDuringTheLoginIsInThatOne() throws Exception {
        connectEarlyDuring(() -> client.setCatalog("information_schema"));
        var early = sessions();
        assertThat(early).hasSize(1);
        assertThat(TestKeyspace.text(client, "SELECT DATABASE()")).isEqualTo("information_schema");
        assertThat(sessions()).isEqualTo(early);
    }

    /** Were it still known as early, the next topology would close it in the middle of a transaction. */
    @Test
    void oneThatHasChangedHandsIsAsAnyOther() throws Exception {
        connectEarly();
        var early = sessions();
        client.unwrap(JdbcConnection.class).changeUser("app", "app-secret");
        keyspace.admin(1, "SET GLOBAL read_only = OFF");
        publish(List.of(to), true);
        client.setAutoCommit(false);
        TestKeyspace.run(client, "INSERT INTO notes VALUES (3, 'of the next one')");
        assertThat(sessions()).isEqualTo(early);

        publish(List.of(from), false);

        client.commit();
        assertThat(keyspace.number(1, "SELECT COUNT(*) FROM chat.notes")).isEqualTo(1);
    }

    @Test
    void nothingIsKeptThatIsNotNeededAnyMore() throws Exception {
        connectEarly();
        publish(List.of(from), false);
        await().until(() -> sessions().isEmpty());
        TestKeyspace.run(client, "DO 1");
    }

    @Test
    void whatIsAskedForInAnotherWayIsRefused() throws Exception {
        assertThat(keyspace.management("/connect")).contains("use POST");
        assertThat(keyspace.post("/connect")).contains("name the workflow");
        assertThat(keyspace.post("/connect?workflow=unknown")).isEqualTo("ok\n");
        assertThat(connecting()).isZero();
        assertThat(sessions()).isEmpty();
    }

    private static void connectEarly() throws Exception {
        askToConnect();
        await().until(() -> connecting() == 0);
    }

    private static void askToConnect() throws Exception {
        assertThat(keyspace.post("/connect?workflow=" + WORKFLOW)).isEqualTo("ok\n");
    }

    private static int connecting() throws Exception {
        return keyspace.state().get("connecting").asInt();
    }

    /** The client does this while the login of its early connection is under way; then the shard takes over. */
    private static void connectEarlyDuring(ClientStep step) throws Exception {
        proxy.silence();
        try {
            askToConnect();
            assertThat(connecting()).isEqualTo(1);
            step.run();
            assertThat(connecting()).isEqualTo(1);
        } finally {
            proxy.goOn();
        }
        await().until(() -> connecting() == 0);
        takeOver();
        keyspace.admin(1, "SET GLOBAL read_only = OFF");
    }

    private interface ClientStep {
        void run() throws SQLException;
    }

    private static void takeOver() throws Exception {
        var fenced = new ShardEntry(
                from.range(), from.uid(), from.name(), ShardState.Fenced, WORKFLOW, 1, from.primary(), List.of());
        publish(List.of(fenced), true);
        publish(List.of(to), true);
    }

    private static void publish(List<ShardEntry> shards, boolean withWorkflow) {
        var workflow = new WorkflowEntry(
                WORKFLOW, "move", List.of(member(from)), List.of(member(to)), "", 1, 1, Map.of(), Map.of());
        keyspace.publish(shards, withWorkflow ? List.of(workflow) : List.of());
    }

    private static Member member(ShardEntry shard) {
        return new Member(shard.range(), shard.uid(), shard.name(), shard.primary());
    }

    /** Those of the application's user at the server that takes over. */
    private static TreeSet<Long> sessions() throws SQLException {
        var ids = new TreeSet<Long>();
        try (var connection = keyspace.server(1).connect(TestServers.OPERATOR);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT id" + OF_APP)) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    private static long prepared() throws SQLException {
        try (var connection = keyspace.server(1).connect(TestServers.OPERATOR);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'")) {
            rows.next();
            return rows.getLong(2);
        }
    }

    private static void transactionOfANewClient() {
        try (var connection = keyspace.connect()) {
            transaction(connection, 2);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void transaction(Connection connection, int id) {
        try (var statement = connection.createStatement()) {
            statement.execute("BEGIN");
            try (var rows = statement.executeQuery("SELECT COUNT(*) FROM notes")) {
                rows.next();
            }
            statement.execute("INSERT INTO notes VALUES (" + id + ", 'in a transaction')");
            statement.execute("COMMIT");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String body(Connection connection, int id) throws SQLException {
        try (var statement = connection.prepareStatement("SELECT body FROM notes WHERE id = ?")) {
            statement.setInt(1, id);
            try (var rows = statement.executeQuery()) {
                return rows.next() ? rows.getString(1) : null;
            }
        }
    }
}
