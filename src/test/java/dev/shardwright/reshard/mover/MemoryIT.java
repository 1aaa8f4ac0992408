package dev.shardwright.reshard.mover;

import static dev.shardwright.reshard.mover.MoveFixture.HIGH;
import static dev.shardwright.reshard.mover.MoveFixture.LOW;
import static dev.shardwright.reshard.mover.MoveFixture.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardwright.app.Main;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.testing.TestServers;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A mover as a process with the options that it has in its pod: how much memory it takes. */
class MemoryIT {
    private static final int MAX_MEBIBYTES = Integer.getInteger("move.mebibytes", 256);
    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    static final MoveFixture fixture = new MoveFixture();

    @Test
    void rowsOfManyMebibytesTakeLittleThoughClientsChangeThemMeanwhile() throws Exception {
        fixture.begin(
                List.of(WHOLE),
                "CREATE TABLE numbers (id BIGINT PRIMARY KEY, b LONGBLOB)",
                "CREATE TABLE kinds (id BIGINT PRIMARY KEY, b LONGBLOB)",
                "CREATE TABLE pairs (a INT, b INT, v LONGTEXT CHARACTER SET latin1, PRIMARY KEY (a, b))",
                "CREATE TABLE texts (name VARCHAR(40) COLLATE utf8mb4_0900_bin PRIMARY KEY, v LONGBLOB)");
        fixture.run(
                WHOLE,
                "INSERT INTO numbers VALUES " + rows(3, 16),
                "INSERT INTO kinds VALUES " + rows(1, 40),
                "INSERT INTO texts VALUES " + rows(4, 5),
                "INSERT INTO pairs WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
                        + " SELECT i, -i, IF(i % 100 = 50, REPEAT('x', 9 << 20), 'little') FROM n");
        try (var mover = new MoverProcess()) {
            mover.await(Stage.Copying);
            // One of 62 MiB; and its update is an event of twice as many.
            fixture.run(
                    WHOLE,
                    "UPDATE kinds SET b = CONCAT(b, 'x') WHERE id = 0",
                    "INSERT INTO numbers SELECT 100, CONCAT(b, b, b, LEFT(b, 14 << 20)) FROM numbers WHERE id = 0",
                    "UPDATE texts SET v = CONCAT(v, 'x')");
            mover.await(Stage.Streaming);
            fixture.run(
                    WHOLE,
                    "UPDATE numbers SET b = CONCAT(LEFT(b, 100), 'x', b) WHERE id = 100",
                    "UPDATE numbers SET b = CONCAT(b, 'x') WHERE id = 1",
                    "DELETE FROM kinds",
                    "DELETE FROM pairs WHERE a < 100");
            fixture.awaitApplied(List.of(WHOLE), List.of(LOW, HIGH));
            assertThat(mover.peakMebibytes()).as(mover.log()).isLessThanOrEqualTo(MAX_MEBIBYTES);
            mover.await(Stage.Streaming);
        }
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "numbers", "kinds", "pairs", "texts");
    }

    private static String rows(int count, int mebibytes) {
        var rows = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            rows.add("(" + i + ", REPEAT(X'00FF5C2" + i % 10 + "', " + (mebibytes << 18) + "))");
        }
        return String.join(", ", rows);
    }

    private static final class MoverProcess implements AutoCloseable {
        private final Path log = fixture.directory().resolve("mover.log");
        private final Process process;
        private final URI progress;
        private final HttpClient client = HttpClient.newHttpClient();

        MoverProcess() throws IOException {
            int port;
            try (var free = new ServerSocket(0)) {
                port = free.getLocalPort();
            }
            progress = URI.create("http://127.0.0.1:" + port + "/progress");
            var spec = fixture.directory().resolve("mover.json");
            Files.write(spec, JSON.writeValueAsBytes(fixture.spec(WHOLE, List.of(LOW, HIGH), 1, null)));
            Files.writeString(fixture.directory().resolve("mover-password"), TestServers.MOVER.password());
            var command = new ArrayList<String>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(podOptions());
            command.addAll(List.of(
                    "-cp",
                    System.getProperty("java.class.path"),
                    Main.class.getName(),
                    "mover",
                    "--spec=" + spec,
                    "--credentials=" + fixture.directory(),
                    "--management=127.0.0.1:" + port));
            var builder = new ProcessBuilder(command);
            builder.environment().put("MALLOC_ARENA_MAX", "1");
            process = builder.redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        }

        /** What the image gives a mover whose container has 1 GiB. */
        private static List<String> podOptions() throws IOException {
            var options = Pattern.compile("mover_jvm=\"(.*)\"").matcher(Files.readString(Path.of("image/shardwright")));
            assertThat(options.find()).isTrue();
            var all = new ArrayList<>(List.of("-XX:MaxRAM=1g", "-XX:MaxRAMPercentage=50", "-XX:-UsePerfData"));
            all.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED"));
            all.add("--sun-misc-unsafe-memory-access=allow");
            all.addAll(List.of(options.group(1).split(" ")));
            var more = System.getProperty("move.options", "");
            all.addAll(more.isEmpty() ? List.of() : List.of(more.split(" ")));
            return all;
        }

        String log() throws IOException {
            return Files.readString(log);
        }

        void await(Stage stage) throws IOException {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(3))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> stage() == stage || !process.isAlive());
            assertThat(process.isAlive()).as(log()).isTrue();
        }

        private Stage stage() throws InterruptedException {
            try {
                var answer = client.send(HttpRequest.newBuilder(progress).build(), BodyHandlers.ofString());
                return JSON.readValue(answer.body(), MoverProgress.class).stage();
            } catch (IOException e) {
                return Stage.Starting;
            }
        }

        long peakMebibytes() throws IOException {
            var peak = Pattern.compile("VmHWM:\\s+(\\d+) kB")
                    .matcher(Files.readString(Path.of("/proc/" + process.pid() + "/status")));
            assertThat(peak.find()).isTrue();
            return Long.parseLong(peak.group(1)) >> 10;
        }

        @Override
        public void close() {
            process.destroyForcibly();
            client.close();
        }
    }
}
