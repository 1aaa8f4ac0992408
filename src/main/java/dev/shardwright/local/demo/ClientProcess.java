package dev.shardwright.local.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardwright.local.workload.Address;
import dev.shardwright.local.workload.RunReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code shardwright workload run} as a process of its own, as applications are. */
public final class ClientProcess implements AutoCloseable {
    private static final int STOP_SECONDS = 150;
    private static final String MAIN = "dev.shardwright.app.Main";

    private final int number;
    private final Path history;
    private final Path log;
    private final Process process;

    private ClientProcess(int number, Path history, Path log, Process process) {
        this.number = number;
        this.history = history;
        this.log = log;
        this.process = process;
    }

    public static ClientProcess start(int number, DemoOptions options, Address router, DemoDirectory directory) {
        var log = directory.file("client-" + number + ".log");
        var builder = new ProcessBuilder(command(number, options, router, directory))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("SHARDWRIGHT_PASSWORD", router.password());
        try {
            return new ClientProcess(number, directory.history(), log, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("a client process can't be started: " + e.getMessage(), e);
        }
    }

    private static List<String> command(int number, DemoOptions options, Address router, DemoDirectory directory) {
        var shape = options.shape();
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx192m",
                "-cp",
                System.getProperty("java.class.path"),
                MAIN,
                "workload",
                "run",
                "--host=" + router.host(),
                "--port=" + router.port(),
                "--user=" + router.user(),
                "--database=" + router.database(),
                "--messages=" + shape.messages(),
                "--channels=" + shape.channels(),
                "--accounts=" + shape.accounts(),
                "--client=" + number,
                "--clients=" + options.clients(),
                "--writers=" + options.threads(),
                "--readers=" + options.threads(),
                "--pause=" + options.pause().toMillis() + "ms",
                "--duration=30m",
                "--stop-file=" + stopFile(directory),
                "--history=" + directory.history(),
                "--quiet");
    }

    private static Path stopFile(DemoDirectory directory) {
        return directory.file("stop");
    }

    /** Whether its first writes have been acknowledged. IllegalStateException if it has ended. */
    boolean atWork() {
        if (!process.isAlive()) {
            throw new IllegalStateException("client " + number + " ended too early: " + lastWords());
        }
        try {
            var file = history.resolve("client-" + number + "-writer-0.history");
            return Files.exists(file) && Files.size(file) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops all clients of a directory and returns what they measured together. */
    public static RunReport stop(List<ClientProcess> clients, DemoDirectory directory) throws InterruptedException {
        try {
            Files.createFile(stopFile(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var reports = new ArrayList<RunReport>();
        for (var client : clients) {
            reports.add(client.report());
        }
        return RunReport.together(reports);
    }

    /** Waits for its end, after the stop file was made, and returns what it measured. */
    private RunReport report() throws InterruptedException {
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("client " + number + " does not stop; its output is in " + log);
        }
        try {
            var report = history.resolve("client-" + number + ".json");
            if (!Files.exists(report)) {
                throw new IllegalStateException("client " + number + " failed: " + lastWords());
            }
            return new ObjectMapper().readValue(report.toFile(), RunReport.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String lastWords() {
        try {
            var lines = Files.readAllLines(log);
            return lines.isEmpty() ? "it said nothing" : lines.getLast();
        } catch (IOException e) {
            return "its output is in " + log;
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
