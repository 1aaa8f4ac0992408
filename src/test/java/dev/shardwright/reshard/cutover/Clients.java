package dev.shardwright.reshard.cutover;

import dev.shardwright.reshard.workflow.Routers;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.store.TopologyStore;
import dev.shardwright.topology.vindex.ShardKeyValue;
import dev.shardwright.topology.vindex.Vindexes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Writers that find their shard as a router does, hold what is for a fenced one, and remember what was
 * acknowledged; towards the engine they are the keyspace's only router.
 */
final class Clients implements Routers, AutoCloseable {
    private static final int WRITERS = 3;
    private static final long ROWS_OF_WRITER = 1_000;
    private static final Set<Integer> REFUSED_BEFORE_RUNNING = Set.of(1290, 3032, 1836);

    private final TopologyStore store;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<Long, Value> history = new ConcurrentHashMap<>();
    private final Map<Integer, String> writing = new ConcurrentHashMap<>();
    private volatile Topology topology;
    private volatile boolean ending;
    private volatile boolean paused;
    private volatile @org.jspecify.annotations.Nullable Throwable failure;

    /** The workflows for which the routers were asked to connect early. */
    final Set<String> connectedEarly = ConcurrentHashMap.newKeySet();

    /** What the test says that the router has open on shards that are not Serving, on top of the writers. */
    volatile Map<String, List<Long>> reads = Map.of();

    final AtomicInteger writes = new AtomicInteger();
    final AtomicInteger transactions = new AtomicInteger();
    volatile boolean silent;

    /** The last acknowledged value, and those whose outcome nobody knows. */
    private record Value(long acknowledged, Set<Long> uncertain) {}

    Clients(TopologyStore store) {
        this.store = store;
        this.topology = store.read().orElseThrow().topology();
        start("watch", this::watch);
        for (int i = 0; i < WRITERS; i++) {
            int writer = i;
            start("writer-" + i, () -> write(writer));
        }
    }

