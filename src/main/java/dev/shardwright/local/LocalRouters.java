package dev.shardwright.local;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardwright.reshard.workflow.Routers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Asks the routers' management ports, as the operator does in a cluster. */
final class LocalRouters implements Routers, AutoCloseable {
    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    private static final int OK = 200;

    private final Map<String, InetSocketAddress> management;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    /** The body of {@code GET /state}. */
    private record Answer(
            long epoch,
            int openTransactions,
            int runningWrites,
            Map<String, List<Long>> runningReads,
            int connecting) {}

    /** {@code management}: each router's name and management address. */
    LocalRouters(Map<String, InetSocketAddress> management) {
        this.management = Map.copyOf(management);
    }

    @Override
    public List<RouterState> states(Duration wait) {
        return management.entrySet().stream()
                .map(router -> ask(router.getKey(), router.getValue(), wait))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    @Override
    public void connectEarly(String workflowUid, Duration wait) {
        management.values().stream()
                .map(address -> request(address, "/connect?workflow=" + workflowUid, wait)
                        .POST(BodyPublishers.noBody())
                        .build())
                .map(request ->
                        client.sendAsync(request, BodyHandlers.discarding()).handle((_, _) -> true))
                .toList()
                .forEach(CompletableFuture::join);
    }

    private static HttpRequest.Builder request(InetSocketAddress address, String path, Duration wait) {
        return HttpRequest.newBuilder(URI.create("http://" + address.getHostString() + ":" + address.getPort() + path))
                .timeout(wait);
    }

    private CompletableFuture<RouterState> ask(String name, InetSocketAddress address, Duration wait) {
        return client.sendAsync(request(address, "/state", wait).build(), BodyHandlers.ofByteArray())
                .thenApply(answer -> answer.statusCode() == OK ? state(name, answer.body()) : RouterState.silent(name))
                .exceptionally(_ -> RouterState.silent(name));
    }

    private static RouterState state(String name, byte[] body) {
        try {
            var answer = JSON.readValue(body, Answer.class);
            return new RouterState(
                    name,
                    true,
                    answer.epoch(),
                    answer.openTransactions(),
                    answer.runningWrites(),
                    answer.runningReads(),
                    answer.connecting());
        } catch (IOException e) {
            return RouterState.silent(name);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
