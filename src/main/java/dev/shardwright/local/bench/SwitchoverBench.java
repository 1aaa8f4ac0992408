package dev.shardwright.local.bench;

import dev.shardwright.local.LocalKeyspace;
import dev.shardwright.local.Parts;
import dev.shardwright.local.WorkflowStatus;
import dev.shardwright.local.demo.ClientProcess;
import dev.shardwright.local.demo.Demo;
import dev.shardwright.local.demo.DemoDirectory;
import dev.shardwright.local.demo.DemoOptions;
import dev.shardwright.local.demo.SplitWatch;
import dev.shardwright.local.demo.Terminal;
import dev.shardwright.local.workload.ChatData;
import dev.shardwright.local.workload.Loader;
import dev.shardwright.mysql.server.MysqlHome;
import dev.shardwright.reshard.workflow.Goal;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import dev.shardwright.topology.vindex.Vindexes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * How long clients wait at a switchover: splits a shard under load and lets the old and the new shards take over from each
 * other again and again. Beside it, in the same run, the longest wait in the quiet seconds between two switchovers.
 */
public final class SwitchoverBench implements AutoCloseable {
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration QUIET = Duration.ofSeconds(4);
    private static final Duration SETTLING = Duration.ofMillis(1_500);
    private static final Duration ONE_WITHIN = Duration.ofMinutes(5);
    private static final int LOOK_MILLIS = 20;

    private final DemoOptions options;
    private final int switchovers;
    private final Terminal terminal;
    private final DemoDirectory directory;
    private final ChatData data;
    private final Parts parts;
    private volatile @Nullable WorkflowStatus latest;

    /** One switchover: its direction, when it began and ended in milliseconds since 1970, and how long each step took. */
    record Switched(Goal goal, long fromMillis, long toMillis, long quietUntilMillis, String steps) {}

    public SwitchoverBench(DemoOptions options, int switchovers, Terminal terminal) {
        this.options = options;
        this.switchovers = switchovers;
        this.terminal = terminal;
        this.parts = new Parts((_, e) -> terminal.bad("stopping: " + e.getMessage()));
        this.directory = DemoDirectory.fresh(options.directory());
        this.data = new ChatData(options.shape());
    }

    /** IllegalStateException if a switchover does not come to its end, or a client saw an error. */
    public SwitchoverFigures run() throws SQLException, InterruptedException {
        terminal.title(switchovers + " switchovers under load");
        var keyspace = parts.add(LocalKeyspace.start(
                Demo.resource("keyspace.yaml"),
                new LocalKeyspace.Options(directory.keyspace(), MysqlHome.find(), 0, status -> latest = status)));
        load(keyspace);
        var clients = new ArrayList<ClientProcess>();
        for (int i = 0; i < options.clients(); i++) {
            clients.add(parts.add(ClientProcess.start(i, options, keyspace.address(), directory)));
        }
        Thread.sleep(WARM_UP);
        reach(keyspace, Goal.Verified);
        var all = new ArrayList<Switched>();
        for (int i = 0; i < switchovers; i++) {
            all.add(once(keyspace, i % 2 == 0 ? Goal.Switched : Goal.RolledBack));
            terminal.now((i + 1) + " of " + switchovers + " switchovers");
        }
        return SwitchoverFigures.of(all, ClientProcess.stop(clients, directory));
    }

    private void load(LocalKeyspace keyspace) throws SQLException, InterruptedException {
        var loader = new Loader(keyspace.address(), data, Vindexes.of("xxhash"), Loader.LoadOptions.DEFAULT);
        long rows = loader.load(so -> terminal.now("loading: " + so + " rows"));
        terminal.line("    " + rows + " rows loaded");
    }

    private Switched once(LocalKeyspace keyspace, Goal goal) throws InterruptedException {
        long from = System.currentTimeMillis();
        var status = reach(keyspace, goal);
        long to = System.currentTimeMillis() + SETTLING.toMillis();
        Thread.sleep(SETTLING.plus(QUIET));
        var steps = status.events().stream()
                .filter(event -> event.reason().equals(SplitWatch.SWITCHOVER) && event.atMillis() >= from)
                .map(WorkflowStatus.Happened::message)
                .findFirst()
                .orElse("");
        return new Switched(goal, from, to, System.currentTimeMillis(), steps);
    }

    private WorkflowStatus reach(LocalKeyspace keyspace, Goal goal) throws InterruptedException {
        keyspace.reshard(Demo.resource("split.yaml") + "  goal: " + goal + "\n");
        long end = System.nanoTime() + ONE_WITHIN.toNanos();
        while (System.nanoTime() < end) {
            var status = latest;
            if (status != null && status.goal() == goal && status.succeeded() == Succeeded.TRUE) {
                return status;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        throw new IllegalStateException("goal " + goal + " is not reached: " + latest);
    }

    /** Ends all processes and removes the servers' data. */
    @Override
    public synchronized void close() {
        parts.close();
        directory.removeData();
    }
}
