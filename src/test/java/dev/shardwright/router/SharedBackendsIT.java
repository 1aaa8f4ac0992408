package dev.shardwright.router;

import static dev.shardwright.router.TestKeyspace.run;
import static dev.shardwright.router.TestKeyspace.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.shardwright.api.VSchema;
import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ResponseScanner.Kind;
import dev.shardwright.testing.TestServers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many clients on two connections to the server: nothing of one session shows in another, and nothing of it is lost. */
class SharedBackendsIT {
    private static final int BACKENDS = 2;
    private static final int CLIENTS = 8;
    private static final String SERVER_SESSION =
            "SELECT id FROM information_schema.processlist WHERE id = CONNECTION_ID()";

    private static TestKeyspace keyspace;
    private static ExecutorService threads;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of(
                config -> config.withEventLoops(1)
                        .withBackends(RouterConfig.backends(BACKENDS, Duration.ofSeconds(5), Duration.ofSeconds(10))),
                "-");
        threads = Executors.newCachedThreadPool();
        keyspace.admin(
                0, "CREATE TABLE chat.notes (id BIGINT AUTO_INCREMENT PRIMARY KEY, body VARCHAR(100)) CHARSET utf8mb4");
    }

    @AfterAll
    static void stop() throws Exception {
        threads.shutdownNow();
        keyspace.close();
    }

    @Test
    void eachSessionHasItsOwnVariables() throws Exception {
        together(client -> {
            var zone = "+0" + client + ":00";
            var properties = new Properties();
            if (client % 2 == 1) {
                properties.setProperty("characterEncoding", "ISO-8859-1");
            }
            try (var connection = keyspace.connect(properties)) {
                run(connection, "SET time_zone = '" + zone + "', @mine = " + client);
                if (client % 3 == 0) {
                    run(connection, "SET sql_mode = 'ANSI_QUOTES'");
                }
                for (int i = 0; i < 50; i++) {
                    assertThat(text(connection, "SELECT @@time_zone")).isEqualTo(zone);
                    assertThat(text(connection, "SELECT @mine")).isEqualTo(Integer.toString(client));
                    assertThat(text(connection, "SELECT @@sql_mode = 'ANSI_QUOTES'"))
                            .isEqualTo(client % 3 == 0 ? "1" : "0");
                    assertThat(text(connection, "SELECT HEX('é')")).isEqualTo(client % 2 == 1 ? "E9" : "C3A9");
                    assertThat(text(connection, "SELECT DATABASE()")).isEqualTo("chat");
                }
            }
            return null;
        });
        assertThat(serverSessions("app")).isBetween(1L, (long) BACKENDS);
    }

    /** One session wants none, another one does. */
    @Test
    void metadataIsForThoseWhoWantIt() throws Exception {
        int port = keyspace.port();
        together(client -> {
            try (var connection = RawClient.connect(port, Capability.OPTIONAL_RESULTSET_METADATA)) {
                if (client % 2 == 0) {
                    connection.query("SET resultset_metadata = NONE");
                }
                for (int i = 0; i < 50; i++) {
                    assertThat(connection.query("SELECT " + client)).startsWith(2, 0, 0, 1, 1, client % 2);
                }
            }
            return null;
        });
    }

    /** A statement that reads no table does not use it up, so the server keeps it. */
    @Test
    void whatIsSaidOfTheNextTransactionIsForNobodyElse() throws Exception {
        try (var one = keyspace.raw(0);
                var other = keyspace.raw(0)) {
            one.query("BEGIN");
            one.query("SELECT body FROM notes");
            for (var client : List.of(other, one)) {
                client.query("ROLLBACK");
                client.query("SET TRANSACTION READ ONLY");
                client.query("SELECT 1");
            }
        }
        try (var one = keyspace.raw(0);
                var other = keyspace.raw(0)) {
            for (var client : List.of(one, other)) {
                client.query("BEGIN");
                assertThat(said(client.query("INSERT INTO notes (body) VALUES ('allowed')")))
                        .startsWith("\0");
            }
        }
    }

    @Test
    void lastInsertIdGoesWithItsSession() throws Exception {
        together(client -> {
            try (var connection = keyspace.connect();
                    var insert = connection.prepareStatement(
                            "INSERT INTO notes (body) VALUES (?)", PreparedStatement.RETURN_GENERATED_KEYS)) {
                assertThat(text(connection, "SELECT LAST_INSERT_ID()")).isEqualTo("0");
                for (int i = 0; i < 50; i++) {
                    insert.setString(1, "of " + client);
                    insert.executeUpdate();
                    try (var keys = insert.getGeneratedKeys()) {
                        keys.next();
                        var made = keys.getString(1);
                        text(connection, "SELECT COUNT(*) FROM notes WHERE id < 100");
                        assertThat(text(connection, "SELECT LAST_INSERT_ID()")).isEqualTo(made);
                        assertThat(text(connection, "SELECT body FROM notes WHERE id = LAST_INSERT_ID()"))
                                .isEqualTo("of " + client);
                    }
                }
            }
            return null;
        });
    }

    @Test
    void whatWasLastBelongsToTheSessionOrIsRefused() throws Exception {
        try (var one = keyspace.connect();
                var two = keyspace.connect();
                var three = keyspace.connect()) {
            run(one, "INSERT INTO notes (body) VALUES ('a'), ('b')");
            assertThat(text(one, "SELECT ROW_COUNT()")).isEqualTo("2");
            run(one, "INSERT INTO notes (body) VALUES ('c')");
            text(two, "SELECT 1");
            text(three, "SELECT 1");
            text(two, "SELECT 1");
            assertThatThrownBy(() -> text(one, "SELECT ROW_COUNT()"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("another client needed it");
            run(one, "COMMIT");
            assertThat(text(one, "SELECT ROW_COUNT()")).isEqualTo("0");
            text(one, "SELECT 1 UNION SELECT 2");
            text(two, "SELECT 1");
            text(three, "SELECT 1");
            text(two, "SELECT 1");
            run(one, "COMMIT");
            assertThatThrownBy(() -> text(one, "SELECT FOUND_ROWS()"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("another client needed it");
        }
    }

    @Test
    void aTransactionKeepsItsConnectionAndOthersWait() throws Exception {
        var holders = new ArrayList<Connection>();
        try (var waiting = keyspace.connect()) {
            for (int i = 0; i < BACKENDS; i++) {
                var holder = keyspace.connect();
                holders.add(holder);
                holder.setAutoCommit(false);
                run(holder, "INSERT INTO notes (body) VALUES ('held " + i + "')");
            }
            var answer = CompletableFuture.supplyAsync(() -> unchecked(() -> text(waiting, "SELECT 1")), threads);
            await().until(() -> keyspace.metric("backend_waiting") >= 1);
            holders.getFirst().commit();
            assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo("1");
            assertThat(text(holders.getFirst(), "SELECT COUNT(*) FROM notes WHERE body = 'held 0'"))
                    .isEqualTo("1");
            assertThatThrownBy(() -> text(waiting, "SELECT 2")).isInstanceOfSatisfying(SQLException.class, error -> {
                assertThat(error.getErrorCode()).isEqualTo(1203);
                assertThat(error.getMessage()).contains("maxConnections");
            });
        } finally {
            for (var holder : holders) {
                holder.close();
            }
        }
        try (var after = keyspace.connect()) {
            assertThat(text(after, "SELECT COUNT(*) FROM notes WHERE body = 'held 1'"))
                    .as("a client that vanishes leaves its transaction rolled back")
                    .isEqualTo("0");
        }
    }

    @Test
    void temporaryTablesStayWithTheirSession() throws Exception {
        together(client -> {
            if (client > 0) {
                try (var connection = keyspace.connect()) {
                    for (int i = 0; i < 30; i++) {
                        assertThatThrownBy(() -> text(connection, "SELECT a FROM mine"))
                                .isInstanceOfSatisfying(
                                        SQLException.class,
                                        error ->
                                                assertThat(error.getErrorCode()).isEqualTo(1146));
                    }
                }
                return null;
            }
            try (var connection = keyspace.connect()) {
                run(connection, "CREATE TEMPORARY TABLE mine (a INT)");
                for (int i = 1; i <= 30; i++) {
                    run(connection, "INSERT INTO mine VALUES (1)");
                    assertThat(text(connection, "SELECT COUNT(*) FROM mine")).isEqualTo(Integer.toString(i));
                }
            }
            return null;
        });
    }

    @Test
    void preparedStatementsAreShared() throws Exception {
        var before = new AtomicLong();
        // A session that logs in later takes a connection that has more settings than its own, so it is made as new.
        var allHaveLoggedIn =
                new CyclicBarrier(CLIENTS, () -> before.set(unchecked(() -> counter("Com_stmt_prepare"))));
        together(client -> {
            try (var connection = keyspace.connect("useServerPrepStmts", "true");
                    var select = connection.prepareStatement("SELECT ? + 1, ?")) {
                allHaveLoggedIn.await(30, TimeUnit.SECONDS);
                for (int i = 0; i < 50; i++) {
                    if (client % 2 == 0) {
                        select.setInt(1, i);
                    } else {
                        select.setString(1, Integer.toString(i));
                    }
                    select.setString(2, "of " + client);
                    try (var rows = select.executeQuery()) {
                        rows.next();
                        assertThat(rows.getInt(1)).isEqualTo(i + 1);
                        assertThat(rows.getString(2)).isEqualTo("of " + client);
                    }
                }
            }
            return null;
        });
        assertThat(counter("Com_stmt_prepare") - before.get())
                .as("once on each connection, however often it changes hands")
                .isBetween(0L, (long) BACKENDS);
    }

    @Test
    void statementsThatNobodyNeedsAreClosedInTime() throws Exception {
        try (var connection = keyspace.connect("useServerPrepStmts", "true")) {
            for (int i = 0; i < 400; i++) {
                try (var select = connection.prepareStatement("SELECT ?, " + i)) {
                    select.setInt(1, i);
                    select.executeQuery().close();
                }
            }
            await().until(() ->
                    keyspace.number(0, "SELECT COUNT(*) FROM performance_schema.prepared_statements_instances")
                            <= 128 * BACKENDS);
        }
    }

    @Test
    void statementsThatNobodyNeedsMakeRoomForOthers() throws Exception {
        int port = keyspace.port();
        try (var one = RawClient.connect(port, 0);
                var other = RawClient.connect(port, 0);
                var direct = RawClient.connect(keyspace.server(0).port(), 0)) {
            // Each gets a connection of its own.
            one.query("BEGIN");
            one.query("SELECT body FROM notes");
            other.query("SELECT 1");
            one.query("COMMIT");
            keyspace.admin(0, "SET GLOBAL max_prepared_stmt_count = 0");
            assertThat(prepare(other, "SELECT 2"))
                    .as("MySQL's own error")
                    .isEqualTo(prepare(direct, "SELECT 2"))
                    .contains(1461 & 0xff, 1461 >> 8);
            assertThat(counter("Prepared_stmt_count")).as("kept without need").isZero();

            keyspace.admin(0, "SET GLOBAL max_prepared_stmt_count = 5");
            for (int id = 1; id <= 10; id++) {
                assertThat(said(prepare(one, "SELECT 'of one: " + id + ".'"))).startsWith("\0");
            }
            assertThat(said(other.query("PREPARE named FROM 'SELECT 3'"))).startsWith("\0");
            assertThat(said(prepare(other, "SELECT 'of another'"))).startsWith("\0");
            one.query("BEGIN");
            for (int id = 1; id <= 10; id++) {
                assertThat(said(execute(one, id))).contains("of one: " + id + ".");
                // Its first id was for what was refused.
                assertThat(said(execute(other, 2))).contains("of another");
            }
            assertThat(counter("Prepared_stmt_count")).isBetween(1L, 5L);
        } finally {
            keyspace.admin(0, "SET GLOBAL max_prepared_stmt_count = DEFAULT");
        }
        assertThat(keyspace.metric("defects_total")).isZero();
    }

    private static byte[] prepare(RawClient client, String sql) throws Exception {
        return client.ask(CommandByte.STMT_PREPARE, sql.getBytes(StandardCharsets.UTF_8), Kind.PREPARE);
    }

    private static byte[] execute(RawClient client, int id) throws Exception {
        return client.ask(CommandByte.STMT_EXECUTE, new byte[] {(byte) id, 0, 0, 0, 0, 1, 0, 0, 0}, Kind.RESULT);
    }

    /** Without the first packet's header. */
    private static String said(byte[] answer) {
        return new String(
                answer, PacketBuilder.HEADER, answer.length - PacketBuilder.HEADER, StandardCharsets.ISO_8859_1);
    }

    @Test
    void aNewClientFindsAConnectionThatIsOpen() throws Exception {
        String before;
        try (var connection = keyspace.connect()) {
            run(connection, "SET @left = 7, SESSION sort_buffer_size = 123456");
            before = text(connection, SERVER_SESSION);
        }
        var ids = new ArrayList<String>();
        for (int i = 0; i < BACKENDS; i++) {
            try (var connection = keyspace.connect()) {
                ids.add(text(connection, SERVER_SESSION));
                assertThat(text(connection, "SELECT @left")).isNull();
                assertThat(text(connection, "SELECT @@sort_buffer_size")).isNotEqualTo("123456");
            }
        }
        assertThat(ids).contains(before);
    }

    @Test
    void scattersOfManyClientsDoNotWaitForEachOther() throws Exception {
        var column = new VSchema.ShardKeyColumn("id", "bigint", null);
        var vschema = new VSchema(
                VSchema.UnlistedTables.FirstShard,
                List.of(new VSchema.VindexSpec("by_id", "xxhash")),
                List.of(new VSchema.TableSpec("notes", List.of(new VSchema.ColumnVindex(List.of(column), "by_id")))));
        try (var sharded = TestKeyspace.of(
                vschema,
                config -> config.withEventLoops(1)
                        .withBackends(RouterConfig.backends(1, Duration.ofSeconds(20), Duration.ofSeconds(10))),
                "-80",
                "80-")) {
            try (var connection = sharded.connect()) {
                run(connection, "CREATE TABLE notes (id BIGINT PRIMARY KEY, client INT)");
            }
            together(client -> {
                try (var connection = sharded.connect()) {
                    for (int i = 1; i <= 30; i++) {
                        run(
                                connection,
                                "INSERT INTO notes (id, client) VALUES (" + (100 * client + i) + ", " + client + ")");
                        assertThat(text(connection, "SELECT COUNT(*) FROM notes WHERE client = " + client))
                                .isEqualTo(Integer.toString(i));
                    }
                }
                return null;
            });
            assertThat(sharded.number(0, "SELECT COUNT(*) FROM chat.notes")
                            + sharded.number(1, "SELECT COUNT(*) FROM chat.notes"))
                    .isEqualTo(30 * CLIENTS);
        }
    }

    private interface Client {
        Void run(int number) throws Exception;
    }

    private static void together(Client client) throws Exception {
        List<Future<Void>> all = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            Callable<Void> task = () -> client.run(number);
            all.add(threads.submit(task));
        }
        for (var each : all) {
            each.get(60, TimeUnit.SECONDS);
        }
    }

    private static long counter(String name) throws SQLException {
        try (var connection = keyspace.server(0).connect(TestServers.OPERATOR);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + name + "'")) {
            rows.next();
            return rows.getLong(2);
        }
    }

    private static long serverSessions(String user) throws SQLException {
        return keyspace.number(0, "SELECT COUNT(*) FROM information_schema.processlist WHERE user = '" + user + "'");
    }

    private static <T> T unchecked(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
