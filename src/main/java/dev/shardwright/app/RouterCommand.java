package dev.shardwright.app;

import dev.shardwright.api.TimeSpan;
import dev.shardwright.router.RouterConfig;
import dev.shardwright.router.RouterServer;
import dev.shardwright.router.protocol.ProxyProtocol;
import dev.shardwright.topology.store.ConfigMapTopologyStore;
import dev.shardwright.topology.store.FileTopologyStore;
import dev.shardwright.topology.store.TopologyStore;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.netty.util.ResourceLeakDetector;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.Security;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code shardwright router}: MySQL clients in, shards out. Runs until it is told to stop; drains then. */
@Command(
        name = "router",
        mixinStandardHelpOptions = true,
        description = "Serves one keyspace to MySQL clients: routes each statement to the shards that own its rows.")
final class RouterCommand implements Callable<Integer> {
    private static final String FILE = "file:";
    private static final String CONFIG_MAP = "configmap:";

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Option(names = "--keyspace", required = true, description = "The keyspace; also the database that clients use.")
    String keyspace = "";

    @Option(
            names = "--listen",
            defaultValue = "0.0.0.0:3306",
            description = "Where MySQL clients connect. Default: ${DEFAULT-VALUE}")
    String listen = "";

    @Option(
            names = "--management",
            defaultValue = "127.0.0.1:8080",
            description = "Where /healthz, /readyz, /state, /connect and /metrics are. Default: ${DEFAULT-VALUE}")
    String management = "";

    @Option(
            names = "--topology",
            required = true,
            description = "file:PATH, or configmap:NAMESPACE/KEYSPACE for the ConfigMap KEYSPACE-topology.")
    String topology = "";

    @Option(
            names = "--users",
            required = true,
            description = "JSON file, an object of user to password; read again when it changes.")
    Path users = Path.of("");

    @Option(
            names = "--buffer-timeout",
            defaultValue = "10s",
            description = "How long a statement waits for a shard that is being moved. Default: ${DEFAULT-VALUE}")
    String bufferTimeout = "";

    @Option(
            names = "--buffer-bytes",
            defaultValue = "67108864",
            description = "Bytes that all waiting statements may hold together. Default: ${DEFAULT-VALUE}")
    long bufferBytes;

    @Option(
            names = "--statement-bytes",
            defaultValue = "0",
            description = "Bytes that the statements of all clients may hold together, beyond 64 KiB for each client; a"
                    + " statement that has waited 10 s for some gets errno 1041. Default: an eighth of the heap")
    long statementBytes;

    @Option(
            names = "--drain-timeout",
            defaultValue = "250ms",
            description = "How long a transaction may go on once its shard is fenced. Default: ${DEFAULT-VALUE}")
    String drainTimeout = "";

    @Option(
            names = "--event-loops",
            defaultValue = "0",
            description = "Threads for network I/O. Default: half of the cores, at least two.")
    int eventLoops;

    @Option(
            names = "--max-connections",
            defaultValue = "1000",
            description = "Clients at one time; more get errno 1040. Default: ${DEFAULT-VALUE}")
    int maxConnections;

    @Option(
            names = "--max-connections-per-user",
            defaultValue = "0",
            description = "Clients at one time that are logged in as the same user; more get errno 1203."
                    + " Default: ${DEFAULT-VALUE}, as many as there may be")
    int maxConnectionsPerUser;

    @Option(
            names = "--proxy-protocol-from",
            paramLabel = "NETWORK",
            split = ",",
            description = "Networks of proxies, such as 10.0.0.0/8: their connections must begin with a PROXY header of"
                    + " version 2, which tells the client's address. Default: none")
    List<String> proxies = List.of();

    @Option(
            names = "--max-backends",
            defaultValue = "100",
            description = "Connections to each shard for each user; clients share them. Default: ${DEFAULT-VALUE}")
    int maxBackends;

    @Option(
            names = "--statement-timeout",
            defaultValue = "0s",
            description =
                    "How long a statement may run; then it is ended with errno 3024. Default: ${DEFAULT-VALUE}, as long as it takes")
    String statementTimeout = "";

    @Option(
            names = "--queue-timeout",
            defaultValue = "10s",
            description = "How long a statement waits for one of them; then errno 1203. Default: ${DEFAULT-VALUE}")
    String queueTimeout = "";

    @Option(
            names = "--tls",
            paramLabel = "DIR",
            description = "Directory with tls.crt and tls.key, read again when they change. Default: no TLS")
    @Nullable
    Path tls;

    @Option(names = "--require-tls", description = "Refuses clients that do not use TLS.")
    boolean requireTls;

