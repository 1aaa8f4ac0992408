package dev.shardwright.reshard.mover;

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
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A mover as a process with the options that it has in its pod. */
final class MoverProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path log;
    private final Process process;
    private final URI progress;
    private final HttpClient client = HttpClient.newHttpClient();

    /** @param more options, which win over those of the pod */
    MoverProcess(MoveFixture fixture, MoverSpec spec, String... more) throws IOException {
        log = fixture.directory().resolve("mover.log");
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        progress = URI.create("http://127.0.0.1:" + port + "/progress");
        var file = fixture.directory().resolve("mover.json");
        Files.write(file, JSON.writeValueAsBytes(spec));
        Files.writeString(fixture.directory().resolve("mover-password"), TestServers.MOVER.password());
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(podOptions());
        command.addAll(List.of(more));
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "mover",
                "--spec=" + file,
                "--credentials=" + fixture.directory(),
                "--management=127.0.0.1:" + port));
        var builder = new ProcessBuilder(command);
        builder.environment().put("MALLOC_ARENA_MAX", "1");
        process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
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
        await(now -> now.stage() == stage);
    }

    /** Fails if the process ends meanwhile. */
    MoverProgress await(Predicate<MoverProgress> wanted) throws IOException {
        var progress = Awaitility.await()
                .atMost(MoveFixture.PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(
                        this::progress,
                        now -> !process.isAlive() || now.filter(wanted).isPresent());
        assertThat(process.isAlive()).as(log()).isTrue();
        return progress.orElseThrow();
    }

    /** Empty as long as it does not answer. */
    private Optional<MoverProgress> progress() throws InterruptedException {
        try {
            var answer = client.send(HttpRequest.newBuilder(progress).build(), BodyHandlers.ofString());
            return Optional.of(JSON.readValue(answer.body(), MoverProgress.class));
        } catch (IOException e) {
            return Optional.empty();
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
