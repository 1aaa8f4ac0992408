package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mysql.cj.jdbc.JdbcStatement;
import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ResponseScanner.Kind;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Properties;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** LOAD DATA LOCAL on a keyspace of one shard: the client's file, and never one of the router's or the server's. */
class LoadDataIT {
    private static final String LOAD = "LOAD DATA LOCAL INFILE 'rows.csv' INTO TABLE loaded FIELDS TERMINATED BY ','";
    private static final int OK = 0;
    private static final int ERROR = 0xff;

    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of("-");
        keyspace.admin(0, "CREATE TABLE chat.loaded (id INT PRIMARY KEY, body LONGTEXT)");
    }

    @BeforeEach
    void allow() throws SQLException {
        keyspace.admin(0, "SET GLOBAL local_infile = ON");
        keyspace.admin(0, "DELETE FROM chat.loaded");
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    private static Connection connect(String... more) throws SQLException {
        var properties = new Properties();
        properties.setProperty("allowLoadLocalInfile", "true");
        for (var property : more) {
            properties.setProperty(property, "true");
        }
        return keyspace.connect(properties);
    }

    private static int load(Connection connection, InputStream rows) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.unwrap(JdbcStatement.class).setLocalInfileInputStream(rows);
            return statement.executeUpdate(LOAD);
        }
    }

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static long rows() throws SQLException {
        return keyspace.number(0, "SELECT COUNT(*) FROM chat.loaded");
    }

    @ParameterizedTest
    @ValueSource(strings = {"useSSL", "useCompression"})
    void rowsOfTheClientAreLoaded(String option) throws Exception {
        try (var connection = connect(option.equals("useSSL") ? "allowPublicKeyRetrieval" : option)) {
            assertThat(load(connection, text("1,one\n2,two\n"))).isEqualTo(2);
            assertThat(load(connection, text(""))).isZero();
            connection.setAutoCommit(false);
            assertThat(load(connection, text("3,three\n"))).isEqualTo(1);
            connection.rollback();
            assertThat(rows()).isEqualTo(2);
        }
    }

    @Test
    void aLargeFileStreams() throws Exception {
        int rows = 40_000;
        var pieces = IntStream.range(0, rows)
                .mapToObj(id -> text(id + "," + "x".repeat(1_000) + "\n"))
                .toList();
        try (var connection = connect()) {
            assertThat(load(connection, new SequenceInputStream(Collections.enumeration(pieces))))
                    .isEqualTo(rows);
            assertThat(connection.isValid(5)).isTrue();
        }
        assertThat(keyspace.number(0, "SELECT SUM(LENGTH(body)) FROM chat.loaded"))
                .isEqualTo(rows * 1_000L);
    }

    @Test
    void stayingInABatchOfStatements() throws Exception {
        try (var connection = connect("allowMultiQueries");
                var statement = connection.createStatement()) {
            statement.unwrap(JdbcStatement.class).setLocalInfileInputStream(text("1,one\n2,two\n"));
            assertThat(statement.execute("DO 0; DO 0; " + LOAD + "; SELECT COUNT(*) FROM loaded"))
                    .isFalse();
            assertThat(statement.getMoreResults()).isFalse();
            assertThat(statement.getMoreResults()).isFalse();
            assertThat(statement.getUpdateCount()).isEqualTo(2);
            assertThat(statement.getMoreResults()).isTrue();
            try (var counted = statement.getResultSet()) {
                assertThat(counted.next()).isTrue();
                assertThat(counted.getInt(1)).isEqualTo(2);
            }
        }
    }

    @Test
    void theServersRefusalPasses() throws Exception {
        keyspace.admin(0, "SET GLOBAL local_infile = OFF");
        try (var connection = connect()) {
            assertThatThrownBy(() -> load(connection, text("1,one\n")))
                    .isInstanceOf(SQLException.class)
                    .extracting(failure -> ((SQLException) failure).getErrorCode())
                    .isEqualTo(3948);
            assertThat(connection.isValid(5)).isTrue();
        }
    }

    @Test
    void filesOfTheServerAreNotRead() throws Exception {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            for (var sql : new String[] {
                "LOAD DATA INFILE '/etc/hostname' INTO TABLE loaded",
                "LOAD XML INFILE '/etc/hostname' INTO TABLE loaded"
            }) {
                assertThatThrownBy(() -> statement.execute(sql))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("LOAD DATA LOCAL INFILE")
                        .extracting(failure -> ((SQLException) failure).getErrorCode())
                        .isEqualTo(1235);
            }
        }
    }

    private static RawClient client(int more) throws Exception {
        return keyspace.raw(Capability.LOCAL_FILES | Capability.DEPRECATE_EOF | more);
    }

    private static void askFor(RawClient client, String file) throws Exception {
        var sql = LOAD.replace("rows.csv", file);
        client.send(CommandByte.QUERY, sql.getBytes(StandardCharsets.UTF_8));
        var asked = client.packet();
        assertThat(asked[0]).as("asks for the file").isEqualTo((byte) 0xfb);
        assertThat(new String(asked, 1, asked.length - 1, StandardCharsets.UTF_8))
                .isEqualTo(file);
    }

    /** Even if there is a file of that name where the router runs. */
    @Test
    void onlyTheClientsOwnBytesCount(@org.junit.jupiter.api.io.TempDir Path directory) throws Exception {
        var here = Files.writeString(directory.resolve("rows.csv"), "7,of the router\n");
        try (var client = client(0)) {
            askFor(client, here.toString());
            client.packet("8,of the client\n".getBytes(StandardCharsets.UTF_8));
            client.packet(new byte[0]);
            assertThat(client.packet()[0]).isEqualTo((byte) OK);
            assertThat(client.sequence()).isEqualTo(4);
        }
        assertThat(keyspace.number(0, "SELECT id FROM chat.loaded")).isEqualTo(8);
    }

    @Test
    void packetsOfAnyLengthAndManyOfThem() throws Exception {
        var row = ("1," + "x".repeat(PacketBuilder.FULL - 3) + "\n").getBytes(StandardCharsets.UTF_8);
        assertThat(row).hasSize(PacketBuilder.FULL);
        try (var client = client(0)) {
            askFor(client, "long");
            client.packet(row);
            for (int id = 2; id < 600; id++) {
                client.packet((id + ",y\n").getBytes(StandardCharsets.UTF_8));
            }
            client.packet(new byte[0]);
            assertThat(client.packet()[0]).isEqualTo((byte) OK);
            assertThat(client.query("SELECT 1")).isNotEmpty();
        }
        assertThat(rows()).isEqualTo(599);
        assertThat(keyspace.number(0, "SELECT MAX(LENGTH(body)) FROM chat.loaded"))
                .isEqualTo(PacketBuilder.FULL - 3);
    }

    @Test
    void aClientThatVanishesLoadsNothing() throws Exception {
        double before = keyspace.metric("backends");
        try (var client = client(0)) {
            askFor(client, "half");
            client.packet("1,one\n2,two\n3,".getBytes(StandardCharsets.UTF_8));
        }
        await().until(() -> keyspace.metric("backends") <= before);
        await().until(() ->
                keyspace.number(0, "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'LOAD%'") == 0);
        assertThat(rows()).isZero();
    }

    @Test
    void packetsOutOfOrderEndIt() throws Exception {
        try (var client = client(0)) {
            askFor(client, "wrong");
            client.send('1', ",one\n".getBytes(StandardCharsets.UTF_8));
            var answer = client.packet();
            assertThat(answer[0]).isEqualTo((byte) ERROR);
            assertThat(answer[1] & 0xff | (answer[2] & 0xff) << 8).isEqualTo(1156);
        }
        assertThat(keyspace.metric("defects_total")).isZero();
    }

    @Test
    void aServerThatGoesAwayIsToldAfterTheFile() throws Exception {
        try (var client = client(0)) {
            askFor(client, "half");
            client.packet("1,one\n".getBytes(StandardCharsets.UTF_8));
            long session = keyspace.number(
                    0, "SELECT id FROM information_schema.processlist WHERE user = 'app' AND info LIKE 'LOAD%'");
            double before = keyspace.metric("backends");
            keyspace.admin(0, "KILL " + session);
            await().until(() -> keyspace.metric("backends") < before);
            client.packet("2,two\n".getBytes(StandardCharsets.UTF_8));
            client.packet(new byte[0]);
            var answer = client.packet();
            assertThat(answer[0]).isEqualTo((byte) ERROR);
            assertThat(client.sequence()).isEqualTo(5);
            assertThat(client.query("SELECT 1")).isNotEmpty();
        }
        assertThat(rows()).isZero();
    }

    @Test
    void aClientThatCantIsNotAsked() throws Exception {
        try (var client = keyspace.raw(Capability.DEPRECATE_EOF)) {
            var answer = client.ask(CommandByte.QUERY, LOAD.getBytes(StandardCharsets.UTF_8), Kind.RESULT);
            assertThat(answer[PacketBuilder.HEADER]).isEqualTo((byte) ERROR);
        }
    }
}
