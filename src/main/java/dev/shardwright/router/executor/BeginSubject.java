package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.SessionStatement.AccessMode;
import dev.shardwright.router.session.SessionBackend;

/** A BEGIN that goes to a server as it comes, because that may know more of the transaction than the session does. */
final class BeginSubject extends DelegatingSubject {
    private final SessionRunner runner;
    private final AccessMode mode;

    BeginSubject(SessionRunner runner, Subject subject, AccessMode mode) {
        super(subject);
        this.runner = runner;
        this.mode = mode;
    }

    /** What SET TRANSACTION has said since goes before it. */
    @Override
    public Readying.Needs needs(boolean begin) {
        return Readying.Needs.BEGIN;
    }

    @Override
    public void sent(ResponseScanner response) {
        runner.session().transaction().beginsAtKeeper(mode);
    }

    @Override
    public void succeeded(SessionBackend backend, ResponseScanner response, Runnable done) {
        done.run();
    }
}
