package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.ResponseScanner.Kind;
import dev.shardwright.mysql.wire.ServerStatus;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts whose statements run on different shards, on several, or in the router itself. */
class ShardedMultiStatementIT {
    private static final int CHANNELS = 20;

    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of(TestKeyspace.messagesByChannel(), "-80", "80-");
        for (int server = 0; server < 2; server++) {
            keyspace.admin(server, "CREATE TABLE chat.messages (channel_id BIGINT PRIMARY KEY, body VARCHAR(50))");
        }
    }

    @BeforeEach
    void fill() throws SQLException {
        keyspace.admin(0, "DELETE FROM chat.messages");
        keyspace.admin(1, "DELETE FROM chat.messages");
        var text = new StringBuilder();
        for (int channel = 1; channel <= CHANNELS; channel++) {
            text.append("INSERT INTO messages (channel_id, body) VALUES (%d, 'in; %d');".formatted(channel, channel));
        }
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.executeUpdate(text.toString());
            int counts = 1;
            while (statement.getMoreResults() || statement.getUpdateCount() != -1) {
                assertThat(statement.getUpdateCount()).isEqualTo(1);
                counts++;
            }
            assertThat(counts).isEqualTo(CHANNELS);
        }
        assertThat(keyspace.number(0, "SELECT COUNT(*) FROM chat.messages")
                        + keyspace.number(1, "SELECT COUNT(*) FROM chat.messages"))
                .isEqualTo(CHANNELS);
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    private static Connection connect() throws SQLException {
        return keyspace.connect("allowMultiQueries", "true");
    }

    /** Each result's rows, or how many rows it changed. */
    private static List<String> results(Statement statement, String text) throws SQLException {
        var results = new ArrayList<String>();
        boolean isRows = statement.execute(text);
        while (isRows || statement.getUpdateCount() != -1) {
            if (isRows) {
                try (var rows = statement.getResultSet()) {
                    var all = new ArrayList<String>();
                    while (rows.next()) {
                        all.add(rows.getString(1));
                    }
                    results.add(all.toString());
                }
            } else {
                results.add(Integer.toString(statement.getUpdateCount()));
            }
            isRows = statement.getMoreResults();
        }
        return results;
    }

    @Test
    void mergedKeyedAndOwnStatementsFollowEachOther() throws Exception {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            assertThat(results(
                            statement,
                            "SELECT channel_id FROM messages WHERE channel_id < 4 ORDER BY channel_id LIMIT 3;"
                                    + " SET @a = 'b;c'; SELECT body FROM messages WHERE channel_id = 7; SELECT @a;"
                                    + " SELECT COUNT(*) FROM messages; BEGIN;"
                                    + " UPDATE messages SET body = 'new' WHERE channel_id = 5; ROLLBACK;"
                                    + " SELECT body FROM messages WHERE channel_id = 5; USE chat"))
                    .containsExactly("[1, 2, 3]", "0", "[in; 7]", "[b;c]", "[20]", "0", "1", "0", "[in; 5]", "0");
        }
    }

    @Test
    void theFirstErrorIsTheLastAnswer() throws Exception {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("UPDATE messages SET body = 'new' WHERE channel_id = 1;"
                            + " UPDATE messages SET body = 'new';"
                            + " UPDATE messages SET body = 'newer' WHERE channel_id = 1"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("without its shard key");
            assertThat(results(statement, "SELECT body FROM messages WHERE channel_id = 1"))
                    .containsExactly("[new]");
        }
    }

    @Test
    void aBodyIsNotTakenApart() throws Exception {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute(
                            "CREATE PROCEDURE p() BEGIN SELECT 1; DELETE FROM messages; END; DELETE FROM messages"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("one by one")
                    .extracting(failure -> ((SQLException) failure).getErrorCode())
                    .isEqualTo(1235);
            assertThat(results(statement, "SELECT COUNT(*) FROM messages")).containsExactly("[20]");
        }
    }

    @Test
    void severalStatementsNeedTheOption() throws Exception {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("SELECT 1; SELECT 2"))
                    .isInstanceOf(SQLException.class)
                    .extracting(failure -> ((SQLException) failure).getErrorCode())
                    .isEqualTo(1064);
        }
    }

    /** All but the last answer announce another one, in each of their status fields, and packets are numbered on. */
    @Test
    void packetsAreNumberedAcrossTheAnswers() throws Exception {
        try (var client = keyspace.raw(Capability.MULTI_STATEMENTS)) {
            var text = "SELECT channel_id FROM messages WHERE channel_id IN (1, 2, 3, 4); BEGIN; COMMIT;"
                    + " SELECT channel_id FROM messages WHERE channel_id = 1";
            client.send(CommandByte.QUERY, text.getBytes(StandardCharsets.UTF_8));
            int sequence = 1;
            var statuses = new ArrayList<Integer>();
            for (int packets = 0; packets < 8 + 1 + 1 + 5; packets++) {
                var packet = client.packet();
                assertThat(client.sequence()).isEqualTo(sequence++);
                int at = packet[0] == (byte) 0xfe ? 3 : packet[0] == 0 ? 3 : -1;
                if (at > 0) {
                    statuses.add(packet[at] & 0xff);
                }
            }
            int more = ServerStatus.AUTOCOMMIT | ServerStatus.MORE_RESULTS;
            assertThat(statuses)
                    .containsExactly(
                            more,
                            more,
                            more | ServerStatus.IN_TRANSACTION,
                            more,
                            ServerStatus.AUTOCOMMIT,
                            ServerStatus.AUTOCOMMIT);
        }
    }

    /** Byte for byte what one MySQL with all the rows says, be the rows of one shard or merged. */
    @ParameterizedTest
    @ValueSource(ints = {0, Capability.DEPRECATE_EOF})
    void mergedResultsComeWithoutMetadataToo(int more) throws Exception {
        keyspace.admin(0, "CREATE TABLE IF NOT EXISTS chat.whole LIKE chat.messages");
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            statement.execute("DELETE FROM whole");
            for (int channel = 1; channel <= CHANNELS; channel++) {
                statement.execute("INSERT INTO whole VALUES (%d, 'in; %d')".formatted(channel, channel));
            }
        }
        int capabilities = more | Capability.OPTIONAL_RESULTSET_METADATA | Capability.MULTI_STATEMENTS;
        try (var routed = keyspace.raw(capabilities);
                var direct = RawClient.connect(keyspace.server(0).port(), capabilities)) {
            assertThat(withoutMetadata(routed, "messages")).isEqualTo(withoutMetadata(direct, "whole"));
        }
    }

    private static List<String> withoutMetadata(RawClient client, String table) throws Exception {
        var said = new ArrayList<String>();
        var merged = "SELECT channel_id, body FROM " + table + " WHERE channel_id > 1 ORDER BY channel_id LIMIT 3";
        var counted = "SELECT COUNT(*) AS n FROM " + table;
        var keyed = "SELECT channel_id, body FROM " + table + " WHERE channel_id = ";
        for (var text : List.of(
                counted,
                "SET resultset_metadata = NONE",
                merged,
                keyed + 1,
                keyed + 2,
                counted,
                keyed + 3 + "; " + merged + "; " + keyed + 4,
                "SET resultset_metadata = NONE",
                merged,
                "SELECT @@resultset_metadata")) {
            said.add(ByteBufUtil.hexDump(client.query(text)));
        }
        var prepared = client.ask(CommandByte.STMT_PREPARE, counted.getBytes(StandardCharsets.UTF_8), Kind.PREPARE);
        said.add(ByteBufUtil.hexDump(prepared));
        var execute = new byte[] {1, 0, 0, 0, 0, 1, 0, 0, 0};
        for (var then : List.of(keyed + 5, "SET resultset_metadata = FULL", counted, "SET resultset_metadata = NONE")) {
            said.add(ByteBufUtil.hexDump(client.ask(CommandByte.STMT_EXECUTE, execute, Kind.RESULT)));
            said.add(ByteBufUtil.hexDump(client.query(then)));
        }
        said.add(ByteBufUtil.hexDump(client.query(merged)));
        said.add(ByteBufUtil.hexDump(client.ask(CommandByte.RESET_CONNECTION, new byte[0], Kind.RESULT)));
        said.add(ByteBufUtil.hexDump(client.query(counted)));
        return said;
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void batchesThatADriverRewritesReachTheirShards(String serverPrepared) throws Exception {
        try (var connection =
                        keyspace.connect("rewriteBatchedStatements", "true", "useServerPrepStmts", serverPrepared);
                var update = connection.prepareStatement("UPDATE messages SET body = ? WHERE channel_id = ?")) {
            for (int channel = 1; channel <= CHANNELS; channel++) {
                update.setString(1, "new; " + channel);
                update.setInt(2, channel);
                update.addBatch();
            }
            assertThat(update.executeBatch()).hasSize(CHANNELS).containsOnly(1);
        }
        var right = "SELECT COALESCE(SUM(body = CONCAT('new; ', channel_id)), 0) FROM chat.messages";
        assertThat(keyspace.number(0, right) + keyspace.number(1, right)).isEqualTo(CHANNELS);
    }

    /** Before the client is asked for anything. */
    @Test
    void filesAreLoadedOnlyWhereOneShardHasTheTable() throws Exception {
        keyspace.admin(0, "SET GLOBAL local_infile = ON");
        keyspace.admin(0, "CREATE TABLE chat.settings (name VARCHAR(50) PRIMARY KEY, value TEXT)");
        var load = "LOAD DATA LOCAL INFILE 'rows.csv' INTO TABLE %s FIELDS TERMINATED BY ','";
        try (var client = keyspace.raw(Capability.LOCAL_FILES)) {
            client.send(CommandByte.QUERY, load.formatted("messages").getBytes(StandardCharsets.UTF_8));
            assertThat(new String(client.packet(), StandardCharsets.UTF_8)).contains("batches of INSERT");
            client.send(CommandByte.QUERY, load.formatted("settings").getBytes(StandardCharsets.UTF_8));
            assertThat(client.packet()[0]).isEqualTo((byte) 0xfb);
            client.packet("a,b\n".getBytes(StandardCharsets.UTF_8));
            client.packet(new byte[0]);
            assertThat(client.packet()[0]).isZero();
        }
        assertThat(keyspace.number(0, "SELECT COUNT(*) FROM chat.settings")).isEqualTo(1);
    }
}
