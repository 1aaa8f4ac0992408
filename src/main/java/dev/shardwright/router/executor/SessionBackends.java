package dev.shardwright.router.executor;

import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.ClientSession;
import dev.shardwright.router.session.SessionBackend;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Keeps one session's backend connections in line with the topology. On a shard that does not serve (any
 * more) an idle connection is closed at once, a running statement may end, and an open transaction gets
 * {@code drainTimeout}; so what the switchover does to the server's sessions later hits none of ours.
 */
final class SessionBackends implements SessionBackend.Owner {
    private final SessionRunner runner;

    SessionBackends(SessionRunner runner) {
        this.runner = runner;
    }

    @Override
    public ClientSession session() {
        return runner.session();
    }

    @Override
    public void taken(SessionBackend backend) {
        runner.forget(backend);
    }

    @Override
    public void failed() {
        runner.fail();
    }

    @Override
    public void closed(SessionBackend backend) {
        backend.rests();
        session().lost(backend);
        runner.forget(backend);
        var name = backend.shard().name();
        if (session().transaction().backend() == backend) {
            runner.loop().metrics().transactionsEnded().increment();
            session().transaction().lose(ErrorCatalogue.transactionLost(name));
        }
        if (session().pinned() == backend && !runner.isGone()) {
            runner.doom(ErrorCatalogue.sessionStateLost(name));
        }
    }

    /** Those that run something. */
    List<SessionBackend> busy() {
        return session().backends().stream()
                .filter(backend -> backend.running() != null)
                .toList();
    }

    /** On any thread. */
    boolean hasServerSession(long id) {
        return session().backends().stream()
                // The one of a server that does not serve yet is in nobody's list, and its ids may be those of others.
                .anyMatch(backend -> !backend.isEarly() && backend.connection().serverSession() == id);
    }

    /** Closes those that do not answer what makes them ready for a statement, of which nothing has been run yet. */
    void closeUnready() {
        for (var backend : session().backends()) {
            if (backend.running() == null && backend.connection().isBusy()) {
                backend.connection().close();
            }
        }
    }

    /** Whether it still runs something of this session's. */
    boolean isBusy(SessionBackend backend) {
        return backend.running() != null && backend.owner() == this;
    }

    /** The session's command has ended. */
    void restAll() {
        for (var backend : session().backends()) {
            if (backend.inUse() && !backend.connection().isBusy()) {
                backend.rest();
            }
        }
    }

    /** The session has ended. */
    void leaveAll() {
        session().backends().forEach(SessionBackend::release);
    }

    void rests(SessionBackend backend) {
        backend.rests();
        if (backend.isRetired()) {
            closeOrDrain(backend);
        } else if (runner.current() == null && !backend.connection().isBusy()) {
            backend.rest();
        }
    }

    void onTopology(TopologyView view) {
        for (var backend : session().backends()) {
            if (backend.isEarly()) {
                settleEarly(backend, view);
            } else if (!view.serves(backend.shard())) {
                backend.retire();
                if (session().transaction().backend() == backend
                        || !backend.connection().isBusy()) {
                    closeOrDrain(backend);
                }
            }
        }
    }

    /** One that is not ready in time is no use any more: the next statement can't wait for what it is told just now. */
    private static void settleEarly(SessionBackend backend, TopologyView view) {
        boolean serves = view.serves(backend.shard());
        if (serves && !backend.connection().isBusy()) {
            backend.early(false);
        } else if (serves || !view.expects(backend.shard())) {
            backend.connection().close();
        }
    }

    private void closeOrDrain(SessionBackend backend) {
        if (session().transaction().backend() != backend) {
            backend.connection().close();
        } else if (!backend.isDraining()) {
            backend.drains(true);
            runner.loop()
                    .eventLoop()
                    .schedule(
                            () -> runner.guarded(() -> endTransaction(backend)),
                            runner.loop().settings().drainTimeout().toNanos(),
                            TimeUnit.NANOSECONDS);
        }
    }

    /** The time is up that an open transaction has on a shard that is being moved. */
    private void endTransaction(SessionBackend backend) {
        if (runner.isGone() || session().transaction().backend() != backend) {
            return;
        }
        var view = runner.loop().view();
        if (view != null && view.serves(backend.shard())) {
            // The switchover has been undone meanwhile.
            backend.drains(false);
            return;
        }
        var running = runner.current();
        switch (running == null ? Execution.Ending.NOT_SENT : running.endTransaction()) {
            case NOT_SENT -> {
                runner.loop().metrics().transactionsEnded().increment();
                session()
                        .transaction()
                        .lose(ErrorCatalogue.transactionMoved(backend.shard().name()));
                backend.connection().close();
            }
            case STOPPED -> backend.connection().close();
            case TOO_LATE -> {}
        }
    }
}
