package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Clients that send what is no protocol, too slowly or too often lose their own connection and disturb no other. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BadClientsIT {
    private static final int MAX_CONNECTIONS = 20;

    /** MySQL's connect_timeout is as long. */
    private static final int LOGIN_SECONDS = 10;

    private static TestKeyspace keyspace;
    /** Each becomes the first byte that comes after the greeting; negative: the end. */
    private static final List<CompletableFuture<Integer>> NEVER_IN = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of(
                config -> config.withClients(new RouterConfig.Clients(MAX_CONNECTIONS, 0, List.of())), "-");
        // The other tests run in the time that these have.
        NEVER_IN.add(neverIn(0));
        NEVER_IN.add(neverIn(400));
    }

    /** @param pause between the bytes of a login; 0: none comes */
    private static CompletableFuture<Integer> neverIn(int pause) throws IOException {
        var socket = socket();
        socket.setSoTimeout(60_000);
        packet(new DataInputStream(socket.getInputStream()));
        if (pause > 0) {
            Thread.ofVirtual().start(() -> trickle(socket, pause));
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    try (socket) {
                        return socket.getInputStream().read();
                    } catch (SocketException e) {
                        // A byte has met the end.
                        return -1;
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                },
                Thread::startVirtualThread);
    }

    private static void trickle(Socket socket, int pause) {
        try {
            socket.getOutputStream().write(new byte[] {100, 0, 0, 1});
            for (int i = 0; i < 100; i++) {
                Thread.sleep(pause);
                socket.getOutputStream().write(0);
            }
        } catch (IOException e) {
            // The router has closed the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    /** Else they would take the places of others for as long as they like. */
    @Test
    @Order(Integer.MAX_VALUE)
    void aLoginThatTakesTooLong() throws Exception {
        for (var first : NEVER_IN) {
            assertThat(first.get(6L * LOGIN_SECONDS, TimeUnit.SECONDS)).isNegative();
        }
        try (var connection = keyspace.connect()) {
            assertWorks(connection);
        }
    }

    /** A host that has gone without a word is found out: see column "tr" of /proc/net/tcp, and what is behind it. */
    @Test
    void aClientIsAskedNowAndThenWhetherItIsThere() throws Exception {
        try (var client = keyspace.raw(Capability.DEPRECATE_EOF)) {
            client.query("DO 0");
            int router = keyspace.port();
            int server = keyspace.server(0).port();
            // To the client, and to the server; a packet that is not acknowledged yet has another timer.
            await().untilAsserted(
                            () -> assertThat(keepAlives(router, 1)).isNotEmpty().allMatch(BadClientsIT::withinAMinute));
            await().untilAsserted(
                            () -> assertThat(keepAlives(server, 2)).isNotEmpty().allMatch(BadClientsIT::withinAMinute));
        }
    }

    /**
     * The timers of connections with that port.
     *
     * @param column 1: it is the local one, 2: the other side's
     */
    private static List<String> keepAlives(int port, int column) {
        var wanted = ":%04X".formatted(port);
        return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
                .flatMap(BadClientsIT::lines)
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields[column].endsWith(wanted) && fields[3].equals("01"))
                .map(fields -> fields[5])
                .filter(timer -> timer.startsWith("02:"))
                .toList();
    }

    private static Stream<String> lines(String file) {
        try {
            return Files.exists(Path.of(file)) ? Files.readAllLines(Path.of(file)).stream() : Stream.empty();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** In hundredths of a second. */
    private static boolean withinAMinute(String timer) {
        return Integer.parseInt(timer.substring(3), 16) <= 60 * 100;
    }

    @Test
    void aFloodOfLogins() throws Exception {
        var outcomes = new ConcurrentLinkedQueue<String>();
        try (var neighbour = keyspace.connect();
                var flood = Executors.newVirtualThreadPerTaskExecutor()) {
            var ending = new AtomicBoolean();
            var answered =
                    CompletableFuture.supplyAsync(() -> answersUntil(ending, neighbour), Thread::startVirtualThread);
            for (int thread = 0; thread < 8; thread++) {
                int kind = thread;
                flood.submit(() -> {
                    for (int i = 0; i < 60; i++) {
                        outcomes.add(floodOnce(kind % 4));
                    }
                    return null;
                });
            }
            flood.shutdown();
            assertThat(flood.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            ending.set(true);
            assertThat(answered.get()).isPositive();
        }
        assertThat(outcomes).hasSize(8 * 60);
        assertThat(outcomes.stream().distinct())
                .containsAnyOf("app-secret 0", "app-secret 1040")
                .isSubsetOf("app-secret 0", "app-secret 1040", "guessed 1045", "guessed 1040", "half", "gone");
        await().until(() -> keyspace.metric("clients") == 0);
        try (var connection = keyspace.connect()) {
            assertWorks(connection);
        }
        assertThat(keyspace.metric("defects_total")).isZero();
    }

    private static int answersUntil(AtomicBoolean ending, Connection neighbour) {
        try {
            int count = 0;
            for (; !ending.get(); count++) {
                assertWorks(neighbour);
            }
            return count;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String floodOnce(int kind) throws IOException {
        try (var socket = socket()) {
            socket.setSoTimeout(20_000);
            if (kind == 0) {
                return "gone";
            }
            var in = new DataInputStream(socket.getInputStream());
            var greeting = packet(in);
            if (greeting[0] == (byte) 0xff) {
                return (kind == 1 ? "half" : kind == 2 ? "app-secret " : "guessed ")
                        + (kind == 1 ? "" : errno(greeting));
            }
            if (kind == 1) {
                socket.getOutputStream().write(new byte[] {100, 0, 0, 1, 0, 2});
                return "half";
            }
            var password = kind == 2 ? "app-secret" : "guessed";
            int capabilities = Capability.PROTOCOL_41 | Capability.PLUGIN_AUTH | Capability.PLUGIN_AUTH_LENENC_DATA;
            var proof = CachingSha2.scramble(password, nonce(greeting));
            var login = Unpooled.buffer();
            new ClientLogin(capabilities, 1 << 24, 45, "app", proof, null, CachingSha2.PLUGIN).write(login, 1);
            login.readBytes(socket.getOutputStream(), login.readableBytes());
            var answer = packet(in);
            return password + " " + (answer[0] == (byte) 0xff ? errno(answer) : 0);
        }
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
                        "--port=" + keyspace.port(),
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
        return new Socket("127.0.0.1", keyspace.port());
    }

    /** MySQL closes the connection too, but without reading on, so that many clients never see its error. */
    @Test
    void aPacketBeyondTheLimitEndsTheConnectionWithAnErrorThatIsSeen() throws Exception {
        try (var client = keyspace.raw(0)) {
            var answer = Unpooled.wrappedBuffer(
                    client.ask(CommandByte.QUERY, new byte[65 << 20], ResponseScanner.Kind.RESULT));
            assertThat(answer.getUnsignedShortLE(PacketBuilder.HEADER + 1)).isEqualTo(1153);
            assertThatThrownBy(() -> client.query("DO 1")).isInstanceOf(IOException.class);
        }
    }

    /** Of a command's payload, not of the packets that it takes. */
    @Test
    void theLimitCountsWhatMysqlCounts() throws Exception {
        int limit = 64 << 20;
        var largest = keyspace.number(0, "SELECT @@GLOBAL.max_allowed_packet");
        keyspace.admin(0, "SET GLOBAL max_allowed_packet = " + limit);
        try {
            for (int length : List.of(limit - 1, limit)) {
                assertThat(takes(keyspace.port(), length))
                        .as("%d bytes", length)
                        .isEqualTo(takes(keyspace.server(0).port(), length))
                        .isEqualTo(length < limit);
            }
        } finally {
            keyspace.admin(0, "SET GLOBAL max_allowed_packet = " + largest);
        }
    }

    /** @param length of the payload, its first byte included */
    private static boolean takes(int port, int length) throws IOException {
        var text = new byte[length - 1];
        Arrays.fill(text, (byte) ' ');
        System.arraycopy("DO 1".getBytes(StandardCharsets.US_ASCII), 0, text, 0, 4);
        try (var client = RawClient.connect(port, 0)) {
            return client.ask(CommandByte.QUERY, text, ResponseScanner.Kind.RESULT)[PacketBuilder.HEADER] == 0;
        } catch (IOException closed) {
            // MySQL does not read on, so its error may get lost.
            return false;
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
