package dev.shardwright.router;

import static dev.shardwright.router.ScriptedServer.cut;
import static dev.shardwright.router.ScriptedServer.ok;
import static dev.shardwright.router.ScriptedServer.packets;
import static dev.shardwright.router.ScriptedServer.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ResponseScanner.Kind;
import dev.shardwright.mysql.wire.ServerStatus;
import dev.shardwright.router.ScriptedServer.Reply;
import dev.shardwright.router.ScriptedServer.Then;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two shards, one of whose servers breaks off, says what is no protocol, or says nothing any more: the client hears an error or
 * loses its connection, never gets a wrong answer, and nobody else is disturbed.
 */
class BadServersIT {
    private static final String SELECT = "SELECT id FROM unsharded";
    private static final String INSERT = "INSERT INTO unsharded VALUES (1)";
    private static final String MERGED = "SELECT COUNT(*) FROM messages";
    private static final String OPENING = "SELECT 2 FROM unsharded";
    private static final String NEIGHBOUR = "SELECT 1 FROM unsharded";
    private static final byte[] ANSWER = rows("id", 1, 22, 333);
    private static final Duration LIMIT = Duration.ofMillis(1_500);

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    static Path directory;

    private static ScriptedServer first;
    private static ScriptedServer second;
    private static RouterServer router;

    @BeforeAll
    static void start() throws Exception {
        first = new ScriptedServer();
        second = new ScriptedServer();
        var topology = new Topology(
                Topology.FORMAT,
                TestServers.KEYSPACE,
                1,
                List.of(shard("-80", first), shard("80-", second)),
                List.of(),
                TestKeyspace.messagesByChannel());
        var users = Files.writeString(directory.resolve("users.json"), "{\"app\": \"app-secret\"}");
        var config = RouterConfig.onLoopback(TestServers.KEYSPACE, users)
                .withBuffer(Duration.ofMillis(50), RouterConfig.BUFFER_BYTES)
                .withClients(new RouterConfig.Clients(100, 0, List.of(), LIMIT));
        router = RouterServer.start(config, new MemoryTopologyStore(topology));
        first.answer(NEIGHBOUR, rows("1", 1));
        first.answer(OPENING, rows(ServerStatus.AUTOCOMMIT | ServerStatus.IN_TRANSACTION, "2", 2));
        second.answer(MERGED, rows("COUNT(*)", 40));
    }

    private static ShardEntry shard(String range, ScriptedServer server) {
        return new ShardEntry(
                KeyRange.parse(range),
                "uid" + server.port(),
                "chat-" + KeyRange.parse(range).inName(),
                ShardState.Serving,
                null,
                0,
                new Endpoint("127.0.0.1", server.port()),
                List.of());
    }

    @AfterAll
    static void stop() throws Exception {
        router.close();
        first.close();
        second.close();
    }

