package dev.shardwright.local;

import dev.shardwright.mysql.admin.Bootstrap;
import dev.shardwright.mysql.admin.Identity;
import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.mysql.server.MysqlHome;
import dev.shardwright.mysql.server.Setting;
import dev.shardwright.reshard.workflow.ShardHosts;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The shards' servers as mysqld processes of this machine, each in its own directory. */
final class LocalServers implements ShardHosts, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalServers.class);
    private static final int STARTED_AT_A_TIME = 2;

    private final MysqlHome home;
    private final Path directory;
    private final Bootstrap bootstrap;
    private final List<Setting> settings;
    private final Map<String, Future<LocalMysqld>> servers = new HashMap<>();
    private final ExecutorService starter;

    /** {@code bootstrap}: of a fenced server. */
    LocalServers(MysqlHome home, Path directory, Bootstrap bootstrap, List<Setting> settings) {
        this.home = home;
        this.directory = directory;
        this.bootstrap = bootstrap;
        this.settings = settings;
        this.starter = Executors.newFixedThreadPool(
                STARTED_AT_A_TIME,
                Thread.ofPlatform().name("mysqld-starter-", 0).daemon().factory());
    }

    @Override
    public synchronized Provision provision(Member shard) {
        var server = servers.computeIfAbsent(shard.uid(), _ -> starter.submit(() -> start(shard)));
        if (!server.isDone()) {
            return new Provision.Pending("the MySQL server of shard " + shard.name() + " is starting");
        }
        try {
            var started = server.get();
            return new Provision.Ready(new Endpoint(started.host(), started.port()));
        } catch (ExecutionException e) {
            servers.remove(shard.uid());
            String why = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
            return new Provision.Pending("the MySQL server of shard " + shard.name() + " did not start: " + why);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Provision.Pending("interrupted");
        }
    }

    private LocalMysqld start(Member shard) {
        log.info("starting the MySQL server of shard {}", shard.name());
        return LocalMysqld.start(
                home,
                directory.resolve(shard.name()),
                bootstrap,
                new Identity(bootstrap.keyspace(), shard.uid(), shard.range().toString()),
                settings);
    }

    /** The server of this shard if it has been started here. */
    synchronized Optional<LocalMysqld> server(String uid) {
        var server = servers.get(uid);
        return server != null && server.state() == Future.State.SUCCESS
                ? Optional.of(server.resultNow())
                : Optional.empty();
    }

    /** Starts servers again that have ended by themselves; returns their names. */
    synchronized List<String> revive() {
        var dead = servers.values().stream()
                .filter(server -> server.state() == Future.State.SUCCESS)
                .map(Future::resultNow)
                .filter(server -> !server.running())
                .toList();
        dead.forEach(LocalMysqld::restart);
        return dead.stream()
                .map(server -> server.directory().getFileName().toString())
                .toList();
    }

    @Override
    public synchronized boolean retire(Member shard) {
        var server = servers.get(shard.uid());
        if (server == null) {
            return true;
        }
        if (!server.isDone()) {
            return false;
        }
        server(shard.uid()).ifPresent(LocalMysqld::close);
        servers.remove(shard.uid());
        return true;
    }

    /** Stops all servers; their directories stay. */
    @Override
    public void close() {
        starter.shutdown();
        try {
            if (!starter.awaitTermination(2, TimeUnit.MINUTES)) {
                log.warn("a MySQL server is still starting; it is left alone");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stopAll();
    }

    private synchronized void stopAll() {
        servers.values().parallelStream()
                .filter(server -> server.state() == Future.State.SUCCESS)
                .map(Future::resultNow)
                .forEach(LocalMysqld::close);
        servers.clear();
    }
}
