package dev.shardwright.operator.mapping;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The management ports of routers and movers, asked by pod address. Thread-safe. */
public final class Management implements AutoCloseable {
    /** The port that routers and movers are told to listen on. */
    public static final int PORT = 8080;

    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    /** What {@code path} at this pod answers; empty when there is no usable answer within {@code wait}. */
    public <T> CompletableFuture<Optional<T>> get(String podIp, String path, Class<T> type, Duration wait) {
        return client.sendAsync(request(podIp, path, wait).build(), BodyHandlers.ofByteArray())
                .thenApply(answer -> answer.statusCode() == 200 ? read(answer.body(), type) : Optional.<T>empty())
                .exceptionally(failure -> Optional.empty());
    }

    /** Asks for something that nobody depends on; false when it was not understood within {@code wait}. */
    public CompletableFuture<Boolean> post(String podIp, String path, Duration wait) {
        var request = request(podIp, path, wait).POST(BodyPublishers.noBody()).build();
        return client.sendAsync(request, BodyHandlers.discarding())
                .thenApply(answer -> answer.statusCode() == 200)
                .exceptionally(failure -> false);
    }

    private static HttpRequest.Builder request(String podIp, String path, Duration wait) {
        var host = podIp.indexOf(':') >= 0 ? "[" + podIp + "]" : podIp;
        return HttpRequest.newBuilder(URI.create("http://" + host + ":" + PORT + path))
                .timeout(wait);
    }

    private static <T> Optional<T> read(byte[] body, Class<T> type) {
        try {
            return Optional.of(JSON.readValue(body, type));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
