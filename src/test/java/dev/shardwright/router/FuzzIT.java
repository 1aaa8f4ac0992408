package dev.shardwright.router;

import static dev.shardwright.router.TestKeyspace.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.pool.PoolSettings;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Recorded sessions of a client, played again with changed packets: each may lose its own connection, and nothing else may
 * happen. What comes before the first change is answered as it was recorded, whatever the clients before have left behind.
 * {@code -Dfuzz.sessions} plays more than the usual number, {@code -Dfuzz.seed} others, {@code -Dfuzz.first} begins later
 * in the row of those; a leak's place is found with {@code -Dio.netty.leakDetection.level=paranoid}.
 */
class FuzzIT {
    private static final int SESSIONS = Integer.getInteger("fuzz.sessions", 2_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_260_711);
    private static final long FIRST = Long.getLong("fuzz.first", 0);
    private static final int LOAD = 30;
    private static final Duration SOON = Duration.ofSeconds(30);

    private static TestKeyspace keyspace;
    private static long before;
    private static final Map<FuzzDialect, List<Recorded>> RECORDED = new EnumMap<>(FuzzDialect.class);

    /** @param answers to each of the steps */
    private record Recorded(List<FuzzStep> steps, List<byte[]> answers) {}

    @BeforeAll
    static void start() throws Exception {
        before = buffers();
        var backends = new PoolSettings(
                PoolSettings.CONNECTIONS,
                PoolSettings.QUEUE,
                PoolSettings.QUEUE_TIMEOUT,
                Duration.ofSeconds(1),
                RouterConfig.BUFFER_TIMEOUT);
        keyspace = TestKeyspace.of(
                TestKeyspace.messagesByChannel(), config -> config.withBackends(backends), "-80", "80-");
        for (int server = 0; server < 2; server++) {
            keyspace.admin(
                    server,
                    "CREATE TABLE chat.messages (channel_id BIGINT, id INT, body VARCHAR(200),"
                            + " PRIMARY KEY (channel_id, id))");
        }
        keyspace.admin(0, "CREATE TABLE chat.notes (id INT PRIMARY KEY, body VARCHAR(200))");
        keyspace.admin(0, "CREATE TABLE chat.scratch (id INT, body VARCHAR(200))");
        keyspace.admin(0, "CREATE TABLE chat.steady (id INT PRIMARY KEY, body VARCHAR(200))");
        try (var connection = keyspace.connect()) {
            run(connection, "INSERT INTO notes VALUES (1, 'one'), (2, 'two')");
            run(connection, "INSERT INTO steady VALUES (1, 'one'), (2, 'two')");
            for (int i = 1; i <= LOAD; i++) {
                run(
                        connection,
                        "INSERT INTO messages (channel_id, id, body) VALUES (" + i % 10 + ", " + i + ", 'message " + i
                                + "')");
            }
        }
        for (int server = 0; server < 2; server++) {
            // What is sent by chance may not change what others are answered.
            keyspace.admin(server, "REVOKE ALL ON chat.* FROM app");
            keyspace.admin(server, "GRANT SELECT ON chat.messages TO app");
            keyspace.admin(server, "CREATE USER other IDENTIFIED BY 'other-secret'");
            keyspace.admin(server, "GRANT SELECT ON chat.messages TO other");
        }
        keyspace.admin(0, "GRANT SELECT ON chat.notes TO app");
        keyspace.admin(0, "GRANT INSERT ON chat.scratch TO app");
        keyspace.admin(0, "GRANT SELECT, INSERT ON chat.steady TO other");
        keyspace.admin(0, "SET GLOBAL local_infile = ON");
        for (var dialect : FuzzDialect.values()) {
            RECORDED.put(dialect, record(dialect));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    private static List<Recorded> record(FuzzDialect dialect) throws IOException {
        var all = new ArrayList<Recorded>();
        for (var steps : FuzzStep.scenes(dialect.attributes())) {
            var answers = new ArrayList<byte[]>();
            try (var client = client(dialect)) {
                var scanner = new ResponseScanner(dialect.capabilities());
                var last = new byte[0];
                for (var step : steps) {
                    client.write(step.of(client.id(), last));
                    last = answer(client, step, scanner);
                    answers.add(last);
                }
            }
            all.add(new Recorded(steps, answers));
        }
        return all;
    }

    private static FuzzClient client(FuzzDialect dialect) throws IOException {
        return new FuzzClient(keyspace.port(), dialect);
    }

    private static byte[] answer(FuzzClient client, FuzzStep step, ResponseScanner scanner) throws IOException {
        var all = Unpooled.buffer();
        if (step.role() == FuzzStep.Role.CHALLENGED) {
            all.writeBytes(client.read(4));
            return ByteBufUtil.getBytes(all.writeBytes(client.read(all.getUnsignedMediumLE(0))));
        }
        if (step.role() == FuzzStep.Role.PROOF) {
            // The word that the password is right.
            all.writeBytes(client.read(6));
        }
        if (step.kind() != null) {
            scanner.begin(step.kind(), step.role() == FuzzStep.Role.PROOF ? 4 : 1);
        } else if (step.role() != FuzzStep.Role.FILE) {
            return new byte[0];
        }
        int scanned = all.readableBytes();
        while (!scanner.done() && !scanner.takeFileRequest()) {
            all.writeBytes(client.readSome());
            scanned += scanner.scan(all.slice(scanned, all.readableBytes() - scanned));
            scanner.checkSound();
        }
        return ByteBufUtil.getBytes(all);
    }

    @Test
    void changedBytesHarmOnlyTheirOwnConnection() throws Exception {
        var ending = new AtomicBoolean();
        var neighbour = CompletableFuture.supplyAsync(() -> neighbour(ending));
        try {
            for (long number = FIRST; number < FIRST + SESSIONS; number++) {
                session(number);
            }
        } finally {
            ending.set(true);
        }
        assertThat(neighbour.get()).as("right answers beside it").isPositive();
        assertThat(keyspace.metric("defects_total")).isZero();
        await().atMost(SOON).until(() -> keyspace.metric("clients") == 0);
        await().atMost(SOON).until(() -> keyspace.metric("backends") == 0);
        for (int server = 0; server < 2; server++) {
            assertThat(keyspace.number(
                            server,
                            "SELECT COUNT(*) FROM information_schema.processlist WHERE user IN ('app', 'other')"))
                    .isZero();
        }
        await("all buffers are given back").atMost(SOON).until(() -> buffers() <= before);
    }

    /** Bytes in buffers that are in use, in the whole process. */
    private static long buffers() {
        return PooledByteBufAllocator.DEFAULT.pinnedDirectMemory() + PooledByteBufAllocator.DEFAULT.pinnedHeapMemory();
    }

    /** Returns how often it was answered rightly; fails when it was not. */
    private static int neighbour(AtomicBoolean ending) {
        int asked = 0;
        try (var connection = DriverManager.getConnection(keyspace.url("chat"), "other", "other-secret")) {
            while (!ending.get()) {
                asked++;
                assertThat(rows(connection, "SELECT ?, body FROM steady WHERE id <= 2 ORDER BY id", asked))
                        .containsExactly(asked + ":one", asked + ":two");
                assertThat(rows(connection, "SELECT ?, body FROM messages ORDER BY id LIMIT 2", asked))
                        .containsExactly(asked + ":message 1", asked + ":message 2");
                connection.setAutoCommit(false);
                run(connection, "INSERT INTO steady VALUES (" + (asked + 2) + ", 'mine')");
                assertThat(rows(connection, "SELECT ?, body FROM steady WHERE id > 2", asked))
                        .containsExactly(asked + ":mine");
                connection.rollback();
                connection.setAutoCommit(true);
                Thread.sleep(5);
            }
            return asked;
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException("after " + asked + " rounds", e);
        }
    }

    private static List<String> rows(Connection connection, String sql, int parameter) throws SQLException {
        var all = new ArrayList<String>();
        try (var statement = connection.prepareStatement(sql)) {
            statement.setInt(1, parameter);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    all.add(rows.getInt(1) + ":" + rows.getString(2));
                }
            }
        }
        return all;
    }

