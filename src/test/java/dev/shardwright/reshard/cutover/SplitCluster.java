package dev.shardwright.reshard.cutover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.api.VSchema;
import dev.shardwright.mysql.admin.ServerFence;
import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.reshard.workflow.Admins;
import dev.shardwright.reshard.workflow.FaultyTopologyStore;
import dev.shardwright.reshard.workflow.Goal;
import dev.shardwright.reshard.workflow.Leadership;
import dev.shardwright.reshard.workflow.ShardHosts;
import dev.shardwright.reshard.workflow.WorkflowEngine;
import dev.shardwright.reshard.workflow.WorkflowPorts;
import dev.shardwright.reshard.workflow.WorkflowReport;
import dev.shardwright.reshard.workflow.WorkflowRequest;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import dev.shardwright.topology.store.FileTopologyStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A keyspace of one shard that a workflow splits in two: real servers, real movers, writers all the while. */
final class SplitCluster implements AutoCloseable {
    static final String WORKFLOW = "5f0c1b9e-split";
    /** They count each write to t; a mover's rows must not count, and none of a client's may be missed. */
    private static final List<String> TRIGGERS = List.of(
            "b_insert BEFORE INSERT ON chat.t FOR EACH ROW SET NEW.fired = 1",
            "b_update BEFORE UPDATE ON chat.t FOR EACH ROW SET NEW.fired = OLD.fired + 1",
            "a_insert AFTER INSERT ON chat.t FOR EACH ROW INSERT INTO seen VALUES (NEW.id, 1)",
            "a_update AFTER UPDATE ON chat.t FOR EACH ROW UPDATE seen SET writes = writes + 1 WHERE id = NEW.id",
            "c_plain BEFORE INSERT ON chat.counted FOR EACH ROW SET NEW.v = NEW.v");

    static final WorkflowRequest.Settings SETTINGS = new WorkflowRequest.Settings(
            Duration.ofSeconds(20), Duration.ofMillis(250), Duration.ofSeconds(60), null, TestServers.UNHINDERED);

    private final Path directory;
    private final Map<String, LocalMysqld> servers = new ConcurrentHashMap<>();
    private final LocalMovers movers = new LocalMovers();
    final FaultyTopologyStore store;
    final Clients clients;
    /** What the check of the sources says; empty: nothing. */
    volatile String refuse = "";

    final List<WorkflowReport.Event> events = new ArrayList<>();
    private Workflow current = new Workflow(WORKFLOW, "split", List.of("-"), List.of("-80", "80-"));

    SplitCluster(Path directory) throws SQLException {
        this.directory = directory;
        var source = TestServers.start(directory.resolve("source"), "source", "-");
        servers.put("source", source);
        try (var connection = source.connect(TestServers.APP);
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE chat.t (id BIGINT PRIMARY KEY, v BIGINT NOT NULL,"
                    + " writes BIGINT NOT NULL DEFAULT 1, fired BIGINT NOT NULL DEFAULT 0)");
            statement.execute("CREATE TABLE chat.seen (id BIGINT PRIMARY KEY, writes BIGINT NOT NULL)");
            statement.execute("CREATE TABLE chat.counted (id BIGINT AUTO_INCREMENT PRIMARY KEY, v BIGINT)");
            statement.execute("INSERT INTO chat.counted (id, v) VALUES (5000, 1)");
            statement.execute("DELETE FROM chat.counted");
            for (var trigger : TRIGGERS) {
                statement.execute("CREATE TRIGGER chat." + trigger);
            }
        }
        store = new FaultyTopologyStore(new FileTopologyStore(directory.resolve("topology.json"), "chat"));
        store.create(topology(source));
        clients = new Clients(store);
    }

    private static Topology topology(LocalMysqld source) {
        var vschema = new VSchema(
                VSchema.UnlistedTables.FirstShard,
                List.of(new VSchema.VindexSpec("by_id", "hash")),
                List.of(byId("t"), byId("seen")));
        var shard = new ShardEntry(
                KeyRange.parse("-"),
                "source",
                "chat-x-x",
                ShardState.Serving,
                null,
                0,
                new Endpoint(source.host(), source.port()),
                List.of());
        return new Topology(Topology.FORMAT, "chat", 1, List.of(shard), List.of(), vschema);
    }

