package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.shardwright.testing.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table spread over two shards, seen by Connector/J. */
class ShardedIT {
    private static final int CHANNELS = 20;

    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of(TestKeyspace.messagesByChannel(), "-80", "80-");
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE messages (channel_id BIGINT, id BIGINT, body TEXT,"
                    + " PRIMARY KEY (channel_id, id))");
            statement.execute("CREATE TABLE settings (name VARCHAR(50) PRIMARY KEY, value TEXT)");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @BeforeEach
    void fill() throws SQLException {
        for (int server = 0; server < 2; server++) {
            onServer(server, "DELETE FROM chat.messages");
        }
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            for (int channel = 1; channel <= CHANNELS; channel++) {
                statement.executeUpdate("INSERT INTO messages (channel_id, id, body) VALUES (" + channel + ", 1, 'in "
                        + channel + "')");
            }
        }
    }

    @Test
    void rowsLiveOnTheShardThatTheirKeyNames() throws SQLException {
        long first = count(0);
        assertThat(first).isPositive().isLessThan(CHANNELS);
        assertThat(first + count(1)).isEqualTo(CHANNELS);
    }

    @Test
    void ddlRunsWhereItsTableLives() throws SQLException {
        assertThat(tables(0)).contains("messages", "settings");
        assertThat(tables(1)).contains("messages").doesNotContain("settings");
    }

    /** The first of them comes to a session without a connection to a server. */
    @Test
    void showWarningsKnowsOfRefusals() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            for (int i = 0; i < 2; i++) {
                var refused = catchThrowableOfType(
                        SQLException.class, () -> statement.execute("UPDATE messages SET channel_id = 5"));
                try (var rows = statement.executeQuery("SHOW ERRORS")) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getInt("Code")).isEqualTo(refused.getErrorCode());
                    var message = rows.getString("Message").replaceAll("\\.\\.\\.$", "");
                    assertThat(message).hasSizeGreaterThan(20);
                    assertThat(refused.getMessage()).startsWith(message);
                    assertThat(rows.next()).isFalse();
                }
                assertThat(statement.execute("SELECT id FROM messages")).isTrue();
            }
        }
    }

    @Test
    void setTransactionOutlivesWhatReadsNoTable() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            for (var between : List.of("SELECT 1", "DO 1", "SELECT 1 FOR UPDATE")) {
                statement.execute("SET TRANSACTION READ ONLY");
                statement.execute(between);
                statement.execute("BEGIN");
                assertThatThrownBy(() -> statement.executeUpdate("DELETE FROM messages WHERE channel_id = 1"))
                        .as(between)
                        .hasMessageContaining("READ ONLY");
                statement.execute("COMMIT");
                for (int channel = 1; channel <= CHANNELS; channel++) {
                    statement.execute("BEGIN");
                    statement.executeUpdate("UPDATE messages SET body = 'b' WHERE channel_id = " + channel);
                    statement.execute("COMMIT");
                }
            }
        }
    }

    @Test
    void keyedReadsByTextAndByParameter() throws SQLException {
        try (var connection = keyspace.connect("useServerPrepStmts", "true");
                var statement = connection.createStatement();
                var prepared = connection.prepareStatement("SELECT body FROM messages WHERE channel_id = ?")) {
            for (int channel = 1; channel <= CHANNELS; channel++) {
                try (var rows = statement.executeQuery("SELECT body FROM messages WHERE channel_id = " + channel)) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(1)).isEqualTo("in " + channel);
                }
                prepared.setLong(1, channel);
                try (var rows = prepared.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(1)).isEqualTo("in " + channel);
                }
                prepared.setString(1, Integer.toString(channel));
                try (var rows = prepared.executeQuery()) {
                    assertThat(rows.next()).as("channel %s as text", channel).isTrue();
                }
            }
        }
    }

    @Test
    void scansReadAllShards() throws SQLException {
        try (var connection = keyspace.connect("useServerPrepStmts", "true");
                var text = connection.createStatement();
                var prepared = connection.prepareStatement("SELECT body, channel_id FROM messages WHERE id = ?");
                var limited = connection.prepareStatement("SELECT channel_id FROM messages LIMIT ?, ?")) {
            assertThat(channels(text.executeQuery("SELECT channel_id FROM messages")))
                    .hasSize(CHANNELS);
            assertThat(channels(text.executeQuery("SELECT channel_id FROM messages LIMIT 3, 15")))
                    .hasSize(15);
            int[] apart = channelsApart();
            assertThat(channels(text.executeQuery("SELECT channel_id FROM messages WHERE channel_id IN (" + apart[0]
                            + ", " + apart[1] + ")")))
                    .containsExactlyInAnyOrder((long) apart[0], (long) apart[1]);
            prepared.setInt(1, 1);
            assertThat(channels(prepared.executeQuery())).hasSize(CHANNELS);
            limited.setInt(1, 2);
            limited.setInt(2, 16);
            assertThat(channels(limited.executeQuery())).hasSize(16);
            assertThatThrownBy(() -> text.executeQuery("SELECT nothing FROM messages"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("nothing");
        }
    }

    @Test
    void theConnectionHasOneIdOnAllShards() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            var ids = new java.util.TreeSet<Long>();
            try (var rows = statement.executeQuery("SELECT id, CONNECTION_ID() FROM messages ORDER BY id LIMIT 50")) {
                while (rows.next()) {
                    ids.add(rows.getLong("CONNECTION_ID()"));
                }
            }
            assertThat(ids).hasSize(1);
            assertThat(ids.first()).isGreaterThan(1 << 30);
        }
    }

    @Test
    void sortsAndFoldsOverAllShards() throws SQLException {
        try (var connection = keyspace.connect("useServerPrepStmts", "true");
                var text = connection.createStatement();
                var page = connection.prepareStatement(
                        "SELECT channel_id, body FROM messages ORDER BY channel_id DESC LIMIT ? OFFSET ?")) {
            try (var rows = text.executeQuery("SELECT body FROM messages ORDER BY channel_id")) {
                for (int channel = 1; channel <= CHANNELS; channel++) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString("body")).isEqualTo("in " + channel);
                    assertThat(rows.getMetaData().getColumnCount()).isEqualTo(1);
                }
                assertThat(rows.next()).isFalse();
            }
            page.setInt(1, 3);
            page.setInt(2, 5);
            try (var rows = page.executeQuery()) {
                for (int channel = CHANNELS - 5; channel > CHANNELS - 8; channel--) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getLong(1)).isEqualTo(channel);
                }
                assertThat(rows.next()).isFalse();
            }
            try (var rows =
                    text.executeQuery("SELECT COUNT(*), SUM(channel_id), MIN(channel_id), MAX(body) FROM messages")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getLong(1)).isEqualTo(CHANNELS);
                assertThat(rows.getLong(2)).isEqualTo(CHANNELS * (CHANNELS + 1) / 2);
                assertThat(rows.getLong(3)).isEqualTo(1);
                assertThat(rows.getString(4)).isEqualTo("in 9");
            }
        }
    }

    private static java.util.Set<Long> channels(java.sql.ResultSet rows) throws SQLException {
        try (rows) {
            var channels = new java.util.HashSet<Long>();
            while (rows.next()) {
                channels.add(rows.getLong("channel_id"));
            }
            return channels;
        }
    }

    @Test
    void largeScansFlowThroughToAClientThatReadsSlowly() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement(
                        java.sql.ResultSet.TYPE_FORWARD_ONLY, java.sql.ResultSet.CONCUR_READ_ONLY)) {
            for (int channel : channelsApart()) {
                for (int id = 100; id < 140; id++) {
                    statement.executeUpdate("INSERT INTO messages (channel_id, id, body) VALUES (" + channel + ", " + id
                            + ", REPEAT('x', 60000))");
                }
            }
            statement.setFetchSize(Integer.MIN_VALUE);
            long length = 0;
            try (var rows = statement.executeQuery("SELECT body FROM messages WHERE id >= 100")) {
                while (rows.next()) {
                    length += rows.getString(1).length();
                }
            }
            assertThat(length).isEqualTo(80L * 60_000);
        }
    }

    @Test
    void aTransactionStaysOnItsShard() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            int[] apart = channelsApart();
            connection.setAutoCommit(false);
            statement.executeUpdate("INSERT INTO messages (channel_id, id, body) VALUES (" + apart[0] + ", 2, 'kept')");
            assertThatThrownBy(() -> statement.executeUpdate(
                            "INSERT INTO messages (channel_id, id, body) VALUES (" + apart[1] + ", 2, 'refused')"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("nothing was sent")
                    .extracting(failure -> ((SQLException) failure).getErrorCode())
                    .isEqualTo(1235);
            statement.executeUpdate("INSERT INTO messages (channel_id, id, body) VALUES (" + apart[0] + ", 3, 'kept')");
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(count(0) + count(1)).isEqualTo(CHANNELS + 2);
        }
    }

    @Test
    void writesOfSeveralShardsAreRefused() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            int[] apart = channelsApart();
            assertThatThrownBy(() -> statement.executeUpdate("INSERT INTO messages (channel_id, id, body) VALUES ("
                            + apart[0] + ", 5, 'a'), (" + apart[1] + ", 5, 'b')"))
                    .isInstanceOf(SQLException.class)
                    .extracting(failure -> ((SQLException) failure).getErrorCode())
                    .isEqualTo(1235);
            assertThat(count(0) + count(1)).isEqualTo(CHANNELS);
        }
    }

    @Test
    void variablesHoldOnEveryShard() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            statement.execute("SET time_zone = '+05:00'");
            statement.execute("SET NAMES latin1");
            for (int channel : channelsApart()) {
                try (var rows = statement.executeQuery(
                        "SELECT @@time_zone, @@character_set_client FROM messages WHERE channel_id = " + channel)) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(1)).isEqualTo("+05:00");
                    assertThat(rows.getString(2)).isEqualTo("latin1");
                }
            }
        }
    }

    @Test
    void unlistedTablesLiveOnTheFirstShard() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            statement.executeUpdate("REPLACE INTO settings VALUES ('colour', 'blue')");
            try (var rows = statement.executeQuery("SELECT value FROM settings WHERE name = 'colour'")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("blue");
            }
        }
    }

    @Test
    void ddlThatFailsOnSomeShardsSaysWhere() throws SQLException {
        onServer(1, "ALTER TABLE chat.messages ADD COLUMN extra INT");
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("ALTER TABLE messages ADD COLUMN extra INT"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("chat-80-x: 1060")
                    .hasMessageContaining("done on 1 of 2");
            statement.execute("ALTER TABLE messages DROP COLUMN extra");
            assertThatThrownBy(() -> statement.execute("ALTER TABLE messages DROP COLUMN extra"))
                    .isInstanceOf(SQLException.class)
                    .extracting(failure -> ((SQLException) failure).getErrorCode())
                    .isEqualTo(1091);
        }
    }

    /** Two channels on different shards. */
    private static int[] channelsApart() throws SQLException {
        return new int[] {channelOn(0), channelOn(1)};
    }

    private static int channelOn(int server) throws SQLException {
        try (var connection = keyspace.server(server).connect(TestServers.APP);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT MIN(channel_id) FROM chat.messages")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static long count(int server) throws SQLException {
        try (var connection = keyspace.server(server).connect(TestServers.APP)) {
            return number(connection, "SELECT COUNT(*) FROM chat.messages");
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static List<String> tables(int server) throws SQLException {
        try (var connection = keyspace.server(server).connect(TestServers.APP);
                var rows = connection.getMetaData().getTables("chat", null, "%", null)) {
            var names = new java.util.ArrayList<String>();
            while (rows.next()) {
                names.add(rows.getString("TABLE_NAME"));
            }
            return names;
        }
    }

    private static void onServer(int server, String sql) throws SQLException {
        try (var connection = keyspace.server(server).connect(TestServers.APP);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
