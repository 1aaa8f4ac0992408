package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.shardwright.api.VSchema;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.store.FileTopologyStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A router without a topology, and one whose topology is spoilt by hand. */
class RouterTopologyIT {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    /** On a machine where a server takes half a minute to start, a router's first login takes many seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void servesWhenThereIsATopologyAndKeepsTheLastGoodOne() throws Exception {
        var users = Files.writeString(directory.resolve("users.json"), "{\"app\": \"app-secret\"}");
        var file = directory.resolve("topology.json");
        try (var server = TestServers.start(directory.resolve("server"), "uid1", "-");
                var store = new FileTopologyStore(file, TestServers.KEYSPACE);
                var router = RouterServer.start(RouterConfig.onLoopback(TestServers.KEYSPACE, users), store)) {
            assertThat(management(router, "/readyz").statusCode()).isEqualTo(503);
            assertThat(management(router, "/healthz").statusCode()).isEqualTo(200);
            assertThatThrownBy(() -> one(router))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("no valid topology");

            store.create(topology(new Endpoint(server.host(), server.port())));
            await().atMost(PATIENCE).until(() -> management(router, "/readyz").statusCode() == 200);
            assertThat(one(router)).isEqualTo(1);

            Files.writeString(file, "{\"format\": 1, \"keyspace\": \"chat\", \"epoch\": 2, \"shards\": []}");
            await().atMost(PATIENCE).until(() -> invalidTopologies(router) > 0);
            assertThat(one(router)).isEqualTo(1);
            Files.delete(file);
            assertThat(one(router)).isEqualTo(1);
            assertThat(management(router, "/readyz").statusCode()).isEqualTo(200);
            assertThat(management(router, "/state").body()).contains("\"epoch\":1");

            Files.writeString(users, "{\"app\": \"other-secret\"}");
            await().atMost(PATIENCE).until(() -> refused(router));
        }
    }

    private static boolean refused(RouterServer router) {
        try {
            one(router);
            return false;
        } catch (SQLException e) {
            return e.getErrorCode() == 1045;
        }
    }

    private static Topology topology(Endpoint endpoint) {
        var shard = new ShardEntry(
                KeyRange.parse("-"), "uid1", "chat-x-x", ShardState.Serving, null, 0, endpoint, List.of());
        return new Topology(
                Topology.FORMAT,
                TestServers.KEYSPACE,
                1,
                List.of(shard),
                List.of(),
                new VSchema(null, List.of(), List.of()));
    }

    private static int one(RouterServer router) throws SQLException {
        var url = "jdbc:mysql://127.0.0.1:" + router.mysqlAddress().getPort() + "/chat";
        try (var connection = DriverManager.getConnection(url, "app", "app-secret");
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT 1")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static double invalidTopologies(RouterServer router) throws IOException, InterruptedException {
        return management(router, "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("shardwright_router_topology_invalid"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static HttpResponse<String> management(RouterServer router, String path)
            throws IOException, InterruptedException {
        var uri = URI.create("http://127.0.0.1:" + router.managementAddress().getPort() + path);
        return HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
