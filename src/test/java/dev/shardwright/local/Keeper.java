package dev.shardwright.local;

import dev.shardwright.app.Main;
import dev.shardwright.mysql.admin.AppUser;
import dev.shardwright.mysql.admin.Bootstrap;
import dev.shardwright.mysql.admin.Identity;
import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.mysql.server.MysqlHome;
import dev.shardwright.testing.TcpProxy;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the parts of a keyspace running, each as a process of its own, as Kubernetes would: what is wished for is
 * started, what has ended is started again, what is not wished for any more is ended. Nothing else ever mends anything.
 */
final class Keeper implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Keeper.class);
    private static final long LOOK_MILLIS = 30;
    private static final long AGAIN_MILLIS = 500;

    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final Wishes shards;
    private final Wishes movers;
    private final Map<String, Server> servers = new ConcurrentHashMap<>();
    private final Map<String, MoverProcess> moverProcesses = new ConcurrentHashMap<>();
    private final int routerPort = freePort();
    private final int routerManagement = freePort();
    private final TcpProxy routerProxy;
    private final Thread thread = Thread.ofPlatform().daemon().name("keeper").unstarted(this::run);
    private volatile @Nullable ControlledProcess router;
    private volatile @Nullable ControlledProcess engine;
    private volatile boolean closed;
    /** Where each mover that is started from now on is held; empty: nowhere. */
    volatile String holdMoversAt = "";

    /** A shard's server behind a proxy, whose address everybody is told. */
    record Server(LocalMysqld mysqld, TcpProxy network, Disk disk, AtomicBoolean busy) {}

    private record MoverProcess(String spec, ControlledProcess process, int port) {}

    Keeper(Path directory) throws IOException {
        this.directory = directory;
        this.shards = Wishes.in(directory.resolve("shards"));
        this.movers = Wishes.in(directory.resolve("movers"));
        this.routerProxy = new TcpProxy(routerManagement);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            try {
                look();
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                log.warn("keeper: {}", e.toString(), e);
            }
        }
    }

    private void look() {
        keepServers();
        keepMovers();
        var aRouter = router;
        if (aRouter == null || !aRouter.alive()) {
            router = startRouter();
        }
        var anEngine = engine;
        if (anEngine == null || !anEngine.alive()) {
            engine = startEngine();
        }
    }

    private void keepServers() {
        var wished = shards.all();
        wished.forEach((name, text) -> {
            var server = servers.get(name);
            if (server == null) {
                // Starts are one after the other: two cores are not made for more.
                start(name, text);
            } else if (!server.mysqld().running() && server.busy().compareAndSet(false, true)) {
                Thread.ofVirtual().start(() -> restart(name, server));
            }
        });
        servers.keySet().stream()
                .filter(name -> !wished.containsKey(name))
                .toList()
                .forEach(this::end);
    }

    private void start(String name, String text) {
        try {
            var shard = Wishes.JSON.readValue(text, Member.class);
            start(shard, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the server of this shard; returns the port that leads to it. */
    int start(Member shard, boolean fenced) throws IOException {
        shards.want(shard.name(), shard);
        var place = directory.resolve("servers").resolve(shard.name());
        var disk = Disk.at(place);
        var bootstrap = new Bootstrap(
                TestServers.KEYSPACE,
                TestServers.OPERATOR,
                TestServers.MOVER,
                List.of(new AppUser(TestServers.APP.user(), TestServers.APP.password(), List.of("ALL"))),
                fenced);
        var mysqld = LocalMysqld.start(
                MysqlHome.find(),
                place,
                bootstrap,
                new Identity(TestServers.KEYSPACE, shard.uid(), shard.range().toString()),
                List.of());
        var network = new TcpProxy(mysqld.port());
        servers.put(shard.name(), new Server(mysqld, network, disk, new AtomicBoolean()));
        shards.runs(shard.name(), network.port());
        return network.port();
    }

    private static void restart(String name, Server server) {
        try {
            server.mysqld().restart();
        } catch (RuntimeException e) {
            log.info("{} does not start again yet: {}", name, e.getMessage());
            pause(AGAIN_MILLIS);
        } finally {
            server.busy().set(false);
        }
    }

    private void end(String name) {
        var server = servers.get(name);
        if (server != null && server.busy().compareAndSet(false, true)) {
            close(server);
            servers.remove(name);
            shards.gone(name);
        }
    }

    private void close(Server server) {
        server.network().close();
        server.mysqld().resume();
        server.mysqld().kill();
        keepLog(server.mysqld().directory());
        server.disk().close();
    }

    /** What it said is wanted when its disk is gone. */
    private void keepLog(Path server) {
        try {
            Files.copy(
                    server.resolve("error.log"),
                    directory.resolve(server.getFileName() + ".error.log"),
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            log.info("the log of {}: {}", server, e.toString());
        }
    }

    private void keepMovers() {
        var wished = movers.all();
        wished.forEach((name, spec) -> {
            var mover = moverProcesses.get(name);
            if (mover == null || !mover.process().alive() || !mover.spec().equals(spec)) {
                if (mover != null) {
                    mover.process().kill();
                }
                startMover(name, spec, mover == null ? freePort() : mover.port());
            }
        });
        for (var name : List.copyOf(moverProcesses.keySet())) {
            if (!wished.containsKey(name)) {
                var mover = moverProcesses.remove(name);
                mover.process().kill();
                movers.gone(name);
            }
        }
    }

    private void startMover(String name, String spec, int port) {
        try {
            var file = Files.writeString(directory.resolve(name + ".mover.json"), spec);
            var process = ControlledProcess.start(
                    directory.resolve("mover.log"), MoverMain.class, List.of(file.toString(), Integer.toString(port)));
            process.holdAt(holdMoversAt);
            moverProcesses.put(name, new MoverProcess(spec, process, port));
            movers.runs(name, port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ControlledProcess startRouter() {
        return ControlledProcess.start(
                directory.resolve("router.log"),
                Main.class,
                List.of(
                        "router",
                        "--keyspace=" + TestServers.KEYSPACE,
                        "--listen=127.0.0.1:" + routerPort,
                        "--management=127.0.0.1:" + routerManagement,
                        "--topology=file:" + FaultKeyspace.topology(directory),
                        "--users=" + directory.resolve("users.json")));
    }

    private ControlledProcess startEngine() {
        var process = ControlledProcess.start(
                directory.resolve("engine.log"),
                EngineMain.class,
                List.of(directory.toString(), Integer.toString(routerProxy.port())));
        process.holdAt("");
        return process;
    }

    // ---- what faults strike

    ControlledProcess engine() {
        return present(engine);
    }

    ControlledProcess router() {
        return present(router);
    }

    private static ControlledProcess present(@Nullable ControlledProcess process) {
        if (process == null) {
            throw new IllegalStateException("not started yet");
        }
        return process;
    }

    int routerPort() {
        return routerPort;
    }

    /** What lies between engine and router. */
    TcpProxy routerNetwork() {
        return routerProxy;
    }

    List<ControlledProcess> movers() {
        return moverProcesses.values().stream().map(MoverProcess::process).toList();
    }

    /** The names of the streams whose movers run. */
    List<Integer> moverPorts() {
        return moverProcesses.values().stream().map(MoverProcess::port).toList();
    }

    Server server(String name) {
        var server = servers.get(name);
        if (server == null) {
            throw new IllegalStateException("no server " + name);
        }
        return server;
    }

    /** The system gives a port out again as long as nobody has bound it, which a process does some time later. */
    static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return GIVEN.add(socket.getLocalPort()) ? socket.getLocalPort() : freePort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(60_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        var all = new ArrayList<ControlledProcess>(movers());
        if (engine != null) {
            all.add(engine);
        }
        if (router != null) {
            all.add(router);
        }
        all.forEach(ControlledProcess::kill);
        routerProxy.close();
        servers.values().forEach(server -> {
            while (!server.busy().compareAndSet(false, true)) {
                pause(LOOK_MILLIS);
            }
            close(server);
        });
    }
}