    @Option(
            names = "--server-ca",
            paramLabel = "DIR",
            description = "Directory with ca.crt, read again when it changes: the router connects to the servers by TLS"
                    + " only, and their certificates must be signed by one of those. Default: no TLS to the servers")
    @Nullable
    Path serverCa;

    @Option(
            names = "--server-name",
            paramLabel = "NAME",
            description = "The name that the servers' certificates must be for. Default: the host of each server")
    @Nullable
    String serverName;

    @Option(
            names = "--stop-delay",
            defaultValue = "0s",
            description =
                    "How long the router serves on, not ready, once it is told to stop, as a load balancer may lead"
                            + " clients to it for a while. Default: ${DEFAULT-VALUE}")
    String stopDelay = "";

    @Option(
            names = "--stop-timeout",
            defaultValue = "10s",
            description = "How long transactions may go on after that, while no new clients are let in."
                    + " Default: ${DEFAULT-VALUE}")
    String stopTimeout = "";

    @Override
    public Integer call() throws InterruptedException {
        ProcessLog.toConsole();
        // A pod that comes back has another address; Java would remember the old one for half a minute.
        Security.setProperty("networkaddress.cache.ttl", "5");
        Security.setProperty("networkaddress.cache.negative.ttl", "1");
        // By default Netty keeps stack traces of every hundredth buffer, which costs some percent of each query.
        if (System.getProperty("io.netty.leakDetection.level") == null) {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        }
        try (var store = store();
                var router = RouterServer.start(config(), store)) {
            spec.commandLine()
                    .getOut()
                    .printf(
                            "router of keyspace %s: mysql %s, management %s%n",
                            keyspace, router.mysqlAddress(), router.managementAddress());
            spec.commandLine().getOut().flush();
            awaitStop(router);
        }
        return 0;
    }

    /** A signal ends the process only after the router has drained. */
    private static void awaitStop(RouterServer router) throws InterruptedException {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("router-stop").unstarted(router::close));
        new CountDownLatch(1).await();
    }

    private RouterConfig config() {
        return new RouterConfig(
                keyspace,
                address("--listen", listen),
                address("--management", management),
                users,
                TimeSpan.parse(bufferTimeout),
                bufferBytes,
                statementBytes > 0 ? statementBytes : RouterConfig.defaultStatementBytes(),
                TimeSpan.parse(drainTimeout),
                eventLoops > 0 ? eventLoops : RouterConfig.defaultEventLoops(),
                new RouterConfig.Clients(
                        maxConnections, maxConnectionsPerUser, proxies(), TimeSpan.parse(statementTimeout)),
                new RouterConfig.Stop(TimeSpan.parse(stopDelay), TimeSpan.parse(stopTimeout)),
                tls(),
                serverTls(),
                RouterConfig.backends(maxBackends, TimeSpan.parse(queueTimeout), TimeSpan.parse(bufferTimeout)));
    }

    private List<String> proxies() {
        try {
            ProxyProtocol.from(proxies);
            return proxies;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--proxy-protocol-from: " + e.getMessage());
        }
    }

    private RouterConfig.@Nullable Tls tls() {
        if (requireTls && tls == null) {
            throw new ParameterException(spec.commandLine(), "--require-tls needs --tls=DIR with a certificate");
        }
        return tls == null ? null : new RouterConfig.Tls(tls, requireTls);
    }

    private RouterConfig.@Nullable ServerTls serverTls() {
        if (serverName != null && serverCa == null) {
            throw new ParameterException(spec.commandLine(), "--server-name needs --server-ca=DIR with ca.crt");
        }
        return serverCa == null ? null : new RouterConfig.ServerTls(serverCa, serverName);
    }

    private InetSocketAddress address(String option, String text) {
        int colon = text.lastIndexOf(':');
        try {
            return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(), option + "=" + text + ": write HOST:PORT, such as 0.0.0.0:3306");
        }
    }

    private TopologyStore store() {
        if (topology.startsWith(FILE)) {
            return new FileTopologyStore(Path.of(topology.substring(FILE.length())), keyspace);
        }
        int slash = topology.indexOf('/');
        if (topology.startsWith(CONFIG_MAP) && slash > 0) {
            return new ConfigMapTopologyStore(
                    new KubernetesClientBuilder().build(),
                    topology.substring(CONFIG_MAP.length(), slash),
                    topology.substring(slash + 1));
        }
        throw new ParameterException(
                spec.commandLine(), "--topology=" + topology + ": write file:PATH or configmap:NAMESPACE/KEYSPACE");
    }
}
