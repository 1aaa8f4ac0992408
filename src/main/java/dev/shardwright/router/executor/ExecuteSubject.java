package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.ExecutePacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.mysql.wire.ServerStatus;
import dev.shardwright.router.planner.Parameters;
import dev.shardwright.router.planner.Planned;
import dev.shardwright.router.planner.Route;
import dev.shardwright.router.session.PreparedStatement;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.router.session.SessionBackend.BackendStatement;
import dev.shardwright.router.session.StatementKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** COM_STMT_EXECUTE: the client's packet with the server's id, with types where this server has not seen them. */
final class ExecuteSubject implements Subject {
    private final SessionRunner runner;
    private final PreparedStatement statement;
    private final ExecutePacket packet;
    private final StatementKey key;
    private final Parameters parameters;

    ExecuteSubject(SessionRunner runner, PreparedStatement statement) {
        this.runner = runner;
        this.statement = statement;
        this.packet = new ExecutePacket(
                runner.payload(),
                statement.parameters(),
                runner.session().client().queryAttributes());
        this.key = packet.wantsCursor() ? statement.keyWithCursor() : statement.key();
        if (packet.bringsTypes()) {
            statement.bind(packet.types());
        }
        this.parameters =
                new ExecuteParameters(packet, statement, runner.session().context(true));
    }

    @Override
    public byte[] sql() {
        return statement.sql();
    }

    @Override
    public boolean prepared() {
        return true;
    }

    @Override
    public @Nullable String database() {
        return statement.context().database();
    }

    @Override
    public boolean wantsCursor() {
        return packet.wantsCursor();
    }

    @Override
    public Parameters parameters() {
        return parameters;
    }

    @Override
    public Readying.Needs needs(boolean begin) {
        return new Readying.Needs(begin, key);
    }

    @Override
    public ByteBuf commandFor(SessionBackend backend) {
        var known = known(backend, key);
        var out = withLongData(known.id());
        var types = statement.types();
        packet.write(out, known.id(), Arrays.equals(known.types(), types) ? null : types, packet.wantsCursor());
        known.typesSent(types);
        return out;
    }

    @Override
    public Readying.Needs needsForMerge(Planned planned, Route.Several route) {
        return new Readying.Needs(false, keyForMerge(planned, route));
    }

    private StatementKey keyForMerge(Planned planned, Route.Several route) {
        var rewrite = route.merge().rewrite();
        return rewrite == null
                ? statement.key()
                : statement.key().withText(rewrite.render(planned.scan(), route.limit()));
    }

    @Override
    public ByteBuf commandForMerge(SessionBackend backend, Planned planned, Route.Several route) {
        // Merged rows are sent as they come, without a cursor.
        var known = known(backend, keyForMerge(planned, route));
        var limits = LimitParameters.of(route);
        var types = statement.types();
        if (types == null || limits.isEmpty()) {
            var out = withLongData(known.id());
            packet.write(out, known.id(), types, false);
            known.typesSent(types);
            return out;
        }
        var out = withLongData(known.id());
        packet.writeWith(out, known.id(), types, statement.longData()::has, limits);
        // The types that this server has now are not the client's.
        known.typesSent(null);
        return out;
    }

    private static BackendStatement known(SessionBackend backend, StatementKey wanted) {
        var known = backend.statement(wanted);
        if (known == null) {
            throw new IllegalStateException("statement " + wanted + " is not prepared on " + backend.shard());
        }
        return known;
    }

    private ByteBuf withLongData(int serverId) {
        var out = ByteBufAllocator.DEFAULT.buffer();
        statement
                .longData()
                .forEachPiece((parameter, piece) -> PacketBuilder.begin(out, 0)
                        .int1(CommandByte.STMT_SEND_LONG_DATA)
                        .int4(serverId)
                        .int2(parameter)
                        .bytes(piece)
                        .end());
        return out;
    }

    @Override
    public ResponseScanner.Kind kind() {
        return ResponseScanner.Kind.RESULT;
    }

    @Override
    public void succeeded(SessionBackend backend, ResponseScanner response, Runnable done) {
        if ((response.status() & ServerStatus.CURSOR_EXISTS) != 0) {
            runner.cursors().opened(statement, backend);
        }
        done.run();
    }

    /** As in MySQL: long data is for one execution, and a failed one uses it up too. */
    @Override
    public void finished() {
        statement.longData().clear();
    }
}
