package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.MalformedPacketException;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.mysql.wire.ServerStatus;
import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.protocol.ResponseSink;
import dev.shardwright.router.session.PreparedStatement;
import dev.shardwright.router.session.SessionBackend;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * COM_STMT_FETCH: the next rows of an open cursor, which only one connection has. It is never asked again
 * elsewhere: what is not fetched when that connection goes is lost, and the client is told so.
 */
final class FetchRun extends Execution implements Readying.Callback, ResponseSink {
    private static final int ROWS = 5;
    private static final int LENGTH = 9;

    private final PreparedStatement statement;
    private final SessionBackend backend;
    private final int rows;
    private boolean sent;
    private boolean moved;

    FetchRun(SessionRunner runner, PreparedStatement statement, SessionBackend backend, int rows) {
        super(runner);
        this.statement = statement;
        this.backend = backend;
        this.rows = rows;
    }

    /** How many rows the client wants, as 32 bits without a sign. */
    static int rows(ByteBuf payload) {
        if (payload.readableBytes() < LENGTH) {
            throw new MalformedPacketException("a fetch packet that ends too early");
        }
        return payload.getIntLE(payload.readerIndex() + ROWS);
    }

    @Override
    void attempt() {
        if (backend.connection().isOpen()) {
            Readying.refresh(runner, backend, this);
        } else {
            gone();
        }
    }

    @Override
    public void ready(SessionBackend ready) {
        var known = backend.statement(statement.keyWithCursor());
        if (runner.isGone()) {
            return;
        }
        if (known == null) {
            gone();
            return;
        }
        sent = true;
        backend.runs(Access.READ);
        var command = ByteBufAllocator.DEFAULT.buffer(16);
        PacketBuilder.begin(command, 0)
                .int1(CommandByte.STMT_FETCH)
                .int4(known.id())
                .int4(rows)
                .end();
        var response = backend.connection().send(command, ResponseScanner.Kind.FETCH, this);
        if (runner.session().transaction().isOpen()) {
            response.addStatus(runner.session().transaction().openStatus());
        }
    }

    private void gone() {
        runner.cursors().ended(statement);
        runner.error(ErrorCatalogue.cursorLost(backend.shard().name()));
    }

    @Override
    public void refused(ErrPacket error) {
        runner.error(error);
    }

    @Override
    public void unavailable(ErrPacket error) {
        gone();
    }

    @Override
    public void onBytes(ByteBuf bytes) {
        runner.out().write(bytes);
        if (!runner.out().isWritable()) {
            runner.slowDown(backend);
        }
    }

    @Override
    public void onFlush() {
        runner.out().flush();
    }

    @Override
    public void onComplete(ResponseScanner result) {
        if (result.error() != null || (result.status() & ServerStatus.LAST_ROW_SENT) != 0) {
            runner.cursors().ended(statement);
        }
        finish();
    }

    private void finish() {
        runner.out().flush();
        runner.session().ran(backend);
        runner.rests(backend);
        runner.answered();
    }

    @Override
    public void onError(ErrPacket error, ByteBuf packet) {
        runner.cursors().ended(statement);
        if (!ErrorCatalogue.refusedUnrun(error)) {
            runner.out().write(packet);
            runner.loop().metrics().errors().increment();
            finish();
            return;
        }
        packet.release();
        backend.rests();
        backend.connection().close();
        runner.error(ErrorCatalogue.cursorLost(backend.shard().name()));
    }

    @Override
    public void onLost(ResponseScanner result) {
        runner.cursors().ended(statement);
        backend.rests();
        if (runner.isGone()) {
            return;
        }
        if (runner.session().transaction().backend() == backend && !result.begun()) {
            runner.transactionEnded(
                    moved
                            ? ErrorCatalogue.transactionMoved(backend.shard().name())
                            : ErrorCatalogue.transactionLost(backend.shard().name()));
        } else if (!result.begun()) {
            runner.error(ErrorCatalogue.cursorLost(backend.shard().name()));
        } else if (result.betweenPackets()) {
            runner.errorAfter(
                    result.sequence(), ErrorCatalogue.cursorLost(backend.shard().name()));
        } else {
            runner.cut();
        }
    }

    /** The caller closes the connection. */
    @Override
    Ending endTransaction() {
        if (!sent) {
            return Ending.NOT_SENT;
        }
        moved = true;
        return Ending.STOPPED;
    }
}
