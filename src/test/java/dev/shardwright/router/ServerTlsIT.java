package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mysql.cj.jdbc.JdbcStatement;
import dev.shardwright.testing.TestAuthority;
import dev.shardwright.testing.TestAuthority.Signed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS between the router and the shards' servers. */
class ServerTlsIT {
    @TempDir
    static Path directory;

    private static TestAuthority authority;
    private static Signed good;
    private static Path trusted;
    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        authority = TestAuthority.make(directory, "authority");
        good = authority.sign("good", "ip:127.0.0.1");
        trusted = trust("trusted", authority);
        keyspace = TestKeyspace.of(config -> tuned(config, trusted, null), "-");
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @BeforeEach
    void serverShowsTheGoodCertificate() throws Exception {
        show(keyspace, authority, good);
    }

    private static RouterConfig tuned(RouterConfig config, Path ca, String name) {
        return config.withServerTls(new RouterConfig.ServerTls(ca, name))
                .withBuffer(Duration.ofSeconds(1), RouterConfig.BUFFER_BYTES);
    }

    private static Path trust(String name, TestAuthority whom) throws IOException {
        var made = Files.createDirectory(directory.resolve(name));
        Files.writeString(made.resolve("ca.crt"), whom.certificate());
        return made;
    }

    /** Where MySQL looks for them when it is told nothing. */
    private static void show(TestKeyspace where, TestAuthority by, Signed certificate) throws Exception {
        var data = where.server(0).directory().resolve("data");
        Files.writeString(data.resolve("ca.pem"), by.certificate());
        Files.writeString(data.resolve("server-cert.pem"), certificate.certificate());
        Files.writeString(data.resolve("server-key.pem"), certificate.key());
        where.admin(0, "ALTER INSTANCE RELOAD TLS");
    }

    private static String cipher(Connection connection) throws SQLException {
        try (var rows = connection.createStatement().executeQuery("SHOW SESSION STATUS LIKE 'Ssl_cipher'")) {
            rows.next();
            return rows.getString(2);
        }
    }

    @Test
    void bothWaysOfLoggingInAreEncrypted() throws Exception {
        // The server forgets whom it knows, so the first login hands the password over.
        keyspace.admin(0, "FLUSH PRIVILEGES");
        try (var full = keyspace.connect();
                var fast = keyspace.connect()) {
            // Two at a time, so each has a login of its own.
            full.setAutoCommit(false);
            fast.setAutoCommit(false);
            assertThat(serverSession(full)).isNotEqualTo(serverSession(fast));
            assertThat(cipher(full)).isNotEmpty();
            assertThat(cipher(fast)).isNotEmpty();
        }
    }

    private static long serverSession(Connection connection) throws SQLException {
        try (var rows = connection
                .createStatement()
                .executeQuery("SELECT id FROM information_schema.processlist WHERE id = CONNECTION_ID()")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void largeStatementsAndResultsPass() throws Exception {
        try (var connection = keyspace.connect();
                var statement = connection.prepareStatement("SELECT REPEAT('x', ?), LENGTH(?)")) {
            statement.setInt(1, 40 << 20);
            statement.setString(2, "y".repeat(17 << 20));
            try (var rows = statement.executeQuery()) {
                rows.next();
                assertThat(rows.getString(1)).hasSize(40 << 20);
                assertThat(rows.getInt(2)).isEqualTo(17 << 20);
            }
        }
    }

    @Test
    void aFileOfTheClientPasses() throws Exception {
        try (var connection = keyspace.connect("allowLoadLocalInfile", "true");
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE loaded (id INT PRIMARY KEY, body LONGTEXT)");
            var rows = new StringBuilder();
            for (int id = 0; id < 2_000; id++) {
                rows.append(id).append(',').append("z".repeat(5_000)).append('\n');
            }
            statement
                    .unwrap(JdbcStatement.class)
                    .setLocalInfileInputStream(
                            new ByteArrayInputStream(rows.toString().getBytes(StandardCharsets.US_ASCII)));
            statement.execute("LOAD DATA LOCAL INFILE 'x' INTO TABLE loaded FIELDS TERMINATED BY ','");
            try (var sum = statement.executeQuery("SELECT COUNT(*), SUM(LENGTH(body)) FROM loaded")) {
                sum.next();
                assertThat(sum.getInt(1)).isEqualTo(2_000);
                assertThat(sum.getLong(2)).isEqualTo(10_000_000);
            }
        }
    }

    @Test
    void killGoesTheSameWay() throws Exception {
        try (var sleeper = keyspace.connect();
                var statement = sleeper.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.executeQuery("SELECT SLEEP(30), 'a'"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("timeout");
        }
    }

    @Test
    void aServerOfAnotherAuthorityIsRefused() throws Exception {
        var stranger = TestAuthority.make(directory, "stranger");
        try (var own = TestKeyspace.of(config -> tuned(config, trusted, null), "-")) {
            show(own, stranger, stranger.sign("strange", "ip:127.0.0.1"));
            assertThatThrownBy(own::connect)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("shard chat-x-x can't be reached")
                    .hasMessageContaining("127.0.0.1")
                    .hasMessageContaining("ca.crt");
        }
    }

    @Test
    void aServerOfAnotherNameIsRefused() throws Exception {
        try (var own = TestKeyspace.of(config -> tuned(config, trusted, "chat-mysql.here"), "-")) {
            show(own, authority, good);
            assertThatThrownBy(own::connect)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("not good for the name chat-mysql.here");
            show(own, authority, authority.sign("named", "dns:chat-mysql.here"));
            try (var connection = own.connect()) {
                assertThat(cipher(connection)).isNotEmpty();
            }
        }
    }

    @Test
    void aNewAuthorityIsTakenUp() throws Exception {
        var changing = trust("changing", authority);
        var next = TestAuthority.make(directory, "next");
        try (var own = TestKeyspace.of(config -> tuned(config, changing, null), "-")) {
            show(own, authority, good);
            try (var before = own.connect();
                    var statement = before.createStatement()) {
                statement.execute("BEGIN");
                show(own, next, next.sign("renewed", "ip:127.0.0.1"));
                assertThatThrownBy(own::connect).isInstanceOf(SQLException.class);
                // Not usable: what was trusted before stays.
                Files.writeString(changing.resolve("ca.crt"), "nonsense");
                Files.writeString(changing.resolve("ca.crt"), next.certificate());
                await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
                    try (var after = own.connect()) {
                        return !cipher(after).isEmpty();
                    }
                });
                statement.execute("COMMIT");
            }
        }
    }

    @Test
    void aServerWithoutTlsIsRefused() throws Exception {
        try (var own = TestKeyspace.of(config -> tuned(config, trusted, null), "-")) {
            var data = own.server(0).directory().resolve("data");
            Files.writeString(data.resolve("server-cert.pem"), "nonsense");
            own.admin(0, "ALTER INSTANCE RELOAD TLS NO ROLLBACK ON ERROR");
            assertThatThrownBy(own::connect)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("offers no TLS")
                    .hasMessageContaining("spec.mysql.tls");
        }
    }

    @Test
    void aRouterWithoutAUsableAuthorityDoesNotStart() throws IOException {
        var bad = Files.createDirectory(directory.resolve("bad"));
        Files.writeString(bad.resolve("ca.crt"), "nonsense");
        assertThatThrownBy(() -> new ServerAuthority(new RouterConfig.ServerTls(bad, null)))
                .hasMessageContaining("ca.crt must be");
    }
}
