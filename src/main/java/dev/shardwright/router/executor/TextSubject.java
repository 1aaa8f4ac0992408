package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.QueryAttributes;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.Parameters;
import dev.shardwright.router.planner.Planned;
import dev.shardwright.router.planner.Route;
import dev.shardwright.router.session.SessionBackend;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * COM_QUERY: the client's own packet is what the server gets.
 *
 * @param textOffset where the text begins in the command's payload, behind any query attributes
 */
record TextSubject(SessionRunner runner, byte[] sql, int textOffset) implements Subject {

    /** MalformedPacketException when it can't be told where the text begins. */
    static TextSubject of(SessionRunner runner, ByteBuf payload) {
        int offset = runner.session().client().queryAttributes() ? QueryAttributes.textOffset(payload) : 1;
        var sql = new byte[payload.readableBytes() - offset];
        payload.getBytes(payload.readerIndex() + offset, sql);
        return new TextSubject(runner, sql, offset);
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
        return rewrite == null ? commandFor(backend) : with(rewrite.render(planned.scan(), route.limit()));
    }

    @Override
    public Subject withText(byte[] text) {
        runner.runsInstead(with(text));
        return of(runner, runner.payload());
    }

    /** The command with its attributes and another text. */
    private ByteBuf with(byte[] text) {
        var attributes = runner.payload().slice(1, textOffset - 1);
        var out = ByteBufAllocator.DEFAULT.buffer(PacketBuilder.HEADER + textOffset + text.length);
        PacketBuilder.begin(out, 0)
                .int1(CommandByte.QUERY)
                .bytes(attributes)
                .bytes(text)
                .end();
        return out;
    }
}
