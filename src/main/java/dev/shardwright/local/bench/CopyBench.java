package dev.shardwright.local.bench;

import dev.shardwright.local.LocalKeyspace;
import dev.shardwright.local.Parts;
import dev.shardwright.local.WorkflowStatus;
import dev.shardwright.local.demo.Terminal;
import dev.shardwright.local.workload.Address;
import dev.shardwright.mysql.server.MysqlHome;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import dev.shardwright.topology.model.ShardEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How fast rows are copied and compared when a shard is split in two that nobody else uses; and, as what no copy can be faster
 * than, how fast the new shards' servers load ready files with the same rows.
 */
public final class CopyBench implements AutoCloseable {
    private static final Duration WITHIN = Duration.ofMinutes(20);
    private static final int LOOK_MILLIS = 20;

    private final CopyShape shape;
    private final Path directory;
    private final Terminal terminal;
    private final List<Path> files;
    private final Parts parts;

    /** What a part of the work took, for {@code rows} rows: seconds, and CPU time of this process and of the servers. */
    public record Took(String what, long rows, double seconds, CpuMeter.Used cpu) {
        /** Rows per second, and microseconds of CPU for each row: of this process, and of the MySQL servers. */
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s %.0f %.2f %.2f",
                    what,
                    rows / seconds,
                    micros(cpu.own()) / rows,
                    micros(cpu.servers()) / rows);
        }

        private static double micros(Duration time) {
            return time.toNanos() / 1_000.0;
        }
    }

    /** @param directory gets the servers' data, and the rows as files in {@code rows} */
    public CopyBench(CopyShape shape, Path directory, Terminal terminal) throws IOException {
        this.shape = shape;
        this.directory = directory;
        this.terminal = terminal;
        this.parts = new Parts((_, e) -> terminal.bad("stopping: " + e.getMessage()));
        this.files = shape.write(directory.resolve("rows"));
    }

    /** Loads the files into two servers at once. */
    public Took limit() throws SQLException, InterruptedException {
        try (var keyspace = start("limit", CopyShape.TARGETS, _ -> {})) {
            create(keyspace);
            var began = Moment.now();
            load(keyspace, files.stream().map(List::of).toList());
            return took("limit", began, Moment.now());
        }
    }

    /** Copies the rows to two shards and compares them. IllegalStateException if that does not succeed. */
    public List<Took> move() throws SQLException, InterruptedException {
        var watch = new Watch();
        try (var keyspace = start("move", CopyShape.SOURCES, watch::accept)) {
            create(keyspace);
            load(keyspace, List.of(files));
            keyspace.reshard("""
                    apiVersion: shardwright.dev/v1alpha1
                    kind: ReshardWorkflow
                    metadata: {name: split}
                    spec: {keyspace: chat, sourceShards: [%s], targetShards: [%s], goal: Verified}
                    """.formatted(quoted(CopyShape.SOURCES), quoted(CopyShape.TARGETS)));
            await(watch);
            return List.of(
                    took("copy", watch.began("Copying"), watch.began("Verifying")),
                    took("verify", watch.began("Verifying"), watch.began("Verified")));
        }
    }

    private void await(Watch watch) throws InterruptedException {
        long end = System.nanoTime() + WITHIN.toNanos();
        while (!watch.isVerified()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the rows were not moved in " + WITHIN + ": " + watch.progress());
            }
            terminal.now(watch.progress());
            Thread.sleep(LOOK_MILLIS);
        }
    }

    /** The most that this process has had in memory, in MiB: movers, engine and a router together. */
    public static long peakMebibytes() throws IOException {
        return CpuMeter.peakMebibytes();
    }

    /** A moment, and the CPU time used until then. */
    private record Moment(long nanos, CpuMeter.Used cpu) {
        static Moment now() {
            return new Moment(System.nanoTime(), CpuMeter.now());
        }
    }

    /** When the workflow began its phases. */
    private static final class Watch {
        private final Map<String, Moment> phases = new HashMap<>();
        private @Nullable WorkflowStatus latest;

        synchronized void accept(WorkflowStatus status) {
            latest = status;
            phases.putIfAbsent(status.phase(), Moment.now());
        }

        synchronized boolean isVerified() {
            var status = latest;
            if (status != null && status.succeeded() == Succeeded.FALSE) {
                throw new IllegalStateException("the rows were not moved: " + status.message());
            }
            return status != null && status.succeeded() == Succeeded.TRUE;
        }

        synchronized String progress() {
            var status = latest;
            return status == null ? "" : status.phase() + " " + status.progress();
        }

        synchronized Moment began(String phase) {
            var moment = phases.get(phase);
            if (moment == null) {
                throw new IllegalStateException("there was no phase " + phase + ": " + phases.keySet());
            }
            return moment;
        }
    }

    private Took took(String what, Moment from, Moment to) {
        return new Took(
                what, shape.rows(), (to.nanos() - from.nanos()) / 1e9, to.cpu().since(from.cpu()));
    }

    private LocalKeyspace start(String name, List<String> shards, Consumer<WorkflowStatus> onWorkflow) {
        terminal.now("starting " + shards.size() + " MySQL servers");
        var yaml = """
                apiVersion: shardwright.dev/v1alpha1
                kind: Keyspace
                metadata: {name: chat}
                spec:
                  initialShards: [%s]
                  mysql: {config: [{name: innodb_buffer_pool_size, value: 256M}]}
                  vschema:
                    vindexes: [{name: by_channel, type: xxhash}]
                    tables: [{name: messages, columnVindexes: [{columns: [%s], vindex: by_channel}]}]
                """.formatted(quoted(shards), shape.shardKey());
        return parts.add(LocalKeyspace.start(
                yaml, new LocalKeyspace.Options(directory.resolve(name), MysqlHome.find(), 0, onWorkflow)));
    }

    private static String quoted(List<String> ranges) {
        return ranges.stream().map(range -> '"' + range + '"').collect(Collectors.joining(", "));
    }

    private void create(LocalKeyspace keyspace) throws SQLException {
        try (var connection = keyspace.address().connect(false);
                var statement = connection.createStatement()) {
            statement.execute(shape.table());
        }
    }

    /** @param rows the files of each shard, in the shards' order */
    private void load(LocalKeyspace keyspace, List<List<Path>> rows) throws InterruptedException {
        terminal.now("loading " + shape.rows() + " rows");
        var shards = keyspace.topology().shards();
        var loads = new ArrayList<Callable<Void>>();
        for (int i = 0; i < shards.size(); i++) {
            var shard = shards.get(i);
            var own = rows.get(i);
            loads.add(() -> load(keyspace.administrator(), shard, own));
        }
        try (var threads = Executors.newFixedThreadPool(loads.size())) {
            for (var load : threads.invokeAll(loads)) {
                load.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the rows could not be loaded: " + e.getMessage(), e);
        }
    }

    private static @Nullable Void load(Address administrator, ShardEntry shard, List<Path> rows) throws SQLException {
        var settings = new Properties();
        settings.setProperty("user", administrator.user());
        settings.setProperty("password", administrator.password());
        settings.setProperty("allowPublicKeyRetrieval", "true");
        settings.setProperty("allowLoadLocalInfile", "true");
        // As the movers connect.
        settings.setProperty("sslMode", "DISABLED");
        var at = administrator.at(shard.primary().host(), shard.primary().port());
        try (var connection = DriverManager.getConnection("jdbc:mysql://" + at + "/" + at.database(), settings);
                var statement = connection.createStatement()) {
            for (var file : rows) {
                statement.execute("LOAD DATA LOCAL INFILE '" + file.toAbsolutePath() + "' INTO TABLE messages");
            }
        }
        return null;
    }

    /** Ends the servers if it is stopped in the middle. */
    @Override
    public void close() {
        parts.close();
    }
}
