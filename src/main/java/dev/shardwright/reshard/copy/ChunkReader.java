package dev.shardwright.reshard.copy;

import dev.shardwright.mysql.client.PacketConnection;
import dev.shardwright.mysql.client.RowConnection;
import dev.shardwright.mysql.client.RowConnections;
import dev.shardwright.mysql.client.SoftHeap;
import dev.shardwright.reshard.copy.Watermarks.Watermark;
import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.RowBatch;
import dev.shardwright.reshard.table.Table;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Walks partitions, chunk after chunk, each between two watermarks; one thread with two connections to the source. */
public final class ChunkReader {
    static final long CHUNK_BYTES = 4L << 20;
    /** What a chunk takes at most: one more row ends it that is not large. A large row is a chunk of its own. */
    static final long SHARE_BYTES = CHUNK_BYTES + RowConnection.LARGE_BYTES;

    private static final int FIRST_ROWS = 500;
    private static final int MAX_TRIES = 8;

    /**
     * What the readers of one run share.
     *
     * @param listener told what each read has cost
     * @param room for what is between its read and its last target
     * @param marks numbers the chunks
     * @param statements counts what is sent to the source
     * @param chunkRows most rows of one chunk
     */
    public record Shared(
            Watermarks watermarks,
            ChunkHandoff handoff,
            Throttle throttle,
            Listener listener,
            BytesBudget room,
            AtomicLong marks,
            AtomicLong statements,
            int targets,
            int chunkRows) {}

    /** Told on the reader's thread. */
    public interface Listener {
        /** After each read. */
        void read(long bytes, long nanos);

        /** What the reader waits for that should not take so long; null once it goes on. */
        void waiting(@Nullable String what);
    }

    private final Connection source;
    private final RowConnections connections;
    private final Shared shared;
    private RowConnection rows;
    private int maxRows;
    /** What the next chunk needs. */
    private long share = SHARE_BYTES;
    /** Of the chunk before. */
    private long bytes;

    /**
     * @param source with autocommit on, for the watermarks
     * @param connections to the same server
     */
    public ChunkReader(Connection source, RowConnections connections, Shared shared) throws IOException {
        this.source = source;
        this.connections = connections;
        this.shared = shared;
        this.rows = connections.open(null);
        this.maxRows = firstRows();
    }

    private int firstRows() {
        return Math.min(FIRST_ROWS, shared.chunkRows);
    }

    /** Reads all that is left of a partition; returns when its last chunk has entered. */
    public void walk(PartitionState state, Frontier from) throws IOException, SQLException, InterruptedException {
        maxRows = firstRows();
        var frontier = from;
        var tries = 0;
        while (!frontier.complete()) {
            var begun = System.nanoTime();
            var next = chunk(state, frontier.point());
            if (next == null) {
                if (++tries == MAX_TRIES) {
                    throw new MoveException(
                            "table " + state.table().name()
                                    + ": the rows of one chunk change faster than they can be read; try again when the source is calmer");
                }
                maxRows = Math.max(1, maxRows / 4);
                continue;
            }
            tries = 0;
            frontier = next;
            shared.throttle.pause(begun);
        }
    }

    /** Null when the chunk has to be read again. */
    private @Nullable Frontier chunk(PartitionState state, @Nullable KeyPoint start)
            throws IOException, SQLException, InterruptedException {
        while (true) {
            var room = shared.room.take(share);
            var mark = shared.marks.incrementAndGet();
            write(new Watermark(state.slot(), mark, false));
            var chunk = read(state.table(), state.partition(), start, room);
            if (chunk == null) {
                room.giveBack();
                continue;
            }
            var offer = shared.handoff.offer(mark, chunk, new Countdown(shared.targets, room::giveBack));
            write(new Watermark(state.slot(), mark, true));
            if (!ChunkHandoff.answer(offer.entered())) {
                room.giveBack();
                return null;
            }
            return Frontier.of(chunk);
        }
    }

    private void write(Watermark watermark) throws SQLException {
        shared.statements.incrementAndGet();
        shared.watermarks.write(source, watermark);
    }

    /** Null when its first row is larger than the room that was taken for it. */
    private @Nullable Chunk read(Table table, Partition partition, @Nullable KeyPoint start, BytesBudget.Share room)
            throws IOException {
        var limit = shared.throttle.maxChunkRows(maxRows);
        var sql = ChunkRange.select(table, ChunkRange.where(table, partition, start, null)) + " LIMIT " + limit;
        shared.statements.incrementAndGet();
        SoftHeap.keep(SHARE_BYTES);
        var begun = System.nanoTime();
        var read = new Reading(table, room);
        rows.select(sql, read);
        if (rows.hasEnded()) {
            rows = connections.open(rows);
        }
        var bytes = read.rows.bytes();
        var size = read.rows.size();
        shared.listener.read(bytes, System.nanoTime() - begun);
        shared.throttle.read(size, System.nanoTime());
        if (size == 0 && read.tooLarge) {
            return null;
        }
        room.keep(bytes);
        adapt(size, bytes);
        if (read.tooLarge) {
            maxRows = 1;
        } else if (!read.large) {
            share = SHARE_BYTES;
        }
        return chunk(table, start, read.rows.build(), !read.tooLarge && bytes <= CHUNK_BYTES && size < limit);
    }

    /** Takes a chunk's rows until there are enough of them. */
    private final class Reading implements RowConnection.Rows {
        final RowBatch.Builder rows;
        private final BytesBudget.Share room;
        /** Whether it has a large row, which is then all that it has. */
        boolean large;
        /** Whether it ended before a large row for which there was no room. */
        boolean tooLarge;

        Reading(Table table, BytesBudget.Share room) {
            this.rows =
                    new RowBatch.Builder(table, (int) Math.min(bytes + bytes / 8, CHUNK_BYTES + (CHUNK_BYTES >> 4)));
            this.room = room;
        }

        @Override
        public boolean large(int length) {
            share = shareOf(length);
            large = rows.size() == 0 && room.holds(share);
            tooLarge = !large;
            return large;
        }

        @Override
        public boolean row(byte[] packet, int from, int to, boolean own) {
            rows.addSelected(packet, from, own);
            return rows.bytes() <= CHUNK_BYTES;
        }
    }

    /** What a large row takes whose first packet has this length. */
    static long shareOf(int length) {
        // How long it is if it takes several packets only their end tells.
        return length < PacketConnection.MAX_PAYLOAD ? length + (long) RowConnection.SLACK_BYTES : Long.MAX_VALUE;
    }

    private static Chunk chunk(Table table, @Nullable KeyPoint start, RowBatch rows, boolean whole) {
        if (start != null && !rows.isEmpty() && rows.compareKey(0, start.key()) <= 0) {
            throw RowBatch.unordered(table, rows.row(0));
        }
        var last = rows.size() - 1;
        var end = whole || last < 0 ? null : new KeyPoint(table.keyOf(rows.row(last)), rows.key(last));
        return new Chunk(start, end, rows);
    }

    private void adapt(int rows, long bytes) {
        this.bytes = bytes;
        if (rows > 0) {
            var fitting = Math.max(1, CHUNK_BYTES * 3 / 4 / Math.max(1, bytes / rows));
            maxRows = (int) Math.clamp(fitting, 1, Math.min(shared.chunkRows, 4L * maxRows));
        }
    }
}
