package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.protocol.ResponseSink;
import dev.shardwright.router.session.SessionBackend;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One shard's answer to a statement that runs on several: its columns, and rows that wait to be merged.
 * Reading stops while too much waits, so memory stays bounded whatever the size of the result.
 */
final class ShardStream implements ResponseSink, ResponseScanner.PacketListener {
    private static final long MAX_WAITING_BYTES = 512 << 10;

    /** What the streams of a statement tell the run that merges them. */
    interface Listener {
        /** Rows or columns have come, or the stream has ended. */
        void progressed();

        void failed(ShardStream stream, ErrPacket error);

        /** The connection is gone. */
        void lost(ShardStream stream);
    }

    private final SessionBackend backend;
    private final Listener listener;
    private final List<byte[]> columns = new ArrayList<>();
    private final Deque<byte[]> rows = new ArrayDeque<>();
    private long waitingBytes;
    private boolean columnsKnown;
    private boolean ended;
    private boolean stopped;
    private boolean discards;

    ShardStream(SessionBackend backend, Listener listener) {
        this.backend = backend;
        this.listener = listener;
    }

    SessionBackend backend() {
        return backend;
    }

    /** The column definitions as they came, once all are there. */
    @Nullable
    List<byte[]> columns() {
        return columnsKnown ? columns : null;
    }

    /** The next row that waits, or null. */
    byte @Nullable [] poll() {
        var row = rows.poll();
        if (row != null) {
            waitingBytes -= row.length;
            if (stopped && waitingBytes < MAX_WAITING_BYTES / 2) {
                stopped = false;
                backend.connection().setReading(true);
            }
        }
        return row;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** No more rows will come than those that wait. */
    boolean hasEnded() {
        return ended;
    }

    /** Its rows are not wanted any more; the rest is read and dropped. */
    void discard() {
        discards = true;
        while (poll() != null) {}
        if (stopped) {
            stopped = false;
            backend.connection().setReading(true);
        }
    }

    @Override
    public void onColumn(ByteBuf payload) {
        columns.add(bytes(payload));
    }

    @Override
    public void onColumnsEnd() {
        columnsKnown = true;
    }

    @Override
    public void onRow(ByteBuf payload) {
        if (discards) {
            return;
        }
        var row = bytes(payload);
        rows.add(row);
        waitingBytes += row.length;
        if (waitingBytes > MAX_WAITING_BYTES && !stopped) {
            stopped = true;
            backend.connection().setReading(false);
        }
    }

    private static byte[] bytes(ByteBuf payload) {
        var bytes = new byte[payload.readableBytes()];
        payload.getBytes(payload.readerIndex(), bytes);
        return bytes;
    }

    /** The listener has seen what is in them. */
    @Override
    public void onBytes(ByteBuf bytes) {
        bytes.release();
    }

    @Override
    public void onFlush() {
        listener.progressed();
    }

    @Override
    public void onComplete(ResponseScanner result) {
        ended = true;
        var error = result.error();
        if (error != null) {
            listener.failed(this, error);
        } else {
            listener.progressed();
        }
    }

    @Override
    public void onError(ErrPacket error, ByteBuf packet) {
        ended = true;
        packet.release();
        listener.failed(this, error);
    }

    @Override
    public void onLost(ResponseScanner result) {
        ended = true;
        listener.lost(this);
    }
}
