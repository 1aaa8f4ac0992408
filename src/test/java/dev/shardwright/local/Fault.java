package dev.shardwright.local;

/** What can happen to a keyspace from outside. */
enum Fault {
    KILL_MOVER,
    KILL_OPERATOR,
    KILL_SOURCE,
    KILL_TARGET,
    KILL_ROUTER,
    STOP_MOVER,
    STOP_OPERATOR,
    STOP_SOURCE,
    STOP_TARGET,
    STOP_ROUTER,
    CUT_SOURCE,
    CUT_TARGET,
    /** The operator does not reach the router; clients do. */
    CUT_ROUTER,
    /** The topology can be neither read nor written. */
    STORE_AWAY,
    DISK_FULL;

    /** Brings it about; the answer ends it, where it does not end by itself. */
    Runnable strike(FaultKeyspace keyspace) {
        var parts = keyspace.keeper();
        return switch (this) {
            case KILL_MOVER -> once(() -> parts.movers().forEach(ControlledProcess::kill));
            case KILL_OPERATOR -> once(() -> parts.engine().kill());
            case KILL_SOURCE -> once(() -> keyspace.source().mysqld().kill());
            case KILL_TARGET -> once(() -> keyspace.target().mysqld().kill());
            case KILL_ROUTER -> once(() -> parts.router().kill());
            case STOP_MOVER -> {
                var movers = parts.movers();
                movers.forEach(ControlledProcess::stop);
                yield () -> movers.forEach(ControlledProcess::resume);
            }
            case STOP_OPERATOR -> stop(parts.engine());
            case STOP_SOURCE -> stop(keyspace.source());
            case STOP_TARGET -> stop(keyspace.target());
            case STOP_ROUTER -> stop(parts.router());
            case CUT_SOURCE -> cut(keyspace.source().network());
            case CUT_TARGET -> cut(keyspace.target().network());
            case CUT_ROUTER -> cut(parts.routerNetwork());
            case STORE_AWAY -> {
                keyspace.hideTopology();
                yield keyspace::showTopology;
            }
            case DISK_FULL -> {
                var disk = keyspace.target().disk();
                disk.fill();
                yield disk::free;
            }
        };
    }

    /** Whether it is over as soon as it has struck. */
    boolean momentary() {
        return switch (this) {
            case KILL_MOVER, KILL_OPERATOR, KILL_SOURCE, KILL_TARGET, KILL_ROUTER -> true;
            case STOP_MOVER,
                    STOP_OPERATOR,
                    STOP_SOURCE,
                    STOP_TARGET,
                    STOP_ROUTER,
                    CUT_SOURCE,
                    CUT_TARGET,
                    CUT_ROUTER,
                    STORE_AWAY,
                    DISK_FULL -> false;
        };
    }

    private static Runnable once(Runnable action) {
        action.run();
        return () -> {};
    }

    private static Runnable stop(ControlledProcess process) {
        process.stop();
        return process::resume;
    }

    private static Runnable stop(Keeper.Server server) {
        server.mysqld().pause();
        return () -> server.mysqld().resume();
    }

    private static Runnable cut(dev.shardwright.testing.TcpProxy network) {
        network.silence();
        return network::reopen;
    }
}
