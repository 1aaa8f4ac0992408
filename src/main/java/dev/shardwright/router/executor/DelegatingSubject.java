package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.Parameters;
import dev.shardwright.router.planner.Planned;
import dev.shardwright.router.planner.Route;
import dev.shardwright.router.session.SessionBackend;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Another subject with more to be done once it has succeeded. */
abstract class DelegatingSubject implements Subject {
    private final Subject subject;

    DelegatingSubject(Subject subject) {
        this.subject = subject;
    }

    @Override
    public byte[] sql() {
        return subject.sql();
    }

    @Override
    public boolean prepared() {
        return subject.prepared();
    }

    @Override
    public @Nullable String database() {
        return subject.database();
    }

    @Override
    public Parameters parameters() {
        return subject.parameters();
    }

    @Override
    public Readying.Needs needs(boolean begin) {
        return subject.needs(begin);
    }

    @Override
    public ByteBuf commandFor(SessionBackend backend) {
        return subject.commandFor(backend);
    }

    @Override
    public ResponseScanner.Kind kind() {
        return subject.kind();
    }

    @Override
    public Readying.Needs needsForMerge(Planned planned, Route.Several route) {
        return subject.needsForMerge(planned, route);
    }

    @Override
    public ByteBuf commandForMerge(SessionBackend backend, Planned planned, Route.Several route) {
        return subject.commandForMerge(backend, planned, route);
    }

    @Override
    public void finished() {
        subject.finished();
    }

    @Override
    public abstract void succeeded(SessionBackend backend, ResponseScanner response, Runnable done);
}
