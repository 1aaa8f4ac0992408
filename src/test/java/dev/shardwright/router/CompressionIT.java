package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.jdbc.JdbcConnection;
import dev.shardwright.mysql.wire.CachingSha2;
import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.ClientLogin;
import dev.shardwright.mysql.wire.ServerGreeting;
import dev.shardwright.testing.TestCertificate;
import dev.shardwright.testing.TestServers;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that ask for compression: Connector/J, the mysql program, and one that sends rubbish. */
class CompressionIT {
    private static final int BIG = 20 << 20;
    private static final int ROWS = 20_000;

    @TempDir
    static Path directory;

    private static TestCertificate certificate;
    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        certificate = TestCertificate.make(directory, "router");
        var secret = Files.createDirectory(directory.resolve("secret"));
        certificate.write(secret);
        keyspace = TestKeyspace.of(config -> config.withTls(new RouterConfig.Tls(secret, false)), "-");
        try (var connection = connect("");
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE notes (id INT PRIMARY KEY, body VARCHAR(200))");
            statement.execute("SET cte_max_recursion_depth = " + ROWS);
            statement.execute("INSERT INTO notes WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n"
                    + " WHERE id < " + ROWS + ") SELECT id, CONCAT('note ', id) FROM n");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sslMode=DISABLED",
                "sslMode=DISABLED&useServerPrepStmts=true",
                "sslMode=VERIFY_IDENTITY&useServerPrepStmts=true"
            })
    void connectorJ(String how) throws SQLException {
        try (var connection = connect("&useCompression=true&" + how)) {
            for (int i = 0; i < 200; i++) {
                assertThat(text(connection, "SELECT CONCAT('small ', ?)", "no. " + i))
                        .isEqualTo("small no. " + i);
            }
            assertThat(text(connection, "SELECT LENGTH(?)", "y".repeat(BIG))).isEqualTo(Integer.toString(BIG));
            assertThat(text(connection, "SELECT REPEAT(?, " + BIG / 10 + ")", "0123456789"))
                    .hasSize(BIG)
                    .endsWith("0123456789");
            var dense = new StringBuilder();
            new Random(5).ints(300_000, 32, 127).forEach(c -> dense.append((char) c));
            assertThat(text(connection, "SELECT ?", dense.toString())).isEqualTo(dense.toString());
            assertThat(rows(connection, "notes")).isEqualTo(ROWS);
        }
    }

    private static int rows(Connection connection, String table) throws SQLException {
        try (var rows = connection.createStatement().executeQuery("SELECT id, body FROM " + table + " ORDER BY id")) {
            int count = 0;
            while (rows.next()) {
                assertThat(rows.getInt(1)).isEqualTo(++count);
                assertThat(rows.getString(2)).isEqualTo("note " + count);
            }
            return count;
        }
    }

    private static String text(Connection connection, String sql, String parameter) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            statement.setString(1, parameter);
            try (var rows = statement.executeQuery()) {
                rows.next();
                return rows.getString(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zlib", "zstd", "zstd,zlib,uncompressed"})
    void theMysqlProgram(String algorithms) throws Exception {
        for (var tls : List.of("--ssl-mode=DISABLED", "--ssl-mode=REQUIRED")) {
            var output = keyspace.mysql(
                    "--max-allowed-packet=64M",
                    "--compression-algorithms=" + algorithms,
                    "--zstd-compression-level=19",
                    tls,
                    "--execute=SELECT LENGTH('" + "z".repeat(100_000)
                            + "'), REPEAT('ab', 3); SELECT id, body FROM notes" + " ORDER BY id; SELECT REPEAT('w', "
                            + BIG + ")");
            assertThat(output).contains("100000\tababab\n1\tnote 1\n", ROWS + "\tnote " + ROWS + "\n");
            assertThat(output.length() - output.indexOf('w')).isEqualTo(BIG + 1);
        }
    }

    @Test
    void aSlowReaderOfAGreatResultGetsAllOfIt() throws Exception {
        try (var connection = connect("&useCompression=true&sslMode=DISABLED");
                var statement = connection.createStatement()) {
            statement.setFetchSize(Integer.MIN_VALUE);
            try (var rows = statement.executeQuery(
                    "SELECT a.id, REPEAT(SHA2(a.id + b.id, 256), 50) FROM notes a, notes b WHERE a.id <= 300 AND b.id <= 40")) {
                int count = 0;
                while (rows.next()) {
                    assertThat(rows.getString(2)).hasSize(3_200);
                    if (count++ % 1_000 == 0) {
                        Thread.sleep(50);
                    }
                }
                assertThat(count).isEqualTo(300 * 40);
            }
        }
    }

    /** Its packets are numbered on from the server's question, past 255 and in packets of both kinds. */
    @Test
    void aFileOfTheClients() throws Exception {
        var file = directory.resolve("copy.txt");
        var lines = new StringBuilder();
        for (int id = 1; id <= 200_000; id++) {
            lines.append(id).append("\tnote ").append(id).append('\n');
        }
        Files.writeString(file, lines);
        try (var connection = connect("&useCompression=true&allowLoadLocalInfile=true");
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE copy LIKE notes");
            assertThat(statement.executeUpdate("LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE copy"))
                    .isEqualTo(200_000);
            assertThat(rows(connection, "copy")).isEqualTo(200_000);
        }
        keyspace.mysql(
                "--compression-algorithms=zstd",
                "--local-infile=1",
                "--execute=TRUNCATE copy; LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE copy");
        assertThat(keyspace.number(0, "SELECT COUNT(*) FROM chat.copy")).isEqualTo(200_000);
    }

    /** The OK packet comes later then, from the server's answer on. */
    @Test
    void aLoginToADatabaseBesideTheKeyspaces() throws SQLException {
        try (var connection = DriverManager.getConnection(
                keyspace.url(TestServers.ASIDE) + "?useCompression=true&" + certificate.jdbcTrust(),
                TestServers.APP.user(),
                TestServers.APP.password())) {
            assertThat(text(connection, "SELECT CONCAT(DATABASE(), ?)", "y".repeat(100_000)))
                    .hasSize(TestServers.ASIDE.length() + 100_000);
            connection.unwrap(JdbcConnection.class).changeUser("app", "app-secret");
            assertThat(rows(connection, "chat.notes")).isEqualTo(ROWS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Capability.COMPRESS, Capability.ZSTD_COMPRESSION})
    void isSwitchedOnByTheLoginAndRubbishEndsIt(int algorithm) throws Exception {
        try (var neighbour = connect("&useCompression=true");
                var socket = new Socket("127.0.0.1", keyspace.port())) {
            socket.setSoTimeout(20_000);
            var in = new DataInputStream(socket.getInputStream());
            logIn(socket, in, algorithm);
            var sql = "SELECT REPEAT('x', 50000)".getBytes(StandardCharsets.UTF_8);
            var query = Unpooled.buffer()
                    .writeMediumLE(sql.length + 5)
                    .writeByte(0)
                    .writeMediumLE(0)
                    .writeMediumLE(sql.length + 1)
                    .writeByte(0)
                    .writeByte(3)
                    .writeBytes(sql);
            query.readBytes(socket.getOutputStream(), query.readableBytes());
            // It comes in as many pieces as the router has got it from the server.
            int left = answerTo(sql);
            for (int number = 1; left > 0; number++) {
                left -= Piece.read(in, number).bytes();
            }
            assertThat(left).isZero();

            socket.getOutputStream().write(new byte[] {5, 0, 0, 0, 100, 0, 0, 'w', 'r', 'o', 'n', 'g'});
            assertThat(Piece.read(in, 1).compressed()).as("an error").isFalse();
            assertThat(in.read()).as("the end").isNegative();
            assertThat(neighbour.isValid(5)).isTrue();
        }
        assertThat(keyspace.metric("defects_total")).isZero();
    }

    private static void logIn(Socket socket, DataInputStream in, int algorithm) throws IOException {
        var greeting = ServerGreeting.read(Unpooled.wrappedBuffer(packet(in)));
        int capabilities = Capability.PROTOCOL_41
                | Capability.PLUGIN_AUTH
                | Capability.PLUGIN_AUTH_LENENC_DATA
                | Capability.DEPRECATE_EOF
                | algorithm;
        var proof = CachingSha2.scramble(TestServers.APP.password(), greeting.nonce());
        var out = Unpooled.buffer();
        new ClientLogin(capabilities, 1 << 24, 45, "app", proof, null, CachingSha2.PLUGIN).write(out, 1);
        out.readBytes(socket.getOutputStream(), out.readableBytes());
        packet(in);
        assertThat(packet(in)[0]).as("OK, not compressed").isZero();
    }

    /** Length of the answer without compression. */
    private static int answerTo(byte[] sql) throws Exception {
        try (var client = keyspace.raw(Capability.DEPRECATE_EOF)) {
            return client.query(new String(sql, StandardCharsets.UTF_8)).length;
        }
    }

    /** One packet of the compressed protocol, of which a great result has some; {@code bytes}: before compression. */
    private record Piece(int bytes, boolean compressed) {
        static Piece read(DataInputStream in, int number) throws IOException {
            int length = medium(in);
            assertThat(in.readUnsignedByte()).isEqualTo(number);
            int before = medium(in);
            in.readNBytes(length);
            assertThat(length).isLessThan(1_000);
            return new Piece(before == 0 ? length : before, before > 0);
        }
    }

    private static byte[] packet(DataInputStream in) throws IOException {
        int length = medium(in);
        in.readByte();
        return in.readNBytes(length);
    }

    private static int medium(DataInputStream in) throws IOException {
        return in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
    }

    private static Connection connect(String more) throws SQLException {
        return DriverManager.getConnection(
                keyspace.url("chat") + "?" + certificate.jdbcTrust() + more,
                TestServers.APP.user(),
                TestServers.APP.password());
    }
}
