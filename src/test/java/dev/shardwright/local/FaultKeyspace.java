package dev.shardwright.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.local.workload.Address;
import dev.shardwright.local.workload.ChatData;
import dev.shardwright.local.workload.ChatShape;
import dev.shardwright.local.workload.ChatVindexes;
import dev.shardwright.local.workload.Loader;
import dev.shardwright.local.workload.RunOptions;
import dev.shardwright.local.workload.RunReport;
import dev.shardwright.local.workload.ShardCheck;
import dev.shardwright.local.workload.Workload;
import dev.shardwright.mysql.admin.MysqlAccount;
import dev.shardwright.reshard.cutover.Step;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.reshard.workflow.Goal;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import dev.shardwright.topology.store.FileTopologyStore;
import dev.shardwright.topology.vindex.Vindexes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A keyspace of one shard that is split in two, each part a process, with checked clients all the while. */
final class FaultKeyspace implements AutoCloseable {
    /** So many runs of the clients can be told apart. */
    private static final int MOST_RUNS = 1_000;

    private static final ChatShape SHAPE = new ChatShape(1_000, 50, 20, 100, 1_000);
    private static final Duration HEALED = Duration.ofMinutes(3);
    private static final Duration STRUCK = Duration.ofMinutes(2);

    private static final Logger log = LoggerFactory.getLogger(FaultKeyspace.class);

    private final Path directory;
    private final Pace pace;
    private final Keeper keeper;
    private final WorkflowFiles workflows;
    private final FileTopologyStore store;
    private final ChatData data = new ChatData(SHAPE);
    private final Address address;
    private @Nullable Run clients;
    private int runs;
    private int splits;
    private Goal goal = Goal.Cancelled;
    private String source = "";
    private String target = "";

    /**
     * How long things take here.
     *
     * @param outage how long a fault lasts that does not end by itself; longer than {@code switchTimeout}
     */
    record Pace(Duration outage, Duration switchTimeout) {}

    private record Run(Workload workload, FutureTask<RunReport> ended) {}

    static Path topology(Path directory) {
        return directory.resolve("topology").resolve("topology.json");
    }

    FaultKeyspace(Path directory, Pace pace) throws Exception {
        this.directory = directory.toAbsolutePath();
        this.pace = pace;
        Files.createDirectories(topology(this.directory).getParent());
        Files.writeString(
                this.directory.resolve("users.json"),
                "{\"" + TestServers.APP.user() + "\": \"" + TestServers.APP.password() + "\"}");
        keeper = new Keeper(this.directory);
        workflows = new WorkflowFiles(this.directory);
        store = new FileTopologyStore(topology(this.directory), TestServers.KEYSPACE);
        address = address(TestServers.APP, keeper.routerPort());
        try {
            start();
        } catch (Exception | AssertionError e) {
            close();
            throw e;
        }
    }

    private void start() throws Exception {
        var first = new Member(KeyRange.parse("-"), "first", "chat-x-x", null);
        var port = keeper.start(first, false);
        store.create(new Topology(
                Topology.FORMAT,
                TestServers.KEYSPACE,
                1,
                List.of(new ShardEntry(
                        first.range(),
                        first.uid(),
                        first.name(),
                        ShardState.Serving,
                        null,
                        0,
                        new Endpoint("127.0.0.1", port),
                        List.of())),
                List.of(),
                ChatVindexes.vschema()));
        keeper.start();
        await(STRUCK, "the router serves", this::serves);
        new Loader(address, data, Vindexes.of("xxhash"), new Loader.LoadOptions(200, 2)).load(_ -> {});
        // So that a table without a key is moved too; each of its rows is told from the others by the checker.
        try (var connection = address.connect(false);
                var statement = connection.createStatement()) {
            statement.execute("ALTER TABLE transfers DROP PRIMARY KEY, ADD KEY (account_id)");
        }
        startClients();
    }

    private static Address address(MysqlAccount account, int port) {
        return new Address("127.0.0.1", port, account.user(), account.password(), TestServers.KEYSPACE);
    }