    private void start(String name, Runnable body) {
        threads.add(Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                body.run();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }));
    }

    private void watch() {
        while (!ending) {
            if (!silent) {
                topology = store.read().orElseThrow().topology();
            }
            sleep(2);
        }
    }

    @Override
    public void connectEarly(String workflowUid, Duration wait) {
        connectedEarly.add(workflowUid);
    }

    @Override
    public List<RouterState> states(Duration wait) {
        if (silent) {
            sleep(wait.toMillis());
            return List.of(RouterState.silent("r1"));
        }
        var now = topology;
        int held = (int) writing.values().stream()
                .filter(uid -> now.shards().stream()
                        .anyMatch(shard -> shard.uid().equals(uid) && shard.state() != ShardState.Serving))
                .count();
        return List.of(new RouterState("r1", true, now.epoch(), transactions.get(), held + writes.get(), reads, 0));
    }

    /** No new statements until {@link #resume}. */
    void pause() {
        paused = true;
        while (!writing.isEmpty()) {
            sleep(1);
        }
    }

    void resume() {
        paused = false;
    }

    int acknowledged() {
        return history.size();
    }

    private void write(int writer) {
        var connections = new HashMap<Endpoint, Connection>();
        long next = 0;
        long version = 0;
        while (!ending) {
            if (paused) {
                sleep(1);
                continue;
            }
            boolean fresh = next == 0 || (version % 3 != 0 && next < ROWS_OF_WRITER);
            long id = fresh ? next++ * WRITERS + writer : (version * 7 % next) * WRITERS + writer;
            version++;
            execute(writer, id, version, connections);
            // Load enough to be in the way, and not more.
            sleep(1);
        }
        connections.values().forEach(Clients::close);
    }

    private void execute(int writer, long id, long version, Map<Endpoint, Connection> connections) {
        var until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!ending) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("held for a minute: " + topology.shards());
            }
            var shard = shardOf(id, topology);
            writing.put(writer, shard.uid());
            try {
                // Looked at again after it was announced, so that the router's answer is never too good.
                if (shardOf(id, topology).state() == ShardState.Serving
                        && shardOf(id, topology).uid().equals(shard.uid())) {
                    if (send(shard.primary(), id, version, connections)) {
                        return;
                    }
                }
            } finally {
                writing.remove(writer);
            }
            sleep(1);
        }
    }

    /** False: refused before it ran, or not connected; to be sent again. */
    private boolean send(Endpoint endpoint, long id, long version, Map<Endpoint, Connection> connections) {
        Connection connection;
        try {
            connection = connections.computeIfAbsent(endpoint, Clients::connect);
        } catch (IllegalStateException e) {
            return false;
        }
        try (var statement = connection.prepareStatement(
                "INSERT INTO chat.t (id, v) VALUES (?, ?) ON DUPLICATE KEY UPDATE v = VALUES(v), writes = writes + 1")) {
            statement.setLong(1, id);
            statement.setLong(2, version);
            statement.executeUpdate();
            history.put(id, new Value(version, Set.of()));
            return true;
        } catch (SQLException e) {
            close(connection);
            connections.remove(endpoint);
            if (REFUSED_BEFORE_RUNNING.contains(e.getErrorCode())) {
                return false;
            }
            history.compute(id, (key, known) -> uncertain(known, version));
            return true;
        }
    }

    private static Value uncertain(@org.jspecify.annotations.Nullable Value known, long version) {
        var all = new java.util.HashSet<>(known == null ? Set.of() : known.uncertain());
        all.add(version);
        return new Value(known == null ? -1 : known.acknowledged(), Set.copyOf(all));
    }

    static ShardEntry shardOf(long id, Topology topology) {
        var keyspaceId = Vindexes.of("hash").keyspaceId(List.of(ShardKeyValue.Int.of(id)));
        if (keyspaceId == null) {
            throw new IllegalStateException("no shard for " + id);
        }
        return topology.shards().stream()
                .filter(shard -> shard.range().contains(keyspaceId))
                .findFirst()
                .orElseThrow();
    }

    static Connection connect(Endpoint endpoint) {
        try {
            return DriverManager.getConnection(
                    "jdbc:mysql://" + endpoint + "/?sslMode=DISABLED&allowPublicKeyRetrieval=true&connectTimeout=2000"
                            + "&socketTimeout=60000",
                    TestServers.APP.user(),
                    TestServers.APP.password());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // Gone already.
        }
    }

    /** What differs between what was acknowledged and what the serving shards hold; writers must be paused. */
    List<String> differences(Topology serving) {
        if (failure != null) {
            return List.of("a client failed: " + failure);
        }
        var found = new ArrayList<String>();
        var seen = new HashMap<Long, Long>();
        for (var shard : serving.shards()) {
            found.addAll(miscounted(shard));
            rows(shard).forEach((id, value) -> {
                if (!shardOf(id, serving).uid().equals(shard.uid())) {
                    found.add("row " + id + " is on " + shard.name() + ", where it does not belong");
                }
                if (seen.put(id, value) != null) {
                    found.add("row " + id + " is there twice");
                }
            });
        }
        history.forEach((id, value) -> {
            var stored = seen.remove(id);
            boolean right = stored == null
                    ? value.acknowledged() == -1
                    : stored == value.acknowledged() || value.uncertain().contains(stored);
            if (!right) {
                found.add("row " + id + " is " + stored + ", acknowledged was " + value);
            }
        });
        seen.keySet().forEach(id -> found.add("row " + id + " was never written"));
        return found;
    }

    /** Rows whose triggers were not fired just as often as a client wrote them. */
    private static List<String> miscounted(ShardEntry shard) {
        try (var connection = connect(shard.primary());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "SELECT CONCAT('row ', t.id, ' written ', t.writes, ' times, fired ',"
                                + " t.fired, ' and ', COALESCE(seen.writes, 0)) FROM chat.t LEFT JOIN chat.seen USING (id)"
                                + " WHERE t.writes <> t.fired OR t.writes <> COALESCE(seen.writes, 0)"
                                + " UNION ALL SELECT CONCAT('nobody wrote ', id) FROM chat.seen WHERE id NOT IN (SELECT id FROM chat.t)")) {
            var found = new ArrayList<String>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException("can't read " + shard.name(), e);
        }
    }

    private static Map<Long, Long> rows(ShardEntry shard) {
        var result = new HashMap<Long, Long>();
        try (var connection = connect(shard.primary());
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT id, v FROM chat.t")) {
            while (rows.next()) {
                result.put(rows.getLong(1), rows.getLong(2));
            }
            return result;
        } catch (SQLException e) {
            throw new IllegalStateException("can't read " + shard.name(), e);
        }
    }

    static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static <T> T within(Duration time, Supplier<java.util.Optional<T>> look, String what) {
        var until = System.nanoTime() + time.toNanos();
        while (true) {
            var found = look.get();
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() > until) {
                throw new AssertionError("not within " + time + ": " + what);
            }
            sleep(5);
        }
    }

    @Override
    public void close() {
        ending = true;
        for (var thread : threads) {
            try {
                thread.join(10_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