    private static VSchema.TableSpec byId(String table) {
        return new VSchema.TableSpec(
                table,
                List.of(new VSchema.ColumnVindex(List.of(new VSchema.ShardKeyColumn("id", "bigint", null)), "by_id")));
    }

    WorkflowEngine engine(StepListener listener) {
        return engine(listener, Leadership.ALWAYS);
    }

    WorkflowEngine engine(StepListener listener, Leadership leadership) {
        return new WorkflowEngine(
                new WorkflowPorts(
                        store,
                        new Hosts(),
                        clients,
                        movers,
                        Admins.of(TestServers.KEYSPACE, TestServers.OPERATOR, leadership),
                        (sources, vschema) -> refuse.isEmpty() ? List.of() : List.of(refuse),
                        leadership),
                Clock.systemUTC(),
                listener);
    }

    WorkflowReport advance(WorkflowEngine engine, Goal goal) {
        return advance(engine, goal, SETTINGS);
    }

    WorkflowReport advance(WorkflowEngine engine, Goal goal, WorkflowRequest.Settings settings) {
        current.goal = goal;
        var report = current.advance(engine, settings);
        events.addAll(report.events());
        return report;
    }

    /** What its owner wants and was told last. */
    static final class Workflow {
        private final String uid;
        private final String name;
        private final List<KeyRange> sources;
        private final List<KeyRange> targets;
        Goal goal = Goal.Verified;
        private @Nullable String reported;

        private Workflow(String uid, String name, List<String> sources, List<String> targets) {
            this.uid = uid;
            this.name = name;
            this.sources = sources.stream().map(KeyRange::parse).toList();
            this.targets = targets.stream().map(KeyRange::parse).toList();
        }

        WorkflowReport advance(WorkflowEngine engine) {
            return advance(engine, SETTINGS);
        }

        private WorkflowReport advance(WorkflowEngine engine, WorkflowRequest.Settings settings) {
            var report =
                    engine.advance(new WorkflowRequest(uid, name, "chat", sources, targets, goal, settings, reported));
            reported = report.phase();
            return report;
        }
    }

    static Workflow workflow(String uid, List<String> sources, List<String> targets) {
        return new Workflow(uid, uid, sources, targets);
    }

    /** {@link #advance} and {@link #reach} are about this one from now on. */
    void use(Workflow workflow) {
        current = workflow;
    }

    /** Each mover that comes to this stage waits before it until {@link #release}. */
    void holdAt(Stage stage) {
        movers.holdAt(stage);
    }

    void release() {
        movers.release();
    }

    /** Movers of another workflow answer at the addresses of this one's, or no longer. */
    void strangersAnswer(boolean now) {
        movers.foreign = now;
    }

    boolean runs(String uid) {
        var server = servers.get(uid);
        return server != null && server.running();
    }

    /** As the keyspace's own reconciliation does with each server. */
    void reconcileFences(WorkflowEngine engine) throws SQLException {
        for (var server : servers.entrySet()) {
            if (server.getValue().running()) {
                engine.fenceReconciler()
                        .reconcile(
                                server.getKey(),
                                new Endpoint(
                                        server.getValue().host(),
                                        server.getValue().port()));
            }
        }
    }

    /** Ends the servers that a deleted workflow has left. */
    void retireWhatDoesNotServe() {
        var serving = store.topology().shards().stream().map(ShardEntry::uid).toList();
        servers.forEach((uid, server) -> {
            if (!serving.contains(uid)) {
                server.close();
            }
        });
        servers.keySet().retainAll(serving);
    }

