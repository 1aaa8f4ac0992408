package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardwright.api.VSchema;
import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.mysql.server.MysqlHome;
import dev.shardwright.mysql.server.Trees;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Real servers, one for each range, and a router in front of them. */
final class TestKeyspace implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;
    private final List<LocalMysqld> servers = new ArrayList<>();
    private final MemoryTopologyStore store;
    private final RouterServer router;

    /** Table {@code messages}, sharded by its BIGINT {@code channel_id}; all others are on the first shard. */
    static VSchema messagesByChannel() {
        var column = new VSchema.ShardKeyColumn("channel_id", "bigint", null);
        return new VSchema(
                VSchema.UnlistedTables.FirstShard,
                List.of(new VSchema.VindexSpec("by_channel", "xxhash")),
                List.of(new VSchema.TableSpec(
                        "messages", List.of(new VSchema.ColumnVindex(List.of(column), "by_channel")))));
    }

    static TestKeyspace of(VSchema vschema, UnaryOperator<RouterConfig> tuning, String... ranges) throws IOException {
        return new TestKeyspace(vschema, tuning, List.of(ranges));
    }

    private TestKeyspace(VSchema vschema, UnaryOperator<RouterConfig> tuning, List<String> ranges) throws IOException {
        directory = Files.createTempDirectory(Files.createDirectories(Path.of("target", "it")), "keyspace");
        var shards = new ArrayList<ShardEntry>();
        for (var range : ranges) {
            shards.add(start(range));
        }
        store = new MemoryTopologyStore(
                new Topology(Topology.FORMAT, TestServers.KEYSPACE, 1, shards, List.of(), vschema));
        var users = Files.writeString(
                directory.resolve("users.json"), "{\"app\": \"app-secret\", \"other\": \"other-secret\"}");
        router = RouterServer.start(tuning.apply(RouterConfig.onLoopback(TestServers.KEYSPACE, users)), store);
    }

    static TestKeyspace of(String... ranges) throws IOException {
        return of(config -> config, ranges);
    }

    static TestKeyspace of(UnaryOperator<RouterConfig> tuning, String... ranges) throws IOException {
        return new TestKeyspace(new VSchema(null, List.of(), List.of()), tuning, List.of(ranges));
    }

    static TestKeyspace of(VSchema vschema, String... ranges) throws IOException {
        return new TestKeyspace(vschema, config -> config, List.of(ranges));
    }

    /** A server for one more range; it is in no topology yet. */
    ShardEntry start(String range) {
        var keyRange = KeyRange.parse(range);
        var uid = "uid" + servers.size() + "x" + keyRange.inName().replace("-", "");
        var server = TestServers.start(directory.resolve("s" + servers.size()), uid, range);
        servers.add(server);
        return new ShardEntry(
                keyRange,
                uid,
                "chat-" + keyRange.inName(),
                ShardState.Serving,
                null,
                0,
                new Endpoint(server.host(), server.port()),
                List.of());
    }

    /** Changes the router's file of users; it reads it again now and then. */
    void users(String json) throws IOException {
        var next = Files.writeString(directory.resolve("users.next"), json);
        Files.move(next, directory.resolve("users.json"), StandardCopyOption.ATOMIC_MOVE);
    }

    LocalMysqld server(int index) {
        return servers.get(index);
    }

    MemoryTopologyStore store() {
        return store;
    }

    int port() {
        return router.mysqlAddress().getPort();
    }

    RouterServer router() {
        return router;
    }

    /**
     * Makes this shard the only one, in this state, and waits as the operator does until the router says that it
     * acts under it; when the shard does not serve, workflow {@code split-all} is why.
     */
    void publish(ShardEntry shard, ShardState state) {
        boolean serving = state == ShardState.Serving;
        var entry = new ShardEntry(
                shard.range(),
                shard.uid(),
                shard.name(),
                state,
                serving ? null : "workflow-1",
                serving ? 0 : 1,
                shard.primary(),
                List.of());
        var workflow = new WorkflowEntry("workflow-1", "split-all", List.of(), List.of(), "", 1, 1, Map.of(), Map.of());
        publish(List.of(entry), serving ? List.of() : List.of(workflow));
    }

    /** As {@link #publish(ShardEntry, ShardState)}, with these shards and workflows. */
    void publish(List<ShardEntry> shards, List<WorkflowEntry> workflows) {
        var now = store.topology();
        store.set(new Topology(now.format(), now.keyspace(), now.epoch() + 1, shards, workflows, now.vschema()));
        await().pollDelay(Duration.ZERO)
                .until(() -> state().get("epoch").asLong() == store.topology().epoch());
    }

    /** What the router says at its management port under {@code /state}. */
    JsonNode state() throws IOException, InterruptedException {
        return JSON.readTree(management("/state"));
    }

    /** The sum of all metrics whose name goes on so. */
    double metric(String name) throws IOException, InterruptedException {
        return management("/metrics")
                .lines()
                .filter(line -> line.startsWith("shardwright_router_" + name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    String management(String path) throws IOException, InterruptedException {
        return answer(request(path).build());
    }

    /** As {@link #management}, by POST. */
    String post(String path) throws IOException, InterruptedException {
        return answer(request(path).POST(HttpRequest.BodyPublishers.noBody()).build());
    }

    private HttpRequest.Builder request(String path) {
        var address = router.managementAddress();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path));
    }

    private static String answer(HttpRequest request) throws IOException, InterruptedException {
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    void admin(int server, String sql) throws SQLException {
        try (var connection = servers.get(server).connect(TestServers.OPERATOR);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(int server, String sql) throws SQLException {
        try (var connection = servers.get(server).connect(TestServers.OPERATOR);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    String url(String database) {
        return "jdbc:mysql://127.0.0.1:" + port() + "/" + database;
    }

    /** @param settings of the driver: names and values in turn */
    Connection connect(String... settings) throws SQLException {
        var properties = new Properties();
        for (int i = 0; i < settings.length; i += 2) {
            properties.setProperty(settings[i], settings[i + 1]);
        }
        return connect(properties);
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row. */
    static String text(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** See {@link RawClient#connect}. */
    RawClient raw(int more) throws IOException {
        return RawClient.connect(port(), more);
    }

    /** What the mysql program writes with these options; it must succeed within a minute. */
    String mysql(String... options) throws IOException, InterruptedException {
        return mysql("", options);
    }

    /** @param commands what it is given to read */
    String mysql(String commands, String[] options) throws IOException, InterruptedException {
        var arguments = new ArrayList<>(List.of(
                MysqlHome.find().mysqld().resolveSibling("mysql").toString(),
                "--no-defaults",
                "--host=127.0.0.1",
                "--port=" + port(),
                "--user=" + TestServers.APP.user(),
                "--password=" + TestServers.APP.password(),
                "--batch",
                "--skip-column-names"));
        arguments.addAll(List.of(options));
        arguments.add(TestServers.KEYSPACE);
        var process = new ProcessBuilder(arguments)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var input = process.outputWriter(StandardCharsets.UTF_8)) {
            input.write(commands);
        }
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    Connection connect(Properties properties) throws SQLException {
        properties.setProperty("user", TestServers.APP.user());
        properties.setProperty("password", TestServers.APP.password());
        return DriverManager.getConnection(url(TestServers.KEYSPACE), properties);
    }

    @Override
    public void close() throws IOException {
        router.close();
        closeServers();
    }

    /** For a test that ends the router itself. */
    void closeServers() throws IOException {
        servers.forEach(LocalMysqld::close);
        Trees.delete(directory);
    }
}
