package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.shardwright.testing.TestCertificate;
import dev.shardwright.testing.TestServers;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS between clients and the router. */
class TlsIT {
    @TempDir
    static Path directory;

    private static Path secret;
    private static TestCertificate first;
    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        first = TestCertificate.make(directory, "first");
        secret = Files.createDirectory(directory.resolve("secret"));
        first.write(secret);
        keyspace = TestKeyspace.of(config -> config.withTls(new RouterConfig.Tls(secret, false)), "-");
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @Test
    void clientsThatVerifyTheCertificateAreServed() throws SQLException {
        for (var prepared : new String[] {"false", "true"}) {
            try (var connection = connect(first, "&useServerPrepStmts=" + prepared);
                    var statement = connection.prepareStatement("SELECT REPEAT('x', ?), ?")) {
                statement.setInt(1, 20 << 20);
                statement.setString(2, "bücher");
                try (var rows = statement.executeQuery()) {
                    rows.next();
                    assertThat(rows.getString(1)).hasSize(20 << 20);
                    assertThat(rows.getString(2)).isEqualTo("bücher");
                }
            }
        }
    }

    @Test
    void aStatementLargerThanOnePacketArrives() throws SQLException {
        try (var connection = connect(first, "");
                var statement = connection.prepareStatement("SELECT LENGTH(?)")) {
            statement.setString(1, "y".repeat(17 << 20));
            try (var rows = statement.executeQuery()) {
                rows.next();
                assertThat(rows.getInt(1)).isEqualTo(17 << 20);
            }
        }
    }

    @Test
    void whoDoesNotWantTlsGoesWithout() throws SQLException {
        try (var connection = plain(keyspace);
                var rows = connection.createStatement().executeQuery("SELECT 1")) {
            assertThat(rows.next()).isTrue();
        }
    }

    @Test
    void aWrongPasswordIsAWrongPassword() {
        assertThatThrownBy(() -> DriverManager.getConnection(url(keyspace, first, ""), "app", "nonsense"))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        error -> assertThat(error.getErrorCode()).isEqualTo(1045));
    }

    @Test
    void aCertificateIsChangedWithoutARestart() throws Exception {
        var changing = Files.createDirectory(directory.resolve("changing"));
        first.write(changing);
        try (var own = TestKeyspace.of(config -> config.withTls(new RouterConfig.Tls(changing, false)), "-");
                var before = DriverManager.getConnection(url(own, first, ""), "app", "app-secret")) {
            var second = TestCertificate.make(directory, "second");
            Files.writeString(changing.resolve("tls.key"), "nonsense");
            Files.writeString(changing.resolve("tls.crt"), "nonsense");
            // Longer than the router needs to look again.
            Thread.sleep(Duration.ofSeconds(5));
            DriverManager.getConnection(url(own, first, ""), "app", "app-secret")
                    .close();

            second.write(changing);
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> DriverManager.getConnection(url(own, second, ""), "app", "app-secret")
                            .isValid(5));
            assertThatThrownBy(() -> DriverManager.getConnection(url(own, first, ""), "app", "app-secret"))
                    .isInstanceOf(SQLException.class);
            assertThat(before.isValid(5)).as("what began before goes on").isTrue();
        }
    }

    @Test
    void aRouterThatRequiresTlsSaysSo() throws Exception {
        try (var strict = TestKeyspace.of(config -> config.withTls(new RouterConfig.Tls(secret, true)), "-")) {
            assertThatThrownBy(() -> plain(strict)).isInstanceOfSatisfying(SQLException.class, error -> {
                assertThat(error.getErrorCode()).isEqualTo(3159);
                assertThat(error.getMessage()).contains("requires TLS");
            });
            DriverManager.getConnection(url(strict, first, ""), "app", "app-secret")
                    .close();
        }
    }

    @Test
    void rubbishInsteadOfAHandshakeHarmsNobodyElse() throws Exception {
        try (var good = connect(first, "")) {
            for (int i = 0; i < 20; i++) {
                try (var socket = new Socket("127.0.0.1", keyspace.port())) {
                    socket.setSoTimeout(10_000);
                    assertThat(socket.getInputStream().read()).isPositive();
                    // An SSLRequest and then something that is no TLS, in one go.
                    var request = new byte[36 + 200];
                    request[0] = 32;
                    request[3] = 1;
                    request[5] = (byte) 0x0a;
                    request[4 + 1] = (byte) 0x8a;
                    for (int at = 36; at < request.length; at++) {
                        request[at] = (byte) (at * 31 + i);
                    }
                    socket.getOutputStream().write(request);
                    assertThat(closed(socket)).isTrue();
                }
            }
            assertThat(good.isValid(5)).isTrue();
        }
    }

    private static boolean closed(Socket socket) {
        try {
            var buffer = new byte[4_096];
            while (socket.getInputStream().read(buffer) >= 0) {
                // The rest of the greeting, and an alert.
            }
            return true;
        } catch (IOException e) {
            return !(e instanceof java.net.SocketTimeoutException);
        }
    }

    @Test
    void aRouterWithoutAUsableKeyDoesNotStart() throws IOException {
        var bad = Files.createDirectory(directory.resolve("bad"));
        Files.writeString(bad.resolve("tls.crt"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        Files.writeString(
                bad.resolve("tls.key"), "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
        assertThatThrownBy(() -> new Certificates(bad))
                .hasMessageContaining("PKCS #8")
                .hasMessageContaining("tls.key");
    }

    private static Connection plain(TestKeyspace where) throws SQLException {
        var properties = new Properties();
        properties.setProperty("sslMode", "DISABLED");
        return where.connect(properties);
    }

    private static Connection connect(TestCertificate trusted, String more) throws SQLException {
        return DriverManager.getConnection(url(keyspace, trusted, more), TestServers.APP.user(), "app-secret");
    }

    private static String url(TestKeyspace where, TestCertificate trusted, String more) {
        return "jdbc:mysql://127.0.0.1:" + where.router().mysqlAddress().getPort() + "/chat?sslMode=VERIFY_IDENTITY&"
                + trusted.jdbcTrust() + more;
    }
}
