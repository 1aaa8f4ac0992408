package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.protocol.ResponseSink;
import dev.shardwright.router.session.SessionBackend;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** One shard's answer to a statement that runs on several, taken apart into columns and rows. */
final class ShardStream implements ResponseSink, ResponseScanner.PacketListener {

    /** The run that merges the streams. */
    interface Listener {
        /** All column definitions. */
        void columns(int shard, List<byte[]> definitions);

        void row(int shard, byte[] payload);

        /** The shard has answered in full. */
        void ended(int shard);

        /** All that had arrived has been handed over. */
        void flushed();

        void failed(int shard, ErrPacket error);

        /** The connection is gone. */
        void lost(int shard);
    }

    private final int shard;
    private final SessionBackend backend;
    private final Listener listener;
    private final List<byte[]> columns = new ArrayList<>();
    private boolean reading = true;
    private boolean ended;

    ShardStream(int shard, SessionBackend backend, Listener listener) {
        this.shard = shard;
        this.backend = backend;
        this.listener = listener;
    }

    SessionBackend backend() {
        return backend;
    }

    /** Nothing more will come. */
    boolean hasEnded() {
        return ended;
    }

    /** Stops reading while the shard is ahead of the others or of the client, or goes on. */
    void read(boolean wanted) {
        if (wanted != reading && !ended) {
            reading = wanted;
            backend.connection().setReading(wanted);
        }
    }

    @Override
    public void onColumn(ByteBuf payload) {
        columns.add(bytes(payload));
    }

    @Override
    public void onColumnsEnd() {
        listener.columns(shard, columns);
    }

    @Override
    public void onRow(ByteBuf payload) {
        listener.row(shard, bytes(payload));
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
        listener.flushed();
    }

    @Override
    public void onComplete(ResponseScanner result) {
        end();
        var error = result.error();
        if (error != null) {
            listener.failed(shard, error);
        } else {
            listener.ended(shard);
        }
    }

    @Override
    public void onError(ErrPacket error, ByteBuf packet) {
        end();
        packet.release();
        listener.failed(shard, error);
    }

    @Override
    public void onLost(ResponseScanner result) {
        ended = true;
        listener.lost(shard);
    }

    /** The next statement on this connection must find it reading. */
    private void end() {
        read(true);
        ended = true;
    }
}
