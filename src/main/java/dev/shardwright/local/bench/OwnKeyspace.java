package dev.shardwright.local.bench;

import dev.shardwright.local.LocalKeyspace;
import dev.shardwright.local.WorkflowStatus;
import dev.shardwright.local.WorkflowStatus.PhaseStart;
import dev.shardwright.local.demo.SplitWatch;
import dev.shardwright.local.demo.Terminal;
import dev.shardwright.local.workload.Address;
import dev.shardwright.mysql.server.MysqlHome;
import dev.shardwright.reshard.workflow.Goal;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shardwright's own keyspace, on this machine. */
final class OwnKeyspace implements Contender {
    private static final Duration WITHIN = Duration.ofMinutes(20);
    private static final int LOOK_MILLIS = 20;
    private static final String KEYSPACE = """
            apiVersion: shardwright.dev/v1alpha1
            kind: Keyspace
            metadata: {name: chat}
            spec:
              mysql: {config: [{name: innodb_buffer_pool_size, value: 256M}]}
              vschema:
                vindexes: [{name: by_id, type: xxhash}]
                tables:
                - {name: rows_moved, columnVindexes: [{columns: [{name: id}], vindex: by_id}]}
                - {name: messages, columnVindexes: [{columns: [{name: channel_id}], vindex: by_id}]}
                - {name: message_lookup, columnVindexes: [{columns: [{name: message_id}], vindex: by_id}]}
                - {name: accounts, columnVindexes: [{columns: [{name: id}], vindex: by_id}]}
                - {name: transfers, columnVindexes: [{columns: [{name: account_id}], vindex: by_id}]}
            """;
    private static final String WORKFLOW = """
            apiVersion: shardwright.dev/v1alpha1
            kind: ReshardWorkflow
            metadata: {name: split}
            spec: {keyspace: chat, sourceShards: ["-"], targetShards: ["-80", "80-"], throttle: %s, goal: %s}
            """;

    private final LocalKeyspace keyspace;
    private final String throttle;
    private final Terminal terminal;
    private volatile @Nullable WorkflowStatus latest;

    /** @param throttle of the workflow, as YAML */
    OwnKeyspace(Path directory, String throttle, Terminal terminal) {
        this.throttle = throttle;
        this.terminal = terminal;
        this.keyspace = LocalKeyspace.start(
                KEYSPACE, new LocalKeyspace.Options(directory, MysqlHome.find(), 0, status -> latest = status));
    }

    @Override
    public Address address() {
        return keyspace.address();
    }

    @Override
    public Address source() {
        var primary = keyspace.topology().shards().getFirst().primary();
        return keyspace.administrator().at(primary.host(), primary.port());
    }

    @Override
    public Moved move() throws InterruptedException {
        var phases = reach(Goal.Verified).phases();
        return new Moved(phase(phases, "Copying"), phase(phases, "Verifying"));
    }

    private static Span phase(List<PhaseStart> phases, String name) {
        for (int i = 0; i < phases.size() - 1; i++) {
            if (phases.get(i).phase().equals(name)) {
                return new Span(phases.get(i).atMillis(), phases.get(i + 1).atMillis());
            }
        }
        throw new IllegalStateException("there was no phase " + name + ": " + phases);
    }

    @Override
    public String serve(boolean newShards) throws InterruptedException {
        long from = System.currentTimeMillis();
        return reach(newShards ? Goal.Switched : Goal.RolledBack).events().stream()
                .filter(event -> event.reason().equals(SplitWatch.SWITCHOVER) && event.atMillis() >= from)
                .map(WorkflowStatus.Happened::message)
                .findFirst()
                .orElse("");
    }

    private WorkflowStatus reach(Goal goal) throws InterruptedException {
        keyspace.reshard(WORKFLOW.formatted(throttle, goal));
        long end = System.nanoTime() + WITHIN.toNanos();
        while (System.nanoTime() < end) {
            var status = latest;
            if (status != null && status.goal() == goal) {
                if (status.succeeded() == Succeeded.TRUE) {
                    return status;
                }
                terminal.now(status.phase() + "  " + status.progress() + "  " + status.slowed());
            }
            Thread.sleep(LOOK_MILLIS);
        }
        throw new IllegalStateException("goal " + goal + " is not reached: " + latest);
    }

    @Override
    public void close() {
        keyspace.close();
    }
}
