package dev.shardwright.local;

import dev.shardwright.api.ByteSize;
import dev.shardwright.api.KeyspaceSpec;
import dev.shardwright.api.TimeSpan;
import dev.shardwright.local.workload.Address;
import dev.shardwright.mysql.admin.Bootstrap;
import dev.shardwright.mysql.server.MysqlHome;
import dev.shardwright.mysql.server.Setting;
import dev.shardwright.reshard.workflow.Admins;
import dev.shardwright.reshard.workflow.Leadership;
import dev.shardwright.reshard.workflow.WorkflowEngine;
import dev.shardwright.reshard.workflow.WorkflowPorts;
import dev.shardwright.router.RouterConfig;
import dev.shardwright.router.RouterServer;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.store.FileTopologyStore;
import dev.shardwright.topology.store.TopologyStore;
import dev.shardwright.topology.store.TopologyStoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A keyspace on this machine: the shards' servers, one router, and the engine that reshards it. All of it
 * lives in one directory; started there again, it goes on where it was stopped.
 */
public final class LocalKeyspace implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalKeyspace.class);

    private final String name;
    private final Path directory;
    private final LocalAccounts accounts;
    private final TopologyStore store;
    private final LocalServers servers;
    private final LocalMovers movers;
    private final RouterServer router;
    private final WorkflowFiles workflows;
    private final Parts parts =
            new Parts((part, e) -> log.warn("stopping {}: {}", part.getClass().getSimpleName(), e.getMessage()));

    /** What a keyspace is started with. */
    public record Options(Path directory, MysqlHome mysql, int port, Consumer<WorkflowStatus> onWorkflow) {}

    /**
     * Starts the keyspace that this YAML describes and returns once it serves. IllegalArgumentException if the
     * YAML is wrong, IllegalStateException if the directory is in use or holds another keyspace.
     */
    public static LocalKeyspace start(String yaml, Options options) {
        var resource = LocalResources.keyspace(yaml);
        SpecRules.check(resource.spec());
        return new LocalKeyspace(resource.name(), resource.spec(), options);
    }

    private LocalKeyspace(String name, KeyspaceSpec spec, Options options) {
        this.name = name;
        this.directory = options.directory().toAbsolutePath();
        boolean started = false;
        try {
            lock();
            accounts = LocalAccounts.of(directory, spec.users());
            store = parts.add(new FileTopologyStore(directory.resolve("topology.json"), name));
            servers = parts.add(
                    new LocalServers(options.mysql(), directory.resolve("shards"), bootstrap(), settings(spec)));
            new LocalShards(name, store, servers).start(SpecRules.check(spec), spec.vschema());
            movers = parts.add(new LocalMovers(accounts.mover()));
            router = parts.add(RouterServer.start(routerConfig(spec, options.port()), store));
            workflows = new WorkflowFiles(directory);
            var engine = engine();
            new Fences(engine.fenceReconciler()).openAll(topology());
            parts.add(new Caretaker(servers)).start();
            var loop = parts.add(new WorkflowLoop(name, workflows, engine, options.onWorkflow()));
            loop.start();
            awaitRouter();
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    private void lock() {
        try {
            Files.createDirectories(directory);
            var channel = parts.add(
                    FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
            if (channel.tryLock() == null) {
                throw new IllegalStateException("the keyspace in " + directory
                        + " is running in another process: stop that one, or give another --dir");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(directory + " can't be used: " + e.getMessage(), e);
        }
    }

    private Bootstrap bootstrap() {
        return new Bootstrap(name, accounts.operator(), accounts.mover(), accounts.users(), true);
    }

    private static List<Setting> settings(KeyspaceSpec spec) {
        return spec.mysql().config().stream()
                .map(line -> new Setting(line.name(), line.value()))
                .toList();
    }

    private RouterConfig routerConfig(KeyspaceSpec spec, int port) {
        return RouterConfig.onLoopback(name, accounts.usersFile())
                .withListen(new InetSocketAddress("127.0.0.1", port))
                .withBuffer(
                        TimeSpan.parse(spec.router().bufferTimeout()),
                        ByteSize.parse(spec.router().bufferBytes()))
                .withStatementBytes(statementBytes(spec))
                .withClients(new RouterConfig.Clients(
                        spec.router().maxConnections(),
                        spec.router().maxConnectionsPerUser(),
                        List.of(),
                        statementTimeout(spec)))
                .withBackends(RouterConfig.backends(
                        spec.router().backends().maxConnections(),
                        TimeSpan.parse(spec.router().backends().queueTimeout()),
                        TimeSpan.parse(spec.router().bufferTimeout())));
    }

    private static long statementBytes(KeyspaceSpec spec) {
        var limit = spec.router().statementBytes();
        return limit == null ? RouterConfig.defaultStatementBytes() : ByteSize.parse(limit);
    }

    private static Duration statementTimeout(KeyspaceSpec spec) {
        var limit = spec.router().statementTimeout();
        return limit == null ? Duration.ZERO : TimeSpan.parse(limit);
    }

    private WorkflowEngine engine() {
        var routers = parts.add(new LocalRouters(Map.of("router", router.managementAddress())));
        var admins = Admins.of(name, accounts.operator(), Leadership.ALWAYS);
        return new WorkflowEngine(
                new WorkflowPorts(
                        store,
                        servers,
                        routers,
                        movers,
                        admins,
                        new LocalPrecheck(name, servers, accounts.operator()),
                        Leadership.ALWAYS),
                Clock.systemUTC());
    }

    private void awaitRouter() {
        for (int i = 0; i < 600; i++) {
            try (var connection = address().connect(false)) {
                return;
            } catch (java.sql.SQLException e) {
                if (i == 599) {
                    throw new IllegalStateException("the router does not serve: " + e.getMessage(), e);
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting", e);
        }
    }

    public String name() {
        return name;
    }

    public Path directory() {
        return directory;
    }

    /** The topology at this moment. */
    public Topology topology() {
        return store.read()
                .orElseThrow(() -> new TopologyStoreException("topology.json is gone"))
                .topology();
    }

    /** The router, with the account of the first application user. */
    public Address address() {
        var user = accounts.users().getFirst();
        var at = router.mysqlAddress();
        return new Address(at.getHostString(), at.getPort(), user.name(), user.password(), name);
    }

    /** An account that may read and write everything on every shard's server; its host and port mean nothing. */
    public Address administrator() {
        var operator = accounts.operator();
        return new Address("127.0.0.1", 0, operator.user(), operator.password(), name);
    }

    /** Starts a workflow, or changes the goal of one. IllegalArgumentException says what is wrong with the YAML. */
    public String reshard(String yaml) {
        return workflows.apply(yaml);
    }

    /** Ends all movers as a crash would, and starts them anew. */
    public void crashMovers() {
        movers.crash();
    }

    /** Stops everything; the directory stays. */
    @Override
    public void close() {
        parts.close();
    }
}