    /** The topology's shards serve and are open, all other servers are shut, and no acknowledged write is lost. */
    void assertOneSideServes() throws SQLException {
        var topology = store.topology();
        for (var shard : topology.shards()) {
            assertThat(shard.state()).isEqualTo(ShardState.Serving);
            assertThat(fence(server(shard.uid())).open())
                    .as(shard.name() + " is open")
                    .isTrue();
        }
        var serving = topology.shards().stream().map(ShardEntry::uid).toList();
        for (var server : servers.entrySet()) {
            if (!serving.contains(server.getKey()) && server.getValue().running()) {
                assertThat(fence(server.getValue()).readOnly())
                        .as(server.getKey() + " is shut")
                        .isTrue();
            }
        }
        clients.pause();
        assertThat(clients.differences(topology)).isEmpty();
        clients.resume();
    }

    /** Calls the engine until the workflow says that the goal is reached. */
    WorkflowReport reach(WorkflowEngine engine, Goal goal) {
        return Clients.within(
                Duration.ofSeconds(400),
                () -> {
                    var report = advance(engine, goal);
                    last = report;
                    if (report.succeeded() == WorkflowReport.Succeeded.TRUE) {
                        return java.util.Optional.of(report);
                    }
                    Clients.sleep(Math.min(100, report.againAfter().toMillis()));
                    return java.util.Optional.empty();
                },
                "goal " + goal + ", the last report was " + last);
    }

    private @Nullable WorkflowReport last;

    LocalMysqld server(String uid) {
        var server = servers.get(uid);
        if (server == null) {
            throw new IllegalArgumentException("no server " + uid);
        }
        return server;
    }

    LocalMysqld source() {
        return server("source");
    }

    List<LocalMysqld> targets() {
        return store.topology().workflows().getFirst().targets().stream()
                .map(target -> server(target.uid()))
                .toList();
    }

    Connection app(LocalMysqld server) throws SQLException {
        return server.connect(TestServers.APP);
    }

    boolean sourceServes() {
        return store.topology().shards().stream().anyMatch(shard -> shard.uid().equals("source"));
    }

    ServerFence fence(LocalMysqld server) throws SQLException {
        try (var connection = server.connect(TestServers.OPERATOR);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "SELECT @@GLOBAL.super_read_only, @@GLOBAL.read_only, @@GLOBAL.offline_mode")) {
            rows.next();
            return new ServerFence(rows.getBoolean(1), rows.getBoolean(2), rows.getBoolean(3));
        }
    }

    /** At no moment may both sides take writes. */
    void assertNotBothWritable() throws SQLException {
        boolean from = !fence(source()).readOnly();
        for (var target : targets()) {
            assertThat(from && !fence(target).readOnly())
                    .as("source and target are both writable")
                    .isFalse();
        }
    }

    /** One side serves and is open, the other is shut, nothing is Fenced, and no acknowledged write is lost. */
    void assertWhole() throws SQLException {
        var topology = store.topology();
        assertThat(topology.shards()).allSatisfy(shard -> {
            assertThat(shard.state()).isEqualTo(ShardState.Serving);
            assertThat(fence(server(shard.uid())).open()).isTrue();
        });
        boolean sourceServes = sourceServes();
        assertThat(topology.shards()).hasSize(sourceServes ? 1 : 2);
        for (var closed : sourceServes ? targets() : List.of(source())) {
            assertThat(fence(closed).readOnly()).isTrue();
            assertThat(fence(closed).superReadOnly()).isFalse();
        }
        clients.pause();
        assertThat(clients.differences(topology)).isEmpty();
        clients.resume();
    }

    private final class Hosts implements ShardHosts {
        @Override
        public Provision provision(Member shard) {
            var server = servers.computeIfAbsent(
                    shard.uid(),
                    uid -> TestServers.start(
                            directory.resolve(shard.name()), uid, shard.range().toString(), true));
            return new Provision.Ready(new Endpoint(server.host(), server.port()));
        }

        @Override
        public boolean retire(Member shard) {
            var server = servers.get(shard.uid());
            if (server != null) {
                server.close();
            }
            return true;
        }
    }

    @Override
    public void close() {
        clients.close();
        movers.close();
        servers.values().forEach(LocalMysqld::close);
    }
}
