package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.PayloadReader;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.scan.SqlModes;
import dev.shardwright.router.session.SessionBackend;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Asks a server how it reads the session's texts from now on, and whether it answers them with metadata. */
final class TextReading implements ResponseScanner.PacketListener, InternalCommand.Callback {
    private static final int NULL = 0xfb;

    private final SessionRunner runner;
    private final SessionBackend backend;
    private final Runnable then;
    private String charset = "";
    private String connection = "";
    private String sqlMode = "";
    private @Nullable String database;

    private TextReading(SessionRunner runner, SessionBackend backend, Runnable then) {
        this.runner = runner;
        this.backend = backend;
        this.then = then;
    }

    /** @param then runs only when the answer is known; otherwise the client is cut off */
    static void ask(SessionRunner runner, SessionBackend backend, Runnable then) {
        var reading = new TextReading(runner, backend, then);
        InternalCommand.select(
                backend,
                "SELECT @@character_set_client, @@character_set_connection, @@sql_mode, DATABASE()",
                reading,
                reading);
    }

    @Override
    public void onColumn(ByteBuf payload) {}

    @Override
    public void onRow(ByteBuf payload) {
        charset = text(payload).toLowerCase(Locale.ROOT);
        connection = text(payload).toLowerCase(Locale.ROOT);
        sqlMode = text(payload);
        database = payload.getUnsignedByte(payload.readerIndex()) == NULL ? null : text(payload);
    }

    private static String text(ByteBuf payload) {
        return new String(new PayloadReader(payload).lengthEncodedBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void succeeded(ResponseScanner result) {
        runner.session().use(database);
        backend.hasDatabase(database);
        runner.session().reads(charset, connection, SqlModes.parse(sqlMode));
        runner.session().wantsMetadata(result.metadata());
        then.run();
    }

    @Override
    public void refused(ErrPacket error) {
        unknown();
    }

    @Override
    public void lost() {
        unknown();
    }

    /** Without the answer no later statement could be read with certainty. */
    private void unknown() {
        if (!runner.isGone()) {
            runner.cut();
        }
    }
}
