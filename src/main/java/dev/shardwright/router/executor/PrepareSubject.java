package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.Parameters;
import dev.shardwright.router.planner.Planned;
import dev.shardwright.router.planner.Route;
import dev.shardwright.router.session.SessionBackend;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Preparing a statement: the server's answer passes to the client with the session's own id in it. */
record PrepareSubject(SessionRunner runner, byte[] sql, int id) implements Subject {

    @Override
    public boolean prepared() {
        return true;
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
    public ResponseScanner.Kind kind() {
        return ResponseScanner.Kind.PREPARE;
    }

    @Override
    public Subject withText(byte[] text) {
        runner.runsInstead(InternalCommand.command(CommandByte.STMT_PREPARE, text));
        return new PrepareSubject(runner, text, id);
    }

    @Override
    public void sent(ResponseScanner response) {
        response.renameStatement(id);
    }

    @Override
    public void succeeded(SessionBackend backend, ResponseScanner response, Runnable done) {
        var statement = runner.session().prepare(sql, response.parameters(), id);
        runner.prepared(backend, statement.key(), response);
        done.run();
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
