package dev.shardwright.local.demo;

import dev.shardwright.local.LocalKeyspace;
import dev.shardwright.local.Parts;
import dev.shardwright.local.WorkflowStatus;
import dev.shardwright.local.workload.ChatData;
import dev.shardwright.local.workload.ChatVindexes;
import dev.shardwright.local.workload.CheckReport;
import dev.shardwright.local.workload.Loader;
import dev.shardwright.local.workload.RunReport;
import dev.shardwright.local.workload.ShardCheck;
import dev.shardwright.mysql.server.MysqlHome;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import dev.shardwright.topology.vindex.Vindexes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A chat on four shards: loads it, lets client processes write and read, splits the busiest range online, and
 * compares every row of every shard with what the clients were told.
 */
public final class Demo implements AutoCloseable {
    private static final Duration SPLIT_WITHIN = Duration.ofMinutes(8);
    private static final Duration CLIENTS_START_WITHIN = Duration.ofMinutes(1);

    private final DemoOptions options;
    private final Terminal terminal;
    private final DemoDirectory directory;
    private final ChatData data;
    private final SplitWatch watch;
    private final Parts parts;

    /** What it came to. */
    public record Result(
            long rowsLoaded, WorkflowStatus split, RunReport clients, CheckReport check, boolean nothingLost) {}

    /** Makes the demo's directory anew. */
    public Demo(DemoOptions options, Terminal terminal) {
        this.options = options;
        this.terminal = terminal;
        this.parts = new Parts((_, e) -> terminal.bad("stopping: " + e.getMessage()));
        this.directory = DemoDirectory.fresh(options.directory());
        this.data = new ChatData(options.shape());
        this.watch = new SplitWatch(terminal);
    }

    /** IllegalStateException if a part of it could not be started or did not end. */
    public Result run() throws SQLException, InterruptedException {
        terminal.title("A chat on four MySQL shards, one of them split while people write");
        terminal.line("");
        var keyspace = startKeyspace();
        long rows = load(keyspace);
        var clients = startClients(keyspace);
        Thread.sleep(options.around());
        var split = split(keyspace);
        Thread.sleep(options.around());
        var measured = stop(clients);
        var check = check(keyspace);
        var result = new Result(rows, split, measured, check, verdict(split, measured, check));
        new DemoSummary(terminal, keyspace.topology()).print(result);
        return result;
    }

    private LocalKeyspace startKeyspace() {
        long began = System.nanoTime();
        terminal.now("starting four MySQL servers and a router");
        var home = MysqlHome.find();
        var keyspace = parts.add(LocalKeyspace.start(
                resource("keyspace.yaml"), new LocalKeyspace.Options(directory.keyspace(), home, 0, watch::accept)));
        var address = keyspace.address();
        terminal.done(
                "4 MySQL servers (" + home.version() + ") and a router",
                since(began),
                "mysql -h 127.0.0.1 -P " + address.port() + " -u " + address.user() + " -p" + address.password() + " "
                        + address.database());
        return keyspace;
    }

    private long load(LocalKeyspace keyspace) throws SQLException, InterruptedException {
        long began = System.nanoTime();
        var loader = new Loader(keyspace.address(), data, Vindexes.of("xxhash"), Loader.LoadOptions.DEFAULT);
        long all = 2 * data.shape().messages() + data.shape().accounts();
        long rows = loader.load(so -> terminal.now(String.format(Locale.ROOT, "loading: %,d of %,d rows", so, all)));
        terminal.done(
                String.format(Locale.ROOT, "%,d rows loaded", rows),
                since(began),
                String.format(
                        Locale.ROOT,
                        "%,d messages in %,d channels, %,d accounts",
                        data.shape().messages(),
                        data.shape().channels(),
                        data.shape().accounts()));
        return rows;
    }

    private List<ClientProcess> startClients(LocalKeyspace keyspace) throws InterruptedException {
        long began = System.nanoTime();
        terminal.now("starting " + options.clients() + " client processes");
        var clients = new ArrayList<ClientProcess>();
        for (int i = 0; i < options.clients(); i++) {
            clients.add(parts.add(ClientProcess.start(i, options, keyspace.address(), directory)));
        }
        while (!clients.stream().allMatch(ClientProcess::atWork)) {
            if (since(began) > CLIENTS_START_WITHIN.toSeconds()) {
                throw new IllegalStateException("the clients do not get to work; see " + directory + "/client-*.log");
            }
            Thread.sleep(50);
        }
        int threads = options.clients() * options.threads();
        terminal.done(
                options.clients() + " client processes at work",
                since(began),
                threads + " writers, " + threads + " readers");
        return clients;
    }

    private WorkflowStatus split(LocalKeyspace keyspace) throws InterruptedException {
        long began = System.nanoTime();
        terminal.line("");
        terminal.title("    splitting c0- into c0-e0 and e0-");
        try (var _ = PlantedFault.start(keyspace, options.fault(), terminal::bad)) {
            keyspace.reshard(resource("split.yaml"));
            var status = watch.await(SPLIT_WITHIN);
            if (status.succeeded() == Succeeded.TRUE) {
                terminal.done("split, " + shards(keyspace) + " shards serve", since(began), "");
            } else {
                terminal.bad("the split stopped in phase " + status.phase() + ": " + status.message());
            }
            return status;
        }
    }

    private static int shards(LocalKeyspace keyspace) {
        return keyspace.topology().shards().size();
    }

    private RunReport stop(List<ClientProcess> clients) throws InterruptedException {
        terminal.line("");
        long began = System.nanoTime();
        terminal.now("stopping the clients");
        var report = ClientProcess.stop(clients, directory);
        terminal.done("clients stopped", since(began), "");
        return report;
    }

    private CheckReport check(LocalKeyspace keyspace) throws SQLException {
        long began = System.nanoTime();
        terminal.now("comparing every row of every shard with what the clients were told");
        var topology = keyspace.topology();
        var report = new ShardCheck(data, topology, ChatVindexes.of(topology.vschema()), keyspace.administrator())
                .check(directory.history(), keyspace.address());
        terminal.done(
                String.format(
                        Locale.ROOT,
                        "%,d rows compared, on the shards and through the router",
                        report.rows().values().stream()
                                .mapToLong(Long::longValue)
                                .sum()),
                since(began),
                "");
        return report;
    }

    private static boolean verdict(WorkflowStatus split, RunReport clients, CheckReport check) {
        return split.succeeded() == Succeeded.TRUE
                && clients.errors() == 0
                && clients.anomalies() == 0
                && check.clean();
    }

    private static double since(long began) {
        return (System.nanoTime() - began) / 1e9;
    }

    /** A file of the demo: keyspace.yaml or split.yaml. */
    public static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Demo.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends all processes; called by a shutdown hook as well, so a second call does nothing. */
    @Override
    public synchronized void close() {
        parts.close();
        if (!options.keepData()) {
            directory.removeData();
        }
    }
}
