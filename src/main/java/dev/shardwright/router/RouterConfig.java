package dev.shardwright.router;

import dev.shardwright.router.pool.PoolSettings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a router runs.
 *
 * @param keyspace the one that it serves; its name is the database that clients use
 * @param listen where clients connect; port 0 takes a free one
 * @param management where health, state and metrics are served; port 0 takes a free one
 * @param users JSON object of user to password; read again when it changes
 * @param bufferTimeout how long a statement waits for a shard that is being moved or can't be reached
 * @param bufferBytes what all waiting statements may hold together
 * @param statementBytes what all clients' statements may hold together, beyond 64 KiB for each client
 * @param drainTimeout how long a transaction on a fenced shard may go on
 * @param eventLoops number of threads for I/O
 * @param clients who may connect, and how many
 * @param stop how it ends once it is told to
 * @param tls null: clients connect without TLS
 * @param serverTls null: the router connects to the servers without TLS
 * @param backends limits of the connections to shards' servers
 */
public record RouterConfig(
        String keyspace,
        InetSocketAddress listen,
        InetSocketAddress management,
        Path users,
        Duration bufferTimeout,
        long bufferBytes,
        long statementBytes,
        Duration drainTimeout,
        int eventLoops,
        Clients clients,
        Stop stop,
        @Nullable Tls tls,
        @Nullable ServerTls serverTls,
        PoolSettings backends) {

    /**
     * Which clients are let in, and what they may do.
     *
     * @param maxConnections logged in at one time, and as many again that are about to log in
     * @param maxConnectionsPerUser logged in as the same user, 0: as many as there may be
     * @param proxies networks such as 10.0.0.0/8; a connection from there must begin with a PROXY header (version 2), and
     *     no other may
     * @param statementTimeout how long a statement may run; zero: as long as it takes
     */
    public record Clients(
            int maxConnections, int maxConnectionsPerUser, List<String> proxies, Duration statementTimeout) {
        public static final Clients DEFAULT = new Clients(1_000, 0, List.of());

        public Clients(int maxConnections, int maxConnectionsPerUser, List<String> proxies) {
            this(maxConnections, maxConnectionsPerUser, proxies, Duration.ZERO);
        }

        public Clients {
            proxies = List.copyOf(proxies);
        }
    }

    /**
     * How a router ends.
     *
     * @param delay how long it serves as ever, though it says that it is not ready: for so long others may still lead
     *     clients to it
     * @param timeout how long transactions may go on after that, while no new client is let in
     */
    public record Stop(Duration delay, Duration timeout) {
        public static final Stop DEFAULT = new Stop(Duration.ZERO, Duration.ofSeconds(10));
    }

    /**
     * TLS for clients.
     *
     * @param directory has {@code tls.crt} (the chain, own certificate first) and {@code tls.key} (PKCS #8), both PEM;
     *     read again when they change
     * @param required whether clients that do not use it are refused
     */
    public record Tls(Path directory, boolean required) {}

    /**
     * TLS towards the shards' servers; one that does not offer it is refused.
     *
     * @param directory has {@code ca.crt}, PEM: whose certificates are trusted; read again when it changes
     * @param name the name that each server's certificate must be for; null: the host by which it is reached
     */
    public record ServerTls(Path directory, @Nullable String name) {}

    public static final Duration BUFFER_TIMEOUT = Duration.ofSeconds(10);
    public static final long BUFFER_BYTES = 64L << 20;
    public static final Duration DRAIN_TIMEOUT = Duration.ofMillis(250);

    /**
     * The default number of event loops: half of the cores, which costs less for each query than one a core; but two
     * where there are two, as one thread among many gets too little of a busy machine's time.
     */
    public static int defaultEventLoops() {
        int cores = Runtime.getRuntime().availableProcessors();
        return Math.min(cores, Math.max(2, cores / 2));
    }

    /** An eighth of the heap: a statement takes up to three times its length there, and twice outside of it. */
    public static long defaultStatementBytes() {
        return Runtime.getRuntime().maxMemory() / 8;
    }

    /** All defaults, on free ports of the loopback address. */
    public static RouterConfig onLoopback(String keyspace, Path users) {
        return new RouterConfig(
                keyspace,
                new InetSocketAddress("127.0.0.1", 0),
                new InetSocketAddress("127.0.0.1", 0),
                users,
                BUFFER_TIMEOUT,
                BUFFER_BYTES,
                defaultStatementBytes(),
                DRAIN_TIMEOUT,
                defaultEventLoops(),
                Clients.DEFAULT,
                Stop.DEFAULT,
                null,
                null,
                backends(PoolSettings.CONNECTIONS, PoolSettings.QUEUE_TIMEOUT, BUFFER_TIMEOUT));
    }

    public RouterConfig withListen(InetSocketAddress address) {
        return with(draft -> draft.listen = address);
    }

    public RouterConfig withBuffer(Duration timeout, long bytes) {
        return with(draft -> {
            draft.bufferTimeout = timeout;
            draft.bufferBytes = bytes;
        });
    }

    public RouterConfig withStatementBytes(long bytes) {
        return with(draft -> draft.statementBytes = bytes);
    }

    public RouterConfig withDrainTimeout(Duration timeout) {
        return with(draft -> draft.drainTimeout = timeout);
    }

    public RouterConfig withClients(Clients rules) {
        return with(draft -> draft.clients = rules);
    }

    public RouterConfig withTls(Tls settings) {
        return with(draft -> draft.tls = settings);
    }

    public RouterConfig withServerTls(ServerTls settings) {
        return with(draft -> draft.serverTls = settings);
    }

    public RouterConfig withStop(Stop settings) {
        return with(draft -> draft.stop = settings);
    }

    public RouterConfig withEventLoops(int threads) {
        return with(draft -> draft.eventLoops = threads);
    }

    public RouterConfig withBackends(PoolSettings settings) {
        return with(draft -> draft.backends = settings);
    }

    /** Settings with these; a shard that has been out of reach for a minute longer than that is not waited for. */
    public static PoolSettings backends(int connections, Duration queueTimeout, Duration bufferTimeout) {
        return new PoolSettings(
                connections, PoolSettings.QUEUE, queueTimeout, PoolSettings.IDLE_TIMEOUT, bufferTimeout.plusMinutes(1));
    }

    private RouterConfig with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.config();
    }

    /** A copy that can be changed. */
    private static final class Draft {
        private String keyspace;
        private InetSocketAddress listen;
        private InetSocketAddress management;
        private Path users;
        private Duration bufferTimeout;
        private long bufferBytes;
        private long statementBytes;
        private Duration drainTimeout;
        private int eventLoops;
        private Clients clients;
        private Stop stop;
        private @Nullable Tls tls;
        private @Nullable ServerTls serverTls;
        private PoolSettings backends;

        Draft(RouterConfig from) {
            keyspace = from.keyspace;
            listen = from.listen;
            management = from.management;
            users = from.users;
            bufferTimeout = from.bufferTimeout;
            bufferBytes = from.bufferBytes;
            statementBytes = from.statementBytes;
            drainTimeout = from.drainTimeout;
            eventLoops = from.eventLoops;
            clients = from.clients;
            stop = from.stop;
            tls = from.tls;
            serverTls = from.serverTls;
            backends = from.backends;
        }

        RouterConfig config() {
            return new RouterConfig(
                    keyspace,
                    listen,
                    management,
                    users,
                    bufferTimeout,
                    bufferBytes,
                    statementBytes,
                    drainTimeout,
                    eventLoops,
                    clients,
                    stop,
                    tls,
                    serverTls,
                    backends);
        }
    }
}