    /** All about it follows from its number. */
    private static void session(long number) throws IOException {
        var random = new Random(new Random(SEED + number).nextLong());
        var dialect = FuzzDialect.values()[random.nextInt(FuzzDialect.values().length)];
        var scenes = RECORDED.get(dialect);
        int scene = random.nextInt(scenes.size());
        var recorded = scenes.get(scene);
        int clean = random.nextInt(recorded.steps().size() + 1);
        var dirty = new byte[0];
        try (var client = client(dialect)) {
            dirty = dirty(
                    random,
                    dialect,
                    scenes,
                    recorded.steps().subList(clean, recorded.steps().size()),
                    client.id());
            play(client, recorded, clean, random.nextBoolean(), dirty);
            end(client, random);
        } catch (AssertionError | IOException e) {
            throw new AssertionError(
                    "-Dfuzz.seed=" + SEED + " -Dfuzz.first=" + number + " -Dfuzz.sessions=1: scene " + scene + ", "
                            + dialect + ", after " + clean + " steps came " + ByteBufUtil.hexDump(dirty),
                    e);
        }
    }

    private static byte[] dirty(
            Random random, FuzzDialect dialect, List<Recorded> scenes, List<FuzzStep> rest, int clientId) {
        var packets = new ArrayList<byte[]>();
        rest.forEach(step -> packets.add(step.of(clientId, new byte[0])));
        int more = random.nextInt(3) + (packets.isEmpty() ? 1 : 0);
        for (int i = 0; i < more; i++) {
            if (random.nextInt(5) == 0) {
                packets.add(
                        FuzzStep.others().get(random.nextInt(FuzzStep.others().size())));
            } else {
                var steps = scenes.get(random.nextInt(scenes.size())).steps();
                packets.add(steps.get(random.nextInt(steps.size())).of(clientId, new byte[0]));
            }
        }
        var mutation = new FuzzMutation(random);
        if (!dialect.compressed()) {
            return mutation.changed(packets);
        }
        if (random.nextBoolean()) {
            return dialect.packed(mutation.changed(packets));
        }
        var all = new ByteArrayOutputStream();
        packets.forEach(packet -> all.writeBytes(dialect.packed(packet)));
        return mutation.changed(all.toByteArray());
    }

