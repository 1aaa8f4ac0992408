package dev.shardwright.reshard.mover;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.shardwright.reshard.copy.Throttling;
import dev.shardwright.reshard.copy.Throttling.Reason;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** A mover's management port: {@code /progress} (JSON of {@link MoverProgress}), {@code /healthz}, {@code /metrics}. */
public final class MoverManagement implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final ExecutorService threads;

    private MoverManagement(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /** IOException when the address can't be listened on. */
    public static MoverManagement start(InetSocketAddress address, Mover mover) throws IOException {
        var server = HttpServer.create(address, 16);
        var threads = Executors.newFixedThreadPool(
                2, Thread.ofPlatform().daemon().name("management-", 0).factory());
        server.setExecutor(threads);
        server.createContext(
                "/progress",
                exchange -> answer(exchange, "application/json", JSON.writeValueAsBytes(mover.progress())));
        server.createContext("/healthz", exchange -> answer(exchange, "text/plain", bytes("ok\n")));
        server.createContext(
                "/metrics",
                exchange -> answer(exchange, "text/plain; version=0.0.4", bytes(metrics(mover.progress()))));
        server.start();
        return new MoverManagement(server, threads);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    static String metrics(MoverProgress progress) {
        var text = new StringBuilder();
        metric(text, "shardwright_mover_rows_copied", "counter", "Rows copied so far.", progress.rowsCopied());
        metric(text, "shardwright_mover_rows_verified", "counter", "Rows compared so far.", progress.rowsVerified());
        metric(
                text,
                "shardwright_mover_rows_estimated",
                "gauge",
                "MySQL's estimate of all rows.",
                progress.rowsEstimated());
        metric(
                text,
                "shardwright_mover_lag_seconds",
                "gauge",
                "How far the targets are behind; -1 if unknown.",
                progress.lagMillis() < 0 ? -1 : progress.lagMillis() / 1000.0);
        metric(
                text,
                "shardwright_mover_falling_behind",
                "gauge",
                "1 when the lag has not shrunk for a minute.",
                progress.behind() == null ? 0 : 1);
        cost(text, "copy", progress.copyCost());
        cost(text, "verify", progress.verifyCost());
        throttle(text, progress.throttle());
        metric(
                text,
                "shardwright_mover_mismatches",
                "gauge",
                "Differences that verify has found.",
                progress.mismatches().size());
        metric(
                text,
                "shardwright_mover_failed",
                "gauge",
                "1 when it has stopped for good.",
                progress.stage() == Stage.Failed ? 1 : 0);
        return text.toString();
    }

    private static void cost(StringBuilder text, String what, Cost cost) {
        var name = "shardwright_mover_" + what;
        metric(
                text,
                name + "_source_seconds_total",
                "counter",
                "How long the source was read for it.",
                cost.sourceMicros() / 1e6);
        metric(
                text,
                name + "_target_seconds_total",
                "counter",
                "How long the targets worked for it.",
                cost.targetMicros() / 1e6);
        metric(text, name + "_bytes_total", "counter", "Bytes of rows that were read for it.", cost.bytes());
    }

    private static void throttle(StringBuilder text, Throttling throttle) {
        metric(
                text,
                "shardwright_mover_speed_ratio",
                "gauge",
                "The share of time in which the readers may read; below 1 they spare the source or the targets.",
                throttle.speedPercent() / 100.0);
        metric(
                text,
                "shardwright_mover_rested_seconds_total",
                "counter",
                "How long each reader has rested.",
                throttle.restedMillis() / 1000.0);
        metric(
                text,
                "shardwright_mover_source_commit_seconds",
                "gauge",
                "Median latency of a small commit on the source.",
                throttle.commitMicros() / 1e6);
        metric(
                text,
                "shardwright_mover_source_quiet_commit_seconds",
                "gauge",
                "The same while nothing is read.",
                throttle.quietCommitMicros() / 1e6);
        metric(
                text,
                "shardwright_mover_source_threads_running",
                "gauge",
                "Threads_running of the source.",
                throttle.threadsRunning());
        var slowed = "shardwright_mover_slowed";
        head(text, slowed, "gauge", "1 for what the readers are slowed by.");
        Stream.of(Reason.values())
                .filter(reason -> reason != Reason.None)
                .forEach(reason ->
                        sample(text, slowed + "{reason=\"" + reason + "\"}", throttle.reason() == reason ? 1 : 0));
    }

    private static void metric(StringBuilder text, String name, String type, String help, Number value) {
        head(text, name, type, help);
        sample(text, name, value);
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void sample(StringBuilder text, String name, Number value) {
        text.append(name).append(' ').append(value).append('\n');
    }

    private static void answer(HttpExchange exchange, String type, byte[] body) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
