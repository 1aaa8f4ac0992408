package dev.shardwright.router;

import dev.shardwright.router.buffer.ByteBudget;
import dev.shardwright.router.executor.ExecutorSettings;
import dev.shardwright.router.executor.RouterLoop;
import dev.shardwright.router.executor.RouterMetrics;
import dev.shardwright.router.executor.Sessions;
import dev.shardwright.router.pool.BackendPools;
import dev.shardwright.router.pool.PoolCounters;
import dev.shardwright.router.protocol.BackendConnector;
import dev.shardwright.router.protocol.ProxyProtocol;
import dev.shardwright.router.protocol.ServerVersions;
import dev.shardwright.topology.store.TopologyStore;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running router. */
public final class RouterServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RouterServer.class);
    private static final int MAX_PACKET = 64 << 20;
    private static final int PLANNER_THREADS = 2;
    private static final int PLANNER_QUEUE = 1_024;
    private static final int BACKLOG = 1_024;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration VERSION_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration REFRESH = Duration.ofSeconds(2);
    private static final Duration DRAIN_STEP = Duration.ofMillis(20);

    private final RouterConfig config;
    private final Transports transports;
    private final List<RouterLoop> loops = new ArrayList<>();
    private final ThreadPoolExecutor planners;
    private final ScheduledExecutorService chores;
    private final Sessions sessions = new Sessions();
    private final RouterMetrics metrics = new RouterMetrics();
    private final ServerVersions versions = new ServerVersions();
    private final Reports reports;
    private final TopologyStore.Subscription subscription;
    private final Management management;
    private final Channel acceptor;

    private RouterServer(RouterConfig config, TopologyStore store) {
        this.config = config;
        var users = new UsersFile(config.users());
        var tls = config.tls();
        var certificates = tls == null ? null : new Certificates(tls.directory());
        var proxies = ProxyProtocol.from(config.clients().proxies());
        var serverTls = config.serverTls();
        var authority = serverTls == null ? null : new ServerAuthority(serverTls);
        transports = Transports.open(config.eventLoops());
        planners = new ThreadPoolExecutor(
                PLANNER_THREADS,
                PLANNER_THREADS,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(PLANNER_QUEUE),
                Thread.ofPlatform().name("router-planner-", 0).daemon().factory());
        var statementBudget = new ByteBudget(config.statementBytes());
        makeLoops(authority, statementBudget);
        var topology = new TopologyHolder(loops, metrics, versions, new VersionProbe(versions, VERSION_TIMEOUT));
        reports = new Reports(loops, topology, metrics, statementBudget);
        chores = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("router-chores").daemon().factory());
        try {
            management = new Management(config.management(), reports);
            acceptor =
                    listen(new ClientLogins(config, users, certificates, versions, sessions, loops, metrics), proxies);
        } catch (RuntimeException e) {
            stopThreads();
            throw e;
        }
        subscription = store.watch(topology);
        refreshing(users::refresh);
        refreshing(topology::askVersions);
        if (certificates != null) {
            refreshing(certificates::refresh);
        }
        if (authority != null) {
            refreshing(authority::refresh);
        }
        log.info(
                "router of keyspace {}: MySQL on {}, management on {}",
                config.keyspace(),
                mysqlAddress(),
                managementAddress());
    }

    /**
     * Starts a router. It answers as soon as it has a valid topology. Throws UncheckedIOException when the
     * users file or a certificate can't be read or an address can't be used, IllegalArgumentException for what is no
     * network.
     */
    public static RouterServer start(RouterConfig config, TopologyStore store) {
        return new RouterServer(config, store);
    }

    private void refreshing(Runnable files) {
        chores.scheduleWithFixedDelay(files, REFRESH.toMillis(), REFRESH.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void makeLoops(@Nullable ServerAuthority authority, ByteBudget statementBudget) {
        var connector = new BackendConnector(transports.client(), planners, CONNECT_TIMEOUT, versions, authority);
        var holdBudget = new ByteBudget(config.bufferBytes());
        var settings = new ExecutorSettings(
                config.keyspace(),
                config.bufferTimeout(),
                config.drainTimeout(),
                config.clients().statementTimeout(),
                MAX_PACKET);
        var counters = new PoolCounters(metrics.backends(), metrics.waiting());
        var share = config.backends().forOneOf(config.eventLoops());
        transports.loops().forEach(executor -> {
            var loop = (EventLoop) executor;
            var pools = new BackendPools(loop, connector, share, counters);
            loops.add(new RouterLoop(loop, settings, pools, planners, holdBudget, statementBudget, metrics, sessions));
        });
    }

    private Channel listen(ClientLogins logins, ProxyProtocol proxies) {
        try {
            return new ServerBootstrap()
                    .group(transports.loops())
                    .channel(transports.server())
                    .option(ChannelOption.SO_BACKLOG, BACKLOG)
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childHandler(new ClientPipeline(logins, proxies, MAX_PACKET))
                    .bind(config.listen())
                    .syncUninterruptibly()
                    .channel();
        } catch (RuntimeException e) {
            management.close();
            throw new IllegalStateException(
                    "the address " + config.listen() + " can't be used for MySQL clients: " + e.getMessage(), e);
        }
    }

    /** Where clients connect. */
    public InetSocketAddress mysqlAddress() {
        return (InetSocketAddress) acceptor.localAddress();
    }

    public InetSocketAddress managementAddress() {
        return management.address();
    }

    /**
     * Ends as {@link RouterConfig.Stop} says: serves on while others learn that it is not ready, then takes no new
     * clients and lets transactions finish, then ends all. An interrupt cuts each wait short.
     */
    @Override
    public void close() {
        reports.stopping();
        if (!config.stop().delay().isZero()) {
            log.info("told to stop: serves for {} more", config.stop().delay());
            pause(config.stop().delay());
        }
        acceptor.close().syncUninterruptibly();
        long end = System.nanoTime() + config.stop().timeout().toNanos();
        while (drain(false) > 0 && System.nanoTime() < end && pause(DRAIN_STEP)) {}
        drain(true);
        subscription.close();
        management.close();
        stopThreads();
    }

    private int drain(boolean force) {
        int left = 0;
        for (var loop : loops) {
            left += loop.eventLoop()
                    .submit(() -> loop.drain(force))
                    .syncUninterruptibly()
                    .getNow();
        }
        return left;
    }

    private static boolean pause(Duration time) {
        try {
            Thread.sleep(time);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void stopThreads() {
        chores.shutdownNow();
        planners.shutdownNow();
        transports
                .loops()
                .shutdownGracefully(0, 2, TimeUnit.SECONDS)
                .awaitUninterruptibly(TimeUnit.SECONDS.toMillis(3));
    }
}