    @AfterEach
    void allIsWellAgain() throws Exception {
        try (var client = client()) {
            assertThat(client.query(NEIGHBOUR)).isEqualTo(rows("1", 1));
        }
        var address = router.managementAddress();
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + "/metrics"))
                .build();
        await().untilAsserted(() -> assertThat(
                        HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body())
                .contains("shardwright_router_defects_total 0.0", "shardwright_router_clients 0.0"));
    }

    private static RawClient client() throws IOException {
        return RawClient.connect(router.mysqlAddress().getPort(), Capability.DEPRECATE_EOF);
    }

    private static byte[] ask(RawClient client, String sql) throws IOException {
        client.send(CommandByte.QUERY, sql.getBytes(StandardCharsets.UTF_8));
        return client.answerOrEnd(Kind.RESULT);
    }

    private static byte[] ask(String sql) throws IOException {
        try (var client = client()) {
            return ask(client, sql);
        }
    }

    /** The errno of the packet that begins there; 0: it is no error. */
    private static int errno(byte[] answer, int at) {
        boolean error = answer.length > at + 6 && answer[at + PacketBuilder.HEADER] == (byte) 0xff;
        return error ? answer[at + 5] & 0xff | (answer[at + 6] & 0xff) << 8 : 0;
    }

    private static String text(byte[] answer) {
        return new String(answer, StandardCharsets.UTF_8);
    }

    /** A beginning of the answer, then nothing or, behind a whole packet, an error. */
    private static void assertBrokenOff(byte[] answer, byte[] whole, int most) {
        int same = Math.max(0, Arrays.mismatch(answer, whole));
        assertThat(answer).as("not all of it").isNotEqualTo(whole);
        if (same == answer.length) {
            assertThat(same).isLessThanOrEqualTo(most);
            return;
        }
        // An error's header may begin as the next packet's.
        int behind =
                Arrays.stream(packets(whole)).filter(at -> at <= same).max().orElseThrow();
        assertThat(errno(answer, behind)).as("an error at " + behind).isPositive();
        assertThat(behind).isLessThanOrEqualTo(most);
    }

    @Test
    void aReadWhoseServerClosesInTheMiddle() throws Exception {
        int header = packets(ANSWER)[1];
        for (int length = 0; length < ANSWER.length; length++) {
            var part = cut(ANSWER, length);
            first.answer(SELECT, times -> times == 0 ? new Reply(part, Then.CLOSE) : new Reply(ANSWER, Then.GO_ON));
            var answer = ask(SELECT);
            if (length < header) {
                assertThat(answer)
                        .as("run again, as nothing had been passed on")
                        .isEqualTo(ANSWER);
                assertThat(first.asked(SELECT)).isEqualTo(2);
            } else {
                assertBrokenOff(answer, ANSWER, length);
                assertThat(first.asked(SELECT)).isOne();
            }
        }
    }

    @Test
    void aReadWhoseServerClosesEachTime() throws Exception {
        first.answer(SELECT, _ -> new Reply(new byte[0], Then.CLOSE));
        var answer = ask(SELECT);
        assertThat(errno(answer, 0)).isEqualTo(1105);
        assertThat(text(answer)).contains("can't be reached", "nothing was run, try again");
    }

    @Test
    void aWriteWhoseServerClosesInTheMiddleIsSentOnce() throws Exception {
        for (int length = 0; length < ok().length; length++) {
            var part = cut(ok(), length);
            first.answer(INSERT, _ -> new Reply(part, Then.CLOSE));
            try (var client = client()) {
                var answer = ask(client, INSERT);
                assertThat(errno(answer, 0)).isEqualTo(2013);
                assertThat(text(answer)).contains("its outcome is unknown");
                assertThat(first.asked(INSERT)).isOne();
                assertThat(client.query(NEIGHBOUR)).isEqualTo(rows("1", 1));
            }
        }
    }

    @Test
    void aTransactionWhoseServerClosesIsLost() throws Exception {
        for (int length = 0; length < packets(ANSWER)[1]; length++) {
            var part = cut(ANSWER, length);
            first.answer(SELECT, _ -> new Reply(part, Then.CLOSE));
            try (var client = client()) {
                client.query("BEGIN");
                var answer = ask(client, SELECT);
                assertThat(errno(answer, 0)).isPositive();
                assertThat(text(answer)).contains("transaction");
                assertThat(first.asked(SELECT)).isOne();
                assertThat(client.query(NEIGHBOUR)).isEqualTo(rows("1", 1));
            }
        }
    }

    @Test
    void aMergeOneOfWhoseServersClosesInTheMiddle() throws Exception {
        var whole = rows("COUNT(*)", 2);
        first.answer(MERGED, whole);
        var merged = ask(MERGED);
        assertThat(text(merged)).contains("42");
        for (int length = 0; length < whole.length; length++) {
            var part = cut(whole, length);
            first.answer(MERGED, times -> times == 0 ? new Reply(part, Then.CLOSE) : new Reply(whole, Then.GO_ON));
            var answer = ask(MERGED);
            if (!Arrays.equals(answer, merged)) {
                assertBrokenOff(answer, merged, merged.length);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SELECT, MERGED})
    void packetsWithWrongNumbers(String sql) throws Exception {
        var right = sql.equals(SELECT) ? ANSWER : rows("COUNT(*)", 2);
        first.answer(sql, right);
        var whole = ask(sql);
        var starts = packets(right);
        for (int packet = 0; packet < starts.length - 1; packet++) {
            for (int by : new int[] {-1, 1, 77}) {
                var wrong = right.clone();
                wrong[starts[packet] + 3] += (byte) by;
                first.answer(sql, wrong);
                assertBrokenOff(ask(sql), whole, whole.length);
            }
        }
    }

    @Test
    void whatIsNoAnswer() throws Exception {
        var cases = new ArrayList<byte[]>(List.of(
                new byte[] {0, 0, 0, 1},
                new byte[] {1, 0, 0, 1, 0},
                new byte[] {3, 0, 0, 1, 0, 0, 0},
                new byte[] {1, 0, 0, 1, (byte) 0xff},
                new byte[] {1, 0, 0, 1, (byte) 0xfe},
                new byte[] {1, 0, 0, 1, (byte) 0xfc},
                new byte[] {9, 0, 0, 1, (byte) 0xfe, -1, -1, -1, -1, -1, -1, -1, -1},
                new byte[] {0, 0, 0x7f, 1, 1},
                "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
        var random = new Random(20_261_201);
        for (int i = 0; i < 200; i++) {
            var bytes = new byte[1 + random.nextInt(60)];
            random.nextBytes(bytes);
            if (bytes.length > 4 && random.nextBoolean()) {
                // A right header, so that the payload is looked at.
                System.arraycopy(new byte[] {(byte) (bytes.length - 4), 0, 0, 1}, 0, bytes, 0, 4);
            }
            cases.add(bytes);
        }
        for (var bytes : cases) {
            for (var sql : List.of(INSERT, MERGED)) {
                first.answer(sql, _ -> new Reply(bytes, Then.CLOSE));
                var answer = ask(sql);
                assertThat(errno(answer, 0) > 0 || sql.equals(INSERT) && endsBehind(answer, bytes))
                        .as(sql + " answered by " + Arrays.toString(bytes) + ": " + Arrays.toString(answer))
                        .isTrue();
                assertThat(sql.equals(MERGED) || first.asked(sql) == 1).isTrue();
            }
        }
    }

    /** Whether the answer is a beginning of the bytes, and maybe an error behind it. */
    private static boolean endsBehind(byte[] answer, byte[] bytes) {
        int mismatch = Arrays.mismatch(answer, bytes);
        if (mismatch < 0 || mismatch == answer.length) {
            return true;
        }
        return Arrays.stream(packets(answer)).anyMatch(at -> at <= mismatch && errno(answer, at) > 0);
    }

    @Test
    void moreThanAnAnswerEndsTheConnectionOnly() throws Exception {
        var more = Arrays.copyOf(ANSWER, ANSWER.length + 5);
        first.answer(SELECT, more);
        try (var client = client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.query(SELECT)).isEqualTo(ANSWER);
            }
        }
    }

    /** Its time is up, and the server takes no KILL either. */
    @Test
    void aServerThatAnswersNothingAnyMore() throws Exception {
        first.answer(SELECT, ANSWER);
        first.answer(INSERT, ok());
        first.answer(MERGED, rows("COUNT(*)", 2));
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                clients.add(client());
                clients.get(i).query(NEIGHBOUR);
            }
            clients.get(3).query("BEGIN");
            clients.get(3).query(OPENING);
            first.freeze(true);
            var read = asking(clients.get(0), SELECT);
            var write = asking(clients.get(1), INSERT);
            var merge = asking(clients.get(2), MERGED);
            var inTransaction = asking(clients.get(3), SELECT);
            assertThat(errno(read.get(), 0)).isEqualTo(3024);
            assertThat(text(write.get())).contains("its outcome is unknown");
            assertThat(errno(merge.get(), 0)).isEqualTo(3024);
            assertThat(text(inTransaction.get())).contains("transaction");
        } finally {
            first.freeze(false);
            for (var client : clients) {
                client.close();
            }
        }
    }

    private static CompletableFuture<byte[]> asking(RawClient client, String sql) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return ask(client, sql);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    @Test
    void aResultThatStops() throws Exception {
        for (int length : packets(ANSWER)) {
            if (length > 0 && length < ANSWER.length) {
                first.answer(SELECT, _ -> new Reply(cut(ANSWER, length), Then.STAY_SILENT));
                first.freeze(false);
                try (var client = client()) {
                    client.send(CommandByte.QUERY, SELECT.getBytes(StandardCharsets.UTF_8));
                    await().until(() -> first.asked(SELECT) == 1);
                    first.freeze(true);
                    assertBrokenOff(client.answerOrEnd(Kind.RESULT), ANSWER, length);
                } finally {
                    first.freeze(false);
                }
                return;
            }
        }
    }

    /** No part of the login takes long, but all of it would. */
    @Test
    void aServerThatGreetsByteByByte() throws Exception {
        first.answer(SELECT, _ -> new Reply(new byte[0], Then.CLOSE));
        ask(SELECT);
        first.greetSlowly(200);
        try {
            var answer = ask(SELECT);
            assertThat(errno(answer, 0)).isPositive();
            assertThat(text(answer)).contains("it did not answer the login in time");
        } finally {
            first.greetSlowly(0);
        }
    }
}