    /**
     * Sends some steps as they were recorded and then the dirty bytes.
     *
     * @param ahead whether without waiting for answers
     */
    private static void play(FuzzClient client, Recorded recorded, int clean, boolean ahead, byte[] dirty)
            throws IOException {
        int checked = 0;
        var last = new byte[0];
        for (int i = 0; i < clean; i++) {
            var step = recorded.steps().get(i);
            if (!ahead || step.role() == FuzzStep.Role.PROOF) {
                last = check(client, recorded, checked, i);
                checked = i;
            }
            client.write(step.of(client.id(), last));
        }
        try {
            client.writeAsIs(dirty);
        } catch (IOException e) {
            // A client that has ended itself.
            assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe|abort).*");
        }
        check(client, recorded, checked, clean);
    }

    /** Returns the last one. */
    private static byte[] check(FuzzClient client, Recorded recorded, int from, int to) throws IOException {
        var answer = new byte[0];
        for (int i = from; i < to; i++) {
            var right = recorded.answers().get(i);
            answer = client.read(right.length);
            if (!recorded.steps().get(i).isAnswer(right, answer)) {
                throw new AssertionError(
                        "step " + i + " was answered with\n" + ByteBufUtil.prettyHexDump(Unpooled.wrappedBuffer(answer))
                                + "\ninstead of\n" + ByteBufUtil.prettyHexDump(Unpooled.wrappedBuffer(right)));
            }
        }
        return answer;
    }

    private static void end(FuzzClient client, Random random) {
        try {
            switch (random.nextInt(8)) {
                case 0 -> client.drain(5);
                case 1 -> client.reset();
                case 2, 3, 4 -> client.endAndDrain();
                default -> {}
            }
        } catch (IOException e) {
            // Closed by the router meanwhile.
            assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe|abort|closed).*");
        }
    }
}
