package dev.shardwright.router;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The management port: {@code /healthz}, {@code /readyz}, {@code /state} (the numbers that the switchover
 * waits for), {@code POST /connect?workflow=<uid>} (connects to shards that are about to serve; answers at once) and
 * {@code /metrics} (Prometheus). It has threads of its own, so load does not silence it.
 */
final class Management implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Management.class);
    private static final int THREADS = 2;
    private static final int STATUS_OK = 200;
    private static final int STATUS_BAD_REQUEST = 400;
    private static final int STATUS_WRONG_METHOD = 405;
    private static final int STATUS_UNAVAILABLE = 503;
    private static final String WORKFLOW = "workflow=";

    private final HttpServer server;
    private final ExecutorService threads;

    /** UncheckedIOException when the address can't be used. */
    Management(InetSocketAddress address, Reports reports) {
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the management address " + address + " can't be used: " + e.getMessage(), e);
        }
        threads = Executors.newFixedThreadPool(
                THREADS,
                Thread.ofPlatform().name("router-management-", 0).daemon().factory());
        server.setExecutor(threads);
        server.createContext("/healthz", exchange -> reply(exchange, STATUS_OK, "text/plain", "ok\n"));
        server.createContext("/readyz", exchange -> ready(exchange, reports.notReady()));
        server.createContext("/state", exchange -> reply(exchange, STATUS_OK, "application/json", reports.state()));
        server.createContext("/connect", exchange -> connect(exchange, reports));
        server.createContext(
                "/metrics", exchange -> reply(exchange, STATUS_OK, "text/plain; version=0.0.4", reports.metrics()));
        server.start();
    }

    private static void ready(HttpExchange exchange, String because) throws IOException {
        if (because.isEmpty()) {
            reply(exchange, STATUS_OK, "text/plain", "ready\n");
        } else {
            reply(exchange, STATUS_UNAVAILABLE, "text/plain", because + "\n");
        }
    }

    private static void connect(HttpExchange exchange, Reports reports) throws IOException {
        var query = exchange.getRequestURI().getQuery();
        if (!exchange.getRequestMethod().equals("POST")) {
            reply(exchange, STATUS_WRONG_METHOD, "text/plain", "use POST\n");
        } else if (query == null || !query.startsWith(WORKFLOW)) {
            reply(exchange, STATUS_BAD_REQUEST, "text/plain", "name the workflow: /connect?workflow=<uid>\n");
        } else {
            reports.connectEarly(query.substring(WORKFLOW.length()));
            reply(exchange, STATUS_OK, "text/plain", "ok\n");
        }
    }

    private static void reply(HttpExchange exchange, int status, String type, String text) throws IOException {
        try (exchange) {
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (RuntimeException e) {
            log.warn("management request failed", e);
            throw e;
        }
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
