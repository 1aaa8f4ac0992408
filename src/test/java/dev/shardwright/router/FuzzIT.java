package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.shardwright.mysql.wire.CachingSha2;
import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.ClientLogin;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ServerGreeting;
import dev.shardwright.router.pool.PoolSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.ResourceLeakDetector;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Sessions of a client whose bytes were changed at random: each may lose its own connection, and nothing else may happen.
 * {@code -Dfuzz.sessions} runs more than the usual number, {@code -Dfuzz.seed} others.
 */
class FuzzIT {
    private static final int SESSIONS = Integer.getInteger("fuzz.sessions", 1_500);
    private static final int CAPABILITIES = Capability.PROTOCOL_41
            | Capability.PLUGIN_AUTH
            | Capability.PLUGIN_AUTH_LENENC_DATA
            | Capability.SECURE_CONNECTION
            | Capability.DEPRECATE_EOF
            | Capability.MULTI_STATEMENTS
            | Capability.CONNECT_WITH_DB;

    private static TestKeyspace keyspace;

    private final Random random = new Random(Long.getLong("fuzz.seed", 20_260_711));

    @BeforeAll
    static void start() throws Exception {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.ADVANCED);
        var backends = new PoolSettings(
                PoolSettings.CONNECTIONS,
                PoolSettings.QUEUE,
                PoolSettings.QUEUE_TIMEOUT,
                Duration.ofSeconds(1),
                RouterConfig.BUFFER_TIMEOUT);
        keyspace = TestKeyspace.of(config -> config.withBackends(backends), "-");
        keyspace.admin(0, "CREATE TABLE chat.notes (id INT PRIMARY KEY, body VARCHAR(200))");
        keyspace.admin(0, "INSERT INTO chat.notes VALUES (1, 'one'), (2, 'two')");
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @Test
    void changedBytesHarmOnlyTheirOwnConnection() throws Exception {
        var ending = new AtomicBoolean();
        var neighbour = CompletableFuture.supplyAsync(() -> neighbour(ending));
        try {
            for (int i = 0; i < SESSIONS; i++) {
                boolean attributes = random.nextInt(3) == 0;
                session(attributes, changed(commands(attributes)));
            }
        } finally {
            ending.set(true);
        }
        assertThat(neighbour.get()).as("right answers beside it").isPositive();
        assertThat(keyspace.metric("defects_total")).isZero();
        await().atMost(Duration.ofSeconds(30)).until(() -> keyspace.metric("clients") == 0);
        await().atMost(Duration.ofSeconds(30)).until(() -> keyspace.metric("backends") == 0);
    }

