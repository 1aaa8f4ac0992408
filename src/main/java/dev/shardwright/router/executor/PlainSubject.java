package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.Parameters;
import dev.shardwright.router.planner.Planned;
import dev.shardwright.router.planner.Route;
import dev.shardwright.router.session.SessionBackend;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** A command that is forwarded as it is. */
record PlainSubject(SessionRunner runner, ResponseScanner.Kind kind) implements Subject {
    @Override
    public byte[] sql() {
        return new byte[0];
    }

    @Override
    public boolean prepared() {
        return false;
    }

    @Override
    public @Nullable String database() {
        return runner.session().database();
    }

    @Override
    public Parameters parameters() {
        return Parameters.NONE;
    }

    @Override
    public Readying.Needs needs(boolean begin) {
        return Readying.Needs.NOTHING;
    }

    @Override
    public ByteBuf commandFor(SessionBackend backend) {
        return runner.command().retainedDuplicate();
    }

    @Override
    public Readying.Needs needsForMerge(Planned planned, Route.Several route) {
        throw new IllegalStateException("this command goes to one shard");
    }

    @Override
    public ByteBuf commandForMerge(SessionBackend backend, Planned planned, Route.Several route) {
        throw new IllegalStateException("this command goes to one shard");
    }
}
