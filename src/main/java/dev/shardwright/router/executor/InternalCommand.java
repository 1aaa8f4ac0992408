package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.QueryAttributes;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.protocol.BackendConnection;
import dev.shardwright.router.protocol.ResponseSink;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.router.session.StatementKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A command of the router's own on a backend connection; its answer goes to nobody but the callback. */
final class InternalCommand implements ResponseSink {

    /** Called once. */
    interface Callback {
        void succeeded(ResponseScanner result);

        void refused(ErrPacket error);

        void lost();
    }

    private final Callback callback;

    private InternalCommand(Callback callback) {
        this.callback = callback;
    }

    static void query(SessionBackend backend, String sql, Callback callback) {
        query(backend.connection(), sql, callback);
    }

    static void query(BackendConnection connection, String sql, Callback callback) {
        var command = text(connection, sql.getBytes(StandardCharsets.UTF_8));
        connection.send(command, ResponseScanner.Kind.RESULT, new InternalCommand(callback));
    }

    static void useDatabase(SessionBackend backend, String name, Callback callback) {
        run(
                backend,
                command(CommandByte.INIT_DB, name.getBytes(StandardCharsets.UTF_8)),
                ResponseScanner.Kind.RESULT,
                callback);
    }

    static void prepare(SessionBackend backend, byte[] sql, Callback callback) {
        run(backend, command(CommandByte.STMT_PREPARE, sql), ResponseScanner.Kind.PREPARE, callback);
    }

    /** A query whose rows are wanted. */
    static void select(SessionBackend backend, String sql, ResponseScanner.PacketListener rows, Callback callback) {
        var command = text(backend, sql.getBytes(StandardCharsets.UTF_8));
        backend.connection()
                .send(command, ResponseScanner.Kind.RESULT, new InternalCommand(callback))
                .listen(rows);
    }

    /** Whether the server takes several statements in one text from now on. */
    static void allowSeveral(SessionBackend backend, boolean allowed, Callback callback) {
        var option = new byte[] {(byte) (allowed ? 0 : 1), 0};
        run(backend, command(CommandByte.SET_OPTION, option), ResponseScanner.Kind.FETCH, callback);
    }

    /** Makes the server session as new, but for the database and for character sets, which are the server's own. */
    static void reset(SessionBackend backend, Callback callback) {
        run(backend, command(CommandByte.RESET_CONNECTION, new byte[0]), ResponseScanner.Kind.RESULT, callback);
    }

    /** Has no answer. The connection does not know the statement any more. */
    static void closeStatement(SessionBackend backend, StatementKey key) {
        close(backend, backend.forget(key));
    }

    /** Has no answer. Closes all that is prepared there, but for open cursors; returns how many statements that were. */
    static int closeStatements(SessionBackend backend) {
        var statements = backend.forgetAll();
        statements.forEach(statement -> close(backend, statement));
        backend.connection().flush();
        return statements.size();
    }

    /** Has no answer. {@code statement}: null for none. */
    static void close(SessionBackend backend, SessionBackend.@Nullable BackendStatement statement) {
        if (statement != null && backend.connection().isOpen()) {
            var out = ByteBufAllocator.DEFAULT.buffer(16);
            PacketBuilder.begin(out, 0)
                    .int1(CommandByte.STMT_CLOSE)
                    .int4(statement.id())
                    .end();
            backend.connection().sendOneWay(out);
        }
    }

    /** Sets ROW_COUNT() to 0. */
    static void ping(SessionBackend backend, Callback callback) {
        run(backend, command(CommandByte.PING, new byte[0]), ResponseScanner.Kind.RESULT, callback);
    }

    /** Asks for nothing but the status in the answer, and leaves ROW_COUNT() and warnings as they are. */
    static void status(SessionBackend backend, Callback callback) {
        allowSeveral(backend, backend.multiStatements(), callback);
    }

    /** COM_QUERY in the form that this server expects. */
    static ByteBuf text(SessionBackend backend, byte[] sql) {
        return text(backend.connection(), sql);
    }

    private static ByteBuf text(BackendConnection connection, byte[] sql) {
        var out = ByteBufAllocator.DEFAULT.buffer(sql.length + PacketBuilder.HEADER + 3);
        var packet = PacketBuilder.begin(out, 0).int1(CommandByte.QUERY);
        if (connection.queryAttributes()) {
            QueryAttributes.writeNone(packet);
        }
        packet.bytes(sql).end();
        return out;
    }

    /** Not for COM_QUERY, whose form depends on the server: see {@link #text}. */
    static ByteBuf command(int command, byte[] body) {
        var out = ByteBufAllocator.DEFAULT.buffer(body.length + PacketBuilder.HEADER + 1);
        PacketBuilder.begin(out, 0).int1(command).bytes(body).end();
        return out;
    }

    private static void run(SessionBackend backend, ByteBuf command, ResponseScanner.Kind kind, Callback callback) {
        backend.connection().send(command, kind, new InternalCommand(callback));
    }

    @Override
    public void onBytes(ByteBuf bytes) {
        bytes.release();
    }

    @Override
    public void onComplete(ResponseScanner result) {
        var error = result.error();
        if (error != null) {
            callback.refused(error);
        } else {
            callback.succeeded(result);
        }
    }

    @Override
    public void onError(ErrPacket error, ByteBuf packet) {
        packet.release();
        callback.refused(error);
    }

    @Override
    public void onLost(ResponseScanner result) {
        callback.lost();
    }
}
