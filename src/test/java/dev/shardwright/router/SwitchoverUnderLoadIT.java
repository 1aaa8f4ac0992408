package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * The steps of a switchover that concern the router, under load: fence, wait for its acknowledgement, freeze
 * the server and end its sessions, flip. Rows do not move here; each acknowledged one must be on one server.
 */
class SwitchoverUnderLoadIT {
    private static final int SWITCHOVERS = 6;

    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong ids = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();

    private interface Work {
        void once(Connection connection) throws SQLException;
    }

    @Test
    void autocommitStatementsSeeNoErrorAndNothingIsLost() throws Exception {
        try (var keyspace = TestKeyspace.of("-");
                var clients = Executors.newCachedThreadPool()) {
            var shards = List.of(keyspace.store().topology().shards().getFirst(), keyspace.start("-"));
            for (int server = 0; server < 2; server++) {
                keyspace.admin(server, "CREATE TABLE chat.notes (id BIGINT PRIMARY KEY, body TEXT)");
            }
            var prepared = new Properties();
            prepared.setProperty("useServerPrepStmts", "true");
            clients.submit(() -> repeat(keyspace, new Properties(), this::insertAsText));
            clients.submit(() -> repeat(keyspace, new Properties(), this::insertAsText));
            clients.submit(() -> repeat(keyspace, prepared, this::insertPrepared));
            clients.submit(() -> repeat(keyspace, new Properties(), this::read));
            clients.submit(() -> repeat(keyspace, new Properties(), this::transaction));
            for (int i = 0; i < SWITCHOVERS; i++) {
                awaitWrites(100);
                switchOver(keyspace, shards, i % 2, (i + 1) % 2);
            }
            awaitWrites(100);
            stop.set(true);
            clients.shutdown();
            assertThat(clients.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            assertThat(errors).isEmpty();
            assertThat(keyspace.number(0, "SELECT COUNT(*) FROM chat.notes")
                            + keyspace.number(1, "SELECT COUNT(*) FROM chat.notes"))
                    .isEqualTo(acknowledged.get());
        }
    }

    private void switchOver(TestKeyspace keyspace, List<ShardEntry> shards, int from, int to) throws Exception {
        keyspace.publish(shards.get(from), ShardState.Fenced);
        long epoch = keyspace.store().topology().epoch();
        await().pollInterval(10, TimeUnit.MILLISECONDS).until(() -> {
            var state = keyspace.state();
            return state.get("epoch").asLong() >= epoch
                    && state.get("openTransactions").asInt() == 0
                    && state.get("runningWrites").asInt() == 0;
        });
        keyspace.admin(from, "SET GLOBAL super_read_only = ON");
        endSessions(keyspace, from);
        keyspace.admin(from, "SET GLOBAL offline_mode = ON");
        keyspace.publish(shards.get(to), ShardState.Serving);
        keyspace.admin(to, "SET GLOBAL super_read_only = OFF");
        keyspace.admin(to, "SET GLOBAL read_only = OFF");
        keyspace.admin(to, "SET GLOBAL offline_mode = OFF");
    }

    private static void endSessions(TestKeyspace keyspace, int server) throws SQLException {
        try (var connection = keyspace.server(server).connect(TestServers.OPERATOR);
                var statement = connection.createStatement()) {
            var sessions = new ArrayList<Long>();
            try (var rows =
                    statement.executeQuery("SELECT id FROM information_schema.processlist WHERE user = 'app'")) {
                while (rows.next()) {
                    sessions.add(rows.getLong(1));
                }
            }
            for (var session : sessions) {
                try {
                    statement.execute("KILL " + session);
                } catch (SQLException gone) {
                    assertThat(gone.getErrorCode()).isEqualTo(1094);
                }
            }
        }
    }

    private void awaitWrites(int writes) {
        long goal = acknowledged.get() + writes;
        await().atMost(60, TimeUnit.SECONDS).until(() -> acknowledged.get() >= goal || !errors.isEmpty());
        assertThat(errors).isEmpty();
    }

    private void repeat(TestKeyspace keyspace, Properties properties, Work work) {
        try (var connection = keyspace.connect(properties)) {
            while (!stop.get()) {
                work.once(connection);
            }
        } catch (SQLException | RuntimeException e) {
            errors.add(e.toString());
        }
    }

    private void insertAsText(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO notes VALUES (" + ids.incrementAndGet() + ", 'text')");
            acknowledged.incrementAndGet();
        }
    }

    private void insertPrepared(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement("INSERT INTO notes VALUES (?, ?)")) {
            for (int i = 0; i < 20; i++) {
                statement.setLong(1, ids.incrementAndGet());
                statement.setString(2, "prepared");
                statement.executeUpdate();
                acknowledged.incrementAndGet();
            }
        }
    }

    private void read(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM notes")) {
            rows.next();
        }
    }

    private void transaction(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO notes VALUES (" + ids.incrementAndGet() + ", 'in a transaction')");
            statement.executeUpdate("INSERT INTO notes VALUES (" + ids.incrementAndGet() + ", 'in a transaction')");
            connection.commit();
            acknowledged.addAndGet(2);
        } catch (SQLException e) {
            if (!"40001".equals(e.getSQLState())) {
                throw e;
            }
            connection.rollback();
        }
    }
}
