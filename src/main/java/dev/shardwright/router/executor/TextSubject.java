package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.Parameters;
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
}