    private boolean serves() {
        try (var connection = address.connect(false)) {
            return connection.isValid(5);
        } catch (SQLException e) {
            return false;
        }
    }

    Keeper keeper() {
        return keeper;
    }

    /** A server of the side that serves until the step that is struck. */
    Keeper.Server source() {
        return keeper.server(source);
    }

    /** A server of the other side. */
    Keeper.Server target() {
        return keeper.server(target);
    }

    /** Whether a server's disk can be filled. */
    boolean ownDisks() {
        return keeper.server(serving().getFirst()).disk().own();
    }

    /** In one step and losing no writer's change: whoever has a file of it open writes into what is hidden. */
    void hideTopology() {
        move(topology(directory).getParent(), directory.resolve("hidden"));
    }

    void showTopology() {
        move(directory.resolve("hidden"), topology(directory).getParent());
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- moments

    /** Brings a new split to this stage, strikes, and expects it to get to its goal. */
    void strikeAt(Stage stage, Fault fault) throws Exception {
        reach(Goal.Cancelled);
        source = serving().getFirst();
        keeper.holdMoversAt = stage.name();
        splits++;
        want(Goal.Verified);
        await(STRUCK, "a mover is at " + stage, () -> keeper.movers().stream().anyMatch(mover -> held(mover, 20)));
        target = store.read()
                .orElseThrow()
                .topology()
                .workflows()
                .getFirst()
                .targets()
                .getFirst()
                .name();
        keeper.holdMoversAt = "";
        strike(fault, () -> keeper.movers().forEach(ControlledProcess::go), fault == Fault.DISK_FULL && writes(stage));
        healed();
    }

    /** Begins a switchover, or the way back, strikes before this step, and expects it to get to its goal. */
    void strikeAt(Step step, Fault fault) throws Exception {
        if (goal == Goal.Cancelled) {
            splits++;
            reach(Goal.Verified);
        }
        var entry = store.read().orElseThrow().topology().workflows().getFirst();
        source = serving().getFirst();
        boolean back = !entry.sources().getFirst().name().equals(source);
        target = (back ? entry.sources() : entry.targets()).getFirst().name();
        var engine = keeper.engine();
        engine.holdAt(step.isUndo() ? Step.MARK_FENCED.name() : step.name());
        want(back ? Goal.RolledBack : Goal.Switched);
        await(STRUCK, "the switchover is at " + step, () -> held(engine, 50));
        if (step.isUndo()) {
            // It does not end within drainTimeout, so the switchover goes back.
            longWrite();
            engine.holdAt(step.name());
            engine.go();
            await(STRUCK, "the undo is at " + step, () -> held(engine, 50));
        }
        strike(fault, engine::go, false);
        healed();
    }

    private static boolean held(ControlledProcess process, long millis) {
        try {
            return process.awaitHeld(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns once it runs: one that comes to the router after the fence would wait there and hold up nobody. */
    private void longWrite() throws InterruptedException {
        Thread.ofVirtual().start(() -> {
            try (var connection = address.connect(false);
                    var statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE accounts SET credits = credits + SLEEP(3) WHERE id = 1");
            } catch (SQLException e) {
                // It changes nothing, so its outcome does not matter.
            }
        });
        await(STRUCK, "the long write runs", this::writesLong);
    }

    private boolean writesLong() {
        for (var shard : store.read().orElseThrow().topology().shards()) {
            try (var connection = address(TestServers.OPERATOR, shard.primary().port())
                            .connect(false);
                    var statement = connection.createStatement();
                    var rows = statement.executeQuery("SHOW PROCESSLIST")) {
                while (rows.next()) {
                    if ("User sleep".equals(rows.getString("State"))) {
                        return true;
                    }
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
        return false;
    }

    /** Whether a target that can't be written holds up a workflow that is here. */
    private static boolean writes(Stage stage) {
        return switch (stage) {
            case Starting, Copying, CatchingUp, Verifying -> true;
            case Streaming, Mismatched, Failed -> false;
        };
    }

    /** {@code toldOfDisk}: the fault lasts until the workflow says what is in the way. */
    private void strike(Fault fault, Runnable release, boolean toldOfDisk) throws InterruptedException {
        var end = fault.strike(this);
        try {
            release.run();
            if (toldOfDisk) {
                await(
                        STRUCK,
                        "the workflow tells of the full disk",
                        () -> status().filter(status -> status.reason().equals("MoverWaiting")
                                        && status.message().contains("disk"))
                                .isPresent());
            } else if (!fault.momentary()) {
                Thread.sleep(pace.outage());
            }
        } finally {
            end.run();
        }
    }

    // ---- goals

    private String name() {
        return "split-" + splits;
    }

    private void want(Goal wanted) {
        goal = wanted;
        workflows.apply("""
                apiVersion: shardwright.dev/v1alpha1
                kind: ReshardWorkflow
                metadata: {name: %s}
                spec:
                  keyspace: chat
                  sourceShards: ["-"]
                  targetShards: ["-80", "80-"]
                  goal: %s
                  switchTimeout: %dms
                """.formatted(name(), wanted, pace.switchTimeout().toMillis()));
    }

    private void reach(Goal wanted) throws InterruptedException {
        if (goal == wanted) {
            return;
        }
        if (wanted == Goal.Cancelled && goal == Goal.Switched) {
            reach(Goal.RolledBack);
        }
        want(wanted);
        await(wanted + " is reached", this::reached);
    }

    private boolean reached() {
        return status().filter(status -> status.goal() == goal
                        && status.phase().equals(goal.name())
                        && status.succeeded() == Succeeded.TRUE
                        && !status.reason().equals("WayBackBroken"))
                .isPresent();
    }

    Optional<WorkflowStatus> status() {
        return workflows.status(name());
    }

    private List<String> serving() {
        return store.read().orElseThrow().topology().shards().stream()
                .map(ShardEntry::name)
                .toList();
    }

    // ---- the verdict

    private void healed() throws Exception {
        await(goal + " is reached", this::reached);
        await("the router serves", this::serves);
        await("clients write on", new BooleanSupplier() {
            private final long before = acknowledged();

            @Override
            public boolean getAsBoolean() {
                return acknowledged() > before + 20;
            }
        });
        stopClients();
        var topology = store.read().orElseThrow().topology();
        assertThat(topology.shards())
                .allSatisfy(shard -> assertThat(shard.state()).isEqualTo(ShardState.Serving));
        var report = new ShardCheck(
                        data, topology, ChatVindexes.of(topology.vschema()), address(TestServers.OPERATOR, 0))
                .check(history(), address);
        assertThat(report.examples()).as("violations").isEmpty();
        startClients();
    }

    private Path history() {
        return directory.resolve("history");
    }

    private volatile long acknowledged;

    private long acknowledged() {
        return acknowledged;
    }

    private void startClients() {
        var options =
                new RunOptions(runs++, MOST_RUNS, 2, 1, Duration.ofMillis(15), Duration.ofHours(2), null, history());
        var workload = new Workload(address, data, Vindexes.of("xxhash"), options);
        acknowledged = 0;
        var ended =
                new FutureTask<>(() -> workload.run(progress -> acknowledged = progress.writes() - progress.errors()));
        Thread.ofPlatform().daemon().name("clients").start(ended);
        clients = new Run(workload, ended);
    }

    private void stopClients() throws InterruptedException, ExecutionException, TimeoutException {
        var run = clients;
        if (run != null) {
            run.workload().stop();
            run.ended().get(150, TimeUnit.SECONDS);
        }
        clients = null;
    }

    private void await(String what, BooleanSupplier condition) throws InterruptedException {
        await(HEALED, what, condition);
    }

    private void await(Duration limit, String what, BooleanSupplier condition) throws InterruptedException {
        var until = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new AssertionError("not within " + limit + ": " + what + "; the workflow says "
                        + status().map(Object::toString).orElse("nothing") + "; the logs are in " + directory);
            }
            Thread.sleep(10);
        }
    }

    @Override
    public void close() {
        try {
            stopClients();
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            log.warn("the clients do not end: {}", e.toString());
        } finally {
            keeper.close();
            store.close();
        }
    }
}
