package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.Parameters;
import dev.shardwright.router.planner.Planned;
import dev.shardwright.router.planner.Route;
import dev.shardwright.router.session.SessionBackend;
import io.netty.buffer.ByteBuf;

/** COM_QUERY: the client's own packet is what the server gets. */
record TextSubject(SessionRunner runner, byte[] sql) implements Subject {

    @Override
    public boolean prepared() {
        return false;
    }

    @Override
    public Parameters parameters() {
        return Parameters.NONE;
    }

    @Override
    public Readying.Needs needs(boolean begin) {
        return begin ? Readying.Needs.BEGIN : Readying.Needs.NOTHING;
    }

    @Override
    public ByteBuf commandFor(SessionBackend backend) {
        return runner.command().retainedDuplicate();
    }

    @Override
    public ResponseScanner.Kind kind() {
        return ResponseScanner.Kind.RESULT;
    }

    @Override
    public Readying.Needs needsForMerge(Planned planned, Route.Several route) {
        return Readying.Needs.NOTHING;
    }

    @Override
    public ByteBuf commandForMerge(SessionBackend backend, Planned planned, Route.Several route) {
        var rewrite = route.merge().rewrite();
        return rewrite == null
                ? commandFor(backend)
                : InternalCommand.command(CommandByte.QUERY, rewrite.render(planned.scan(), route.limit()));
    }
}
