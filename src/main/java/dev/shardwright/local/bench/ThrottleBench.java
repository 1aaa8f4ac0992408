package dev.shardwright.local.bench;

import dev.shardwright.local.LocalKeyspace;
import dev.shardwright.local.Parts;
import dev.shardwright.local.WorkflowStatus;
import dev.shardwright.local.WorkflowStatus.PhaseStart;
import dev.shardwright.local.bench.BenchReport.Figure;
import dev.shardwright.local.demo.DemoDirectory;
import dev.shardwright.local.demo.Terminal;
import dev.shardwright.mysql.server.MysqlHome;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What an application's inserts cost while their shard is copied and compared, beside what they cost in the quiet time
 * before, in the same run: a shard is split as a rehearsal, and some clients insert a row every few milliseconds.
 */
public final class ThrottleBench implements AutoCloseable {
    private static final Duration QUIET = Duration.ofSeconds(20);
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration WITHIN = Duration.ofMinutes(15);
    private static final double MEDIAN_GOAL = 1.25;
    private static final double P99_GOAL = 2;
    private static final String KEYSPACE = """
            apiVersion: shardwright.dev/v1alpha1
            kind: Keyspace
            metadata: {name: chat}
            spec:
              vschema:
                vindexes: [{name: by_id, type: xxhash}]
                tables: [{name: rows_moved, columnVindexes: [{columns: [{name: id}], vindex: by_id}]}]
            """;
    private static final String WORKFLOW = """
            apiVersion: shardwright.dev/v1alpha1
            kind: ReshardWorkflow
            metadata: {name: rehearsal}
            spec: {keyspace: chat, sourceShards: ["-"], targetShards: ["-80", "80-"], goal: Verified, throttle: %s}
            """;

    private final Options options;
    private final Terminal terminal;
    private final DemoDirectory directory;
    private final Parts parts;
    private volatile @Nullable WorkflowStatus latest;

    /**
     * @param rows that are there before
     * @param clients that insert
     * @param throttle of the workflow, as YAML
     */
    public record Options(Path directory, long rows, int clients, String throttle) {}

    /** The latencies of one stretch of time, in milliseconds. */
    private record Latencies(double seconds, double median, double p99) {

        static Latencies of(List<InsertClient> clients, long from, long to) {
            var sorted = clients.stream()
                    .flatMapToInt(client -> IntStream.of(client.between(from, to)))
                    .sorted()
                    .toArray();
            if (sorted.length < 100) {
                throw new IllegalStateException("only " + sorted.length + " inserts in " + (to - from)
                        + " ms: move more rows (--rows) to measure for longer");
            }
            return new Latencies(
                    (to - from) / 1e3, sorted[sorted.length / 2] / 1e3, sorted[sorted.length * 99 / 100] / 1e3);
        }
    }

    public ThrottleBench(Options options, Terminal terminal) {
        this.options = options;
        this.terminal = terminal;
        this.parts = new Parts((_, e) -> terminal.bad("stopping: " + e.getMessage()));
        this.directory = DemoDirectory.fresh(options.directory());
    }

    /** IllegalStateException if the targets are not verified in the end, or an insert failed. */
    public BenchReport run() throws SQLException, InterruptedException {
        terminal.title("inserts while their shard is copied and compared");
        var keyspace = parts.add(LocalKeyspace.start(
                KEYSPACE,
                new LocalKeyspace.Options(directory.keyspace(), MysqlHome.find(), 0, status -> latest = status)));
        load(keyspace);
        var clients = new ArrayList<InsertClient>();
        for (int i = 0; i < options.clients(); i++) {
            clients.add(parts.add(new InsertClient(keyspace.address())));
        }
        Thread.sleep(WARM_UP.plus(QUIET));
        long quietUntil = System.currentTimeMillis();
        keyspace.reshard(WORKFLOW.formatted(options.throttle()));
        var phases = verified().phases();
        var quiet = Latencies.of(clients, quietUntil - QUIET.toMillis(), quietUntil);
        return report(quiet, during(clients, phases, "Copying"), during(clients, phases, "Verifying"));
    }

    private void load(LocalKeyspace keyspace) throws SQLException {
        try (var connection = keyspace.address().connect(false);
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE rows_moved (id BIGINT PRIMARY KEY, body VARCHAR(100) NOT NULL)");
            statement.execute("INSERT INTO rows_moved VALUES (0, REPEAT('x', 80))");
            for (long rows = 1; rows < options.rows(); ) {
                rows += statement.executeUpdate("INSERT INTO rows_moved SELECT id + " + rows + ", body FROM rows_moved"
                        + " WHERE id >= 0 AND id < " + Math.min(rows, Math.min(100_000, options.rows() - rows)));
                terminal.now(rows + " rows loaded");
            }
        }
    }

    private WorkflowStatus verified() throws InterruptedException {
        long end = System.nanoTime() + WITHIN.toNanos();
        while (System.nanoTime() < end) {
            var status = latest;
            if (status != null && status.succeeded() == Succeeded.TRUE) {
                return status;
            }
            if (status != null) {
                terminal.now(status.phase() + "  " + status.progress() + "  " + status.slowed());
            }
            Thread.sleep(20);
        }
        throw new IllegalStateException("the targets are not verified: " + latest);
    }

    private static Latencies during(List<InsertClient> clients, List<PhaseStart> phases, String name) {
        for (int i = 0; i < phases.size() - 1; i++) {
            if (phases.get(i).phase().equals(name)) {
                return Latencies.of(
                        clients, phases.get(i).atMillis(), phases.get(i + 1).atMillis());
            }
        }
        throw new IllegalStateException("there was no phase " + name + ": " + phases);
    }

    private BenchReport report(Latencies quiet, Latencies copy, Latencies verify) {
        var figures = new ArrayList<Figure>();
        line("quiet", quiet, quiet);
        figures.add(Figure.of("insert, quiet, median", "ms", List.of(), quiet.median));
        figures.add(Figure.of("insert, quiet, p99", "ms", List.of(), quiet.p99));
        add(figures, "copy", copy, quiet);
        add(figures, "verify", verify, quiet);
        return BenchReport.of("throttle", figures);
    }

    private void add(List<Figure> figures, String name, Latencies at, Latencies quiet) {
        line(name, at, quiet);
        figures.add(
                Figure.of("insert, " + name + ", median, ratio to quiet", "ratio", List.of(), at.median / quiet.median)
                        .atMost(MEDIAN_GOAL));
        figures.add(Figure.of("insert, " + name + ", p99, ratio to quiet", "ratio", List.of(), at.p99 / quiet.p99)
                .atMost(P99_GOAL));
        figures.add(Figure.of(name, "rows/s", List.of(), options.rows() / at.seconds));
    }

    private void line(String name, Latencies at, Latencies quiet) {
        terminal.line(String.format(
                Locale.ROOT,
                "    %-8s %7.1f s   median %7.2f ms (%.2f of quiet)   p99 %7.2f ms (%.2f of quiet)",
                name,
                at.seconds,
                at.median,
                at.median / quiet.median,
                at.p99,
                at.p99 / quiet.p99));
    }

    /** Ends all processes and removes the servers' data. */
    @Override
    public synchronized void close() {
        parts.close();
        directory.removeData();
    }
}