    /** Returns how often it was answered rightly; fails when it was not. */
    private static int neighbour(AtomicBoolean ending) {
        int asked = 0;
        try (var connection = keyspace.connect();
                var statement = connection.prepareStatement("SELECT ?, body FROM notes WHERE id = 2")) {
            while (!ending.get()) {
                statement.setInt(1, ++asked);
                try (var rows = statement.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getInt(1)).isEqualTo(asked);
                    assertThat(rows.getString(2)).isEqualTo("two");
                }
                Thread.sleep(5);
            }
            return asked;
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException("after " + asked + " right answers", e);
        }
    }

    /** Each a whole packet. */
    private static List<byte[]> commands(boolean attributes) {
        var none = attributes ? "\0\1" : "";
        var some = attributes ? "\1\1\0\1\17\0\1a\2xy" : "";
        return List.of(
                command(CommandByte.QUERY, none + "SELECT id, body FROM notes ORDER BY id"),
                command(CommandByte.QUERY, some + "SET @a = 5, sql_mode = 'ANSI_QUOTES'"),
                command(CommandByte.QUERY, none + "SELECT 1; BEGIN; SELECT ';'; COMMIT; SELECT body FROM notes"),
                command(CommandByte.QUERY, none + "BEGIN"),
                command(CommandByte.QUERY, some + "SELECT body FROM notes WHERE id = 1 FOR UPDATE"),
                command(CommandByte.QUERY, none + "ROLLBACK"),
                command(CommandByte.STMT_PREPARE, "SELECT body FROM notes WHERE id = ? OR body = ?"),
                execute(attributes, 0),
                execute(attributes, 1),
                new byte[] {5, 0, 0, 0, CommandByte.STMT_RESET, 1, 0, 0, 0},
                new byte[] {9, 0, 0, 0, CommandByte.STMT_FETCH, 1, 0, 0, 0, 10, 0, 0, 0},
                new byte[] {9, 0, 0, 0, CommandByte.STMT_SEND_LONG_DATA, 1, 0, 0, 0, 1, 0, 'a', 'b'},
                new byte[] {5, 0, 0, 0, CommandByte.STMT_CLOSE, 1, 0, 0, 0},
                command(CommandByte.INIT_DB, "chat"),
                command(CommandByte.FIELD_LIST, "notes\0%"),
                new byte[] {3, 0, 0, 0, CommandByte.SET_OPTION, 1, 0},
                new byte[] {3, 0, 0, 0, CommandByte.SET_OPTION, 0, 0},
                command(CommandByte.PING, ""),
                command(CommandByte.STATISTICS, ""),
                command(CommandByte.RESET_CONNECTION, ""),
                command(CommandByte.CHANGE_USER, "app\0\0chat\0\u0021\0caching_sha2_password\0"));
    }

    private static byte[] command(int code, String text) {
        var out = Unpooled.buffer();
        PacketBuilder.begin(out, 0).int1(code).text(text).end();
        return ByteBufUtil.getBytes(out);
    }

    /** @param flags 1 asks for a cursor */
    private static byte[] execute(boolean attributes, int flags) {
        var out = Unpooled.buffer();
        var packet = PacketBuilder.begin(out, 0).int1(CommandByte.STMT_EXECUTE).int4(1);
        if (attributes) {
            packet.int1(8 | flags)
                    .int4(1)
                    .int1(3)
                    .int1(0)
                    .int1(1)
                    .int2(3)
                    .int1(0)
                    .int2(0xfd)
                    .int1(0)
                    .int2(0xfd)
                    .int1(1)
                    .int1('a');
        } else {
            packet.int1(flags).int4(1).int1(0).int1(1).int2(3).int2(0xfd);
        }
        packet.int4(1).int1(3).text("two").text(attributes ? "\2xy" : "").end();
        return ByteBufUtil.getBytes(out);
    }

    /** Some of them, in any order, with a few bytes that are others, missing, or there twice. */
    private byte[] changed(List<byte[]> commands) {
        ByteBuf all = Unpooled.buffer();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            all.writeBytes(commands.get(random.nextInt(commands.size())));
        }
        var bytes = new ArrayList<Byte>();
        for (byte b : ByteBufUtil.getBytes(all)) {
            bytes.add(b);
        }
        int changes = random.nextInt(5);
        for (int i = 0; i < changes && !bytes.isEmpty(); i++) {
            change(bytes);
        }
        var result = new byte[bytes.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = bytes.get(i);
        }
        return result;
    }

    private void change(List<Byte> bytes) {
        int at = random.nextInt(bytes.size());
        switch (random.nextInt(6)) {
            case 0 -> bytes.set(at, (byte) random.nextInt());
            case 1 -> bytes.set(at, (byte) (bytes.get(at) ^ 1 << random.nextInt(8)));
            case 2 -> bytes.remove(at);
            case 3 -> bytes.add(at, (byte) random.nextInt());
            case 4 -> bytes.subList(at, bytes.size()).clear();
            default -> bytes.addAll(at, List.copyOf(bytes.subList(at, Math.min(bytes.size(), at + 20))));
        }
    }

    /** Logs in properly, sends the bytes, and reads until the router has no more to say. */
    private void session(boolean attributes, byte[] bytes) throws IOException {
        try (var socket =
                new Socket("127.0.0.1", keyspace.router().mysqlAddress().getPort())) {
            socket.setSoTimeout(20_000);
            var in = new DataInputStream(socket.getInputStream());
            var greeting = ServerGreeting.read(packet(in));
            var login = Unpooled.buffer();
            var proof = CachingSha2.scramble("app-secret", greeting.nonce());
            int capabilities = CAPABILITIES | (attributes ? Capability.QUERY_ATTRIBUTES : 0);
            new ClientLogin(capabilities, 1 << 24, 45, "app", proof, "chat", CachingSha2.PLUGIN).write(login, 1);
            login.readBytes(socket.getOutputStream(), login.readableBytes());
            packet(in);
            assertThat(packet(in).getByte(0)).as("OK to the login").isZero();
            socket.getOutputStream().write(bytes);
            if (random.nextBoolean()) {
                socket.shutdownOutput();
                in.readAllBytes();
            }
        } catch (java.net.SocketException e) {
            // Closed by the router while it was being written to.
            assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe|abort).*");
        }
    }

    private static ByteBuf packet(DataInputStream in) throws IOException {
        int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
        in.readByte();
        return Unpooled.wrappedBuffer(in.readNBytes(length));
    }
}
