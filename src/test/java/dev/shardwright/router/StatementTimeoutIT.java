package dev.shardwright.router;

import static dev.shardwright.router.TestKeyspace.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.model.ShardState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements that run for too long, because somebody holds a lock that they need. */
class StatementTimeoutIT {
    /** Longer than any other statement here takes on a busy machine. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private static final int CHANNELS = 12;

    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of(
                TestKeyspace.messagesByChannel(),
                config -> config.withClients(new RouterConfig.Clients(100, 0, List.of(), LIMIT)),
                "-80",
                "80-");
        for (int server = 0; server < 2; server++) {
            keyspace.admin(server, "CREATE TABLE chat.messages (channel_id BIGINT PRIMARY KEY, body VARCHAR(50))");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @BeforeEach
    void fill() throws SQLException {
        for (int server = 0; server < 2; server++) {
            keyspace.admin(server, "DELETE FROM chat.messages");
        }
        try (var connection = connect()) {
            for (int channel = 1; channel <= CHANNELS; channel++) {
                run(connection, "INSERT INTO messages (channel_id, body) VALUES (" + channel + ", 'first')");
            }
        }
    }

    private static Connection connect(String... properties) throws SQLException {
        var all = new Properties();
        for (var property : properties) {
            all.setProperty(property, "true");
        }
        return keyspace.connect(all);
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static String body(Connection connection, int channel) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT body FROM messages WHERE channel_id = " + channel)) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** Keeps whoever wants to change the channel's row waiting, until it is closed. */
    private static Connection lock(int channel) throws SQLException {
        int owner = (int) keyspace.number(1, "SELECT COUNT(*) FROM chat.messages WHERE channel_id = " + channel);
        var connection = keyspace.server(owner).connect(TestServers.OPERATOR);
        connection.setAutoCommit(false);
        run(connection, "SELECT * FROM chat.messages WHERE channel_id = " + channel + " FOR UPDATE");
        return connection;
    }

    private static void assertEnded(ThrowingCallable statement) {
        assertThatThrownBy(statement)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(3024))
                .hasMessageContaining("maximum statement execution time exceeded");
    }

    @Test
    void anUpdateThatWaitsForARowIsEndedAndChangesNothing() throws Exception {
        double before = keyspace.metric("statements_timed_out_total");
        try (var connection = connect()) {
            try (var _ = lock(3)) {
                assertEnded(() -> run(connection, "UPDATE messages SET body = 'second' WHERE channel_id = 3"));
            }
            assertThat(body(connection, 3)).isEqualTo("first");
            run(connection, "UPDATE messages SET body = 'third' WHERE channel_id = 3");
            assertThat(body(connection, 3)).isEqualTo("third");
        }
        assertThat(keyspace.metric("statements_timed_out_total")).isEqualTo(before + 1);
    }

    @Test
    void soIsAPreparedOne() throws Exception {
        try (var connection = connect("useServerPrepStmts");
                var update = connection.prepareStatement("UPDATE messages SET body = ? WHERE channel_id = ?")) {
            update.setString(1, "second");
            update.setInt(2, 4);
            try (var _ = lock(4)) {
                assertEnded(update::executeUpdate);
            }
            assertThat(update.executeUpdate()).isEqualTo(1);
            assertThat(body(connection, 4)).isEqualTo("second");
        }
    }

    @Test
    void aTransactionGoesOnWithoutTheStatement() throws Exception {
        try (var connection = connect()) {
            int other = sameShardAs(connection, 5);
            connection.setAutoCommit(false);
            run(connection, "UPDATE messages SET body = 'kept' WHERE channel_id = " + other);
            try (var _ = lock(5)) {
                assertEnded(() -> run(connection, "UPDATE messages SET body = 'lost' WHERE channel_id = 5"));
            }
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(body(connection, other)).isEqualTo("kept");
            assertThat(body(connection, 5)).isEqualTo("first");
        }
    }

    private static int sameShardAs(Connection connection, int channel) throws SQLException {
        long shard = keyspace.number(1, "SELECT COUNT(*) FROM chat.messages WHERE channel_id = " + channel);
        for (int other = 1; other <= CHANNELS; other++) {
            if (other != channel
                    && keyspace.number(1, "SELECT COUNT(*) FROM chat.messages WHERE channel_id = " + other) == shard) {
                return other;
            }
        }
        throw new IllegalStateException("channel " + channel + " is alone on its shard");
    }

    @Test
    void aReadOfAllShardsIsEndedOnEach() throws Exception {
        try (var connection = connect()) {
            try (var holder = keyspace.server(1).connect(TestServers.OPERATOR)) {
                run(holder, "LOCK TABLES chat.messages WRITE");
                assertEnded(() -> number(connection, "SELECT COUNT(*) FROM messages"));
                assertThat(
                                keyspace.number(
                                        1,
                                        "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'app' AND state LIKE 'Waiting%'"))
                        .isZero();
            }
            assertThat(number(connection, "SELECT COUNT(*) FROM messages")).isEqualTo(CHANNELS);
        }
    }

    @Test
    void whatFollowsInTheSameTextIsNotRun() throws Exception {
        try (var connection = connect("allowMultiQueries")) {
            try (var _ = lock(6)) {
                assertEnded(() -> {
                    try (var statement = connection.createStatement()) {
                        statement.execute("UPDATE messages SET body = 'a' WHERE channel_id = 1;"
                                + "UPDATE messages SET body = 'b' WHERE channel_id = 6;"
                                + "UPDATE messages SET body = 'c' WHERE channel_id = 2");
                        while (statement.getMoreResults() || statement.getUpdateCount() != -1) {
                            assertThat(statement.getUpdateCount()).isEqualTo(1);
                        }
                    }
                });
            }
            assertThat(body(connection, 1)).isEqualTo("a");
            assertThat(body(connection, 6)).isEqualTo("first");
            assertThat(body(connection, 2)).isEqualTo("first");
        }
    }

    /** Each of them is short, however long they take together. */
    @Test
    void othersAreNotTouched() throws Exception {
        try (var waiting = connect();
                var working = connect();
                var _ = lock(7)) {
            var ended = CompletableFuture.runAsync(
                    () -> assertEnded(() -> run(waiting, "DELETE FROM messages WHERE channel_id = 7")));
            long until = System.nanoTime() + LIMIT.multipliedBy(2).toNanos();
            while (System.nanoTime() < until) {
                assertThat(body(working, 8)).isEqualTo("first");
            }
            ended.get();
            assertThat(body(waiting, 7)).isEqualTo("first");
        }
    }

    @Test
    void aStatementThatWaitsForItsShardIsEndedToo() throws Exception {
        var limit = Duration.ofMillis(500);
        try (var one = TestKeyspace.of(
                        config -> config.withClients(new RouterConfig.Clients(100, 0, List.of(), limit)), "-");
                var connection = one.connect()) {
            var shard = one.store().topology().shards().getFirst();
            one.publish(shard, ShardState.Fenced);
            assertEnded(() -> number(connection, "SELECT 1"));
            one.publish(shard, ShardState.Serving);
            assertThat(number(connection, "SELECT 1")).isEqualTo(1);
        }
    }
}
