package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.mysql.wire.CachingSha2;
import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.ClientLogin;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.NativePassword;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ResponseScanner;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients that send what is no protocol lose their own connection and disturb no other. */
class BadClientsIT {
    private static final int MAX_CONNECTIONS = 20;

    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of(
                config -> config.withClients(new RouterConfig.Clients(MAX_CONNECTIONS, 0, List.of())), "-");
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @Test
    void randomBytesInsteadOfALogin() throws Exception {
        try (var neighbour = keyspace.connect()) {
            var random = new Random(1);
            for (int i = 0; i < 50; i++) {
                var garbage = new byte[1 + random.nextInt(400)];
                random.nextBytes(garbage);
                sendAndDrain(garbage);
            }
            assertWorks(neighbour);
        }
    }

    @Test
    void aLoginThatEndsTooEarly() throws Exception {
        try (var socket = socket()) {
            var in = new DataInputStream(socket.getInputStream());
            packet(in);
            socket.getOutputStream().write(new byte[] {5, 0, 0, 1, 0, 2, 0, 0, 1});
            assertThat(errno(packet(in))).isEqualTo(1835);
            assertThatThrownBy(in::readByte).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void aClientWithAnotherPluginIsAskedToSwitch() throws Exception {
        try (var socket = socket()) {
            var in = new DataInputStream(socket.getInputStream());
            packet(in);
            int capabilities = Capability.PROTOCOL_41 | Capability.PLUGIN_AUTH | Capability.PLUGIN_AUTH_LENENC_DATA;
            var login = Unpooled.buffer();
            new ClientLogin(capabilities, 1 << 24, 45, "app", new byte[20], null, "some_other_plugin").write(login, 1);
            login.readBytes(socket.getOutputStream(), login.readableBytes());
            var wanted = packet(in);
            assertThat(wanted[0]).isEqualTo((byte) 0xfe);
            int nonceAt = 1 + CachingSha2.PLUGIN.length() + 1;
            var nonce = Arrays.copyOfRange(wanted, nonceAt, nonceAt + CachingSha2.NONCE_LENGTH);
            var proof = Unpooled.buffer();
            PacketBuilder.begin(proof, 3)
                    .bytes(CachingSha2.scramble("app-secret", nonce))
                    .end();
            proof.readBytes(socket.getOutputStream(), proof.readableBytes());
            assertThat(packet(in)).isEqualTo(new byte[] {CachingSha2.MORE_DATA, CachingSha2.FAST_SUCCESS});
            assertThat(packet(in)[0]).isZero();
        }
    }

    @Test
    void anOldClientProvesItsPasswordInTheOldWay() throws Exception {
        for (var password : new String[] {"app-secret", "guessed"}) {
            try (var socket = socket()) {
                var in = new DataInputStream(socket.getInputStream());
                var nonce = nonce(packet(in));
                int capabilities = Capability.PROTOCOL_41 | Capability.SECURE_CONNECTION | Capability.PLUGIN_AUTH;
                var out = Unpooled.buffer();
                PacketBuilder.begin(out, 1)
                        .int4(capabilities)
                        .int4(1 << 24)
                        .int1(33)
                        .zeros(23)
                        .nulTerminated("app")
                        .int1(20)
                        .bytes(NativePassword.scramble(password, nonce))
                        .nulTerminated(NativePassword.PLUGIN)
                        .end();
                out.readBytes(socket.getOutputStream(), out.readableBytes());
                var answer = packet(in);
                if (password.equals("app-secret")) {
                    assertThat(answer[0]).as("OK").isZero();
                } else {
                    assertThat(errno(answer)).isEqualTo(1045);
                }
            }
        }
    }

    /** The two parts of it in a greeting. */
    private static byte[] nonce(byte[] greeting) {
        int version = 1;
        while (greeting[version] != 0) {
            version++;
        }
        var nonce = Arrays.copyOfRange(greeting, version + 5, version + 5 + CachingSha2.NONCE_LENGTH);
        System.arraycopy(
                greeting, version + 5 + 8 + 1 + 2 + 1 + 2 + 2 + 1 + 10, nonce, 8, CachingSha2.NONCE_LENGTH - 8);
        return nonce;
    }

    @Test
    void packetsOutOfOrder() throws Exception {
        try (var socket = socket()) {
            var in = new DataInputStream(socket.getInputStream());
            packet(in);
            socket.getOutputStream().write(new byte[] {1, 0, 0, 9, 0});
            assertThat(errno(packet(in))).isEqualTo(1156);
        }
    }

    @Test
    void aClientThatBreaksOffInThePacket() throws Exception {
        try (var socket = socket()) {
            packet(new DataInputStream(socket.getInputStream()));
            socket.getOutputStream().write(new byte[] {100, 0, 0, 1, 0, 2});
        }
        try (var connection = keyspace.connect()) {
            assertWorks(connection);
        }
    }

    @Test
    void moreConnectionsThanAllowed() throws Exception {
        var connections = new ArrayList<Connection>();
        try {
            assertThatThrownBy(() -> {
                        for (int i = 0; i <= MAX_CONNECTIONS; i++) {
                            connections.add(keyspace.connect());
                        }
                    })
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("Too many connections");
            assertWorks(connections.getFirst());
        } finally {
            for (var connection : connections) {
                connection.close();
            }
        }
    }

    /** The client program of MySQL itself, with its own idea of the login and of the results. */
    @Test
    void theMysqlProgramWorks() throws Exception {
        var home = dev.shardwright.mysql.server.MysqlHome.find();
        var process = new ProcessBuilder(
                        home.mysqld().resolveSibling("mysql").toString(),
                        "--no-defaults",
                        "--host=127.0.0.1",
                        "--port=" + keyspace.router().mysqlAddress().getPort(),
                        "--user=app",
                        "--password=app-secret",
                        "--batch",
                        "--skip-column-names",
                        "--execute=SELECT 6 * 7; SHOW DATABASES LIKE 'chat'; SELECT DATABASE()",
                        "chat")
                .redirectErrorStream(true)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(output).contains("42\n", "chat\nchat\n");
        assertThat(process.exitValue()).isZero();
    }

    private static void sendAndDrain(byte[] bytes) throws IOException {
        try (var socket = socket()) {
            socket.setSoTimeout(200);
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (IOException reset) {
            // The router may close before it has read everything.
            assertThat(reset).isNotNull();
        }
    }

    private static Socket socket() throws IOException {
        return new Socket("127.0.0.1", keyspace.router().mysqlAddress().getPort());
    }

    /** MySQL closes the connection too, but without reading on, so that many clients never see its error. */
    @Test
    void aPacketBeyondTheLimitEndsTheConnectionWithAnErrorThatIsSeen() throws Exception {
        try (var client = RawClient.connect(keyspace.router().mysqlAddress().getPort(), 0)) {
            var answer = Unpooled.wrappedBuffer(
                    client.ask(CommandByte.QUERY, new byte[65 << 20], ResponseScanner.Kind.RESULT));
            assertThat(answer.getUnsignedShortLE(PacketBuilder.HEADER + 1)).isEqualTo(1153);
            assertThatThrownBy(() -> client.query("DO 1")).isInstanceOf(IOException.class);
        }
    }

    private static byte[] packet(DataInputStream in) throws IOException {
        int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
        in.readByte();
        return in.readNBytes(length);
    }

    private static int errno(byte[] packet) {
        assertThat(packet[0]).isEqualTo((byte) 0xff);
        return packet[1] & 0xff | (packet[2] & 0xff) << 8;
    }

    private static void assertWorks(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT 1")) {
            assertThat(rows.next()).isTrue();
        }
    }
}
