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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Walks partitions, chunk after chunk, each between two watermarks; one thread with two connections to the source. */
public final class ChunkReader {
    static final long CHUNK_BYTES = 4L << 20;
    /** What a chunk takes at most: one more row ends it that is not large. A large row is a chunk of its own. */
    static final long SHARE_BYTES = CHUNK_BYTES + RowConnection.LARGE_BYTES;

    private static final int FIRST_ROWS = 500;
    private static final int MAX_TRIES = 8;
    /** About what a chunk takes beside its rows. */
    private static final int CHUNK_OVERHEAD = 1 << 10;

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
    private long lastBytes;

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

    /** Reads all that is left of these partitions, of which several are small; returns when their last chunks have entered. */
    public void walk(List<Walk> walks) throws IOException, SQLException, InterruptedException {
        for (var walk : walks.size() > 1 ? together(walks) : walks) {
            walk(walk);
        }
    }

    private void walk(Walk walk) throws IOException, SQLException, InterruptedException {
        maxRows = firstRows();
        var frontier = walk.from();
        var tries = 0;
        while (!frontier.complete()) {
            var begun = System.nanoTime();
            var next = chunk(walk.state(), frontier.point());
            if (next == null) {
                if (++tries == MAX_TRIES) {
                    throw new MoveException(
                            "table " + walk.state().table().name()
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
            write(List.of(new Watermark(state.slot(), mark, false)));
            var read = read(state, start, room, 0);
            if (read.isNothing()) {
                room.giveBack();
                continue;
            }
            adapt(read);
            room.keep(read.rows.bytes());
            var chunk = read.chunk(read.rows.build());
            var offer = shared.handoff.offer(mark, chunk, new Countdown(shared.targets, room::giveBack));
            write(List.of(new Watermark(state.slot(), mark, true)));
            if (!ChunkHandoff.answer(offer.entered())) {
                room.giveBack();
                return null;
            }
            return Frontier.of(chunk);
        }
    }

    private record Offered(Walk walk, Watermark high, ChunkHandoff.Offer offer) {}

    /** Reads a chunk of each between the same two watermarks, as far as there is room; returns what is left of them. */
    private List<Walk> together(List<Walk> walks) throws IOException, SQLException, InterruptedException {
        var begun = System.nanoTime();
        var room = shared.room.take(SHARE_BYTES);
        // Each target counts for each walk, with a chunk or without.
        var done = new Countdown(walks.size() * shared.targets, room::giveBack);
        var lows = walks.stream()
                .map(walk -> new Watermark(walk.state().slot(), shared.marks.incrementAndGet(), false))
                .toList();
        write(lows);
        maxRows = firstRows();
        lastBytes = 0;
        var left = new ArrayList<Walk>();
        var offered = new ArrayList<Offered>();
        var bytes = 0L;
        for (int i = 0; i < walks.size(); i++) {
            var walk = walks.get(i);
            var read = bytes < CHUNK_BYTES ? read(walk.state(), walk.from().point(), room, bytes) : null;
            if (read == null || read.isNothing()) {
                left.add(walk);
                done.run(shared.targets);
                continue;
            }
            bytes += read.rows.bytes() + CHUNK_OVERHEAD;
            var low = lows.get(i);
            offered.add(new Offered(
                    walk,
                    new Watermark(low.slot(), low.mark(), true),
                    shared.handoff.offer(
                            low.mark(), read.chunk(read.rows.build().trimmed()), done)));
        }
        room.keep(bytes);
        if (!offered.isEmpty()) {
            write(offered.stream().map(Offered::high).toList());
        }
        for (var one : offered) {
            if (!ChunkHandoff.answer(one.offer.entered())) {
                left.add(one.walk);
                done.run(shared.targets);
                continue;
            }
            var reached = Frontier.of(one.offer.chunk());
            if (!reached.complete()) {
                left.add(new Walk(one.walk.state(), reached));
            }
        }
        shared.throttle.pause(begun);
        return left;
    }

    private void write(List<Watermark> watermarks) throws SQLException {
        shared.statements.incrementAndGet();
        shared.watermarks.write(source, watermarks);
    }

    /** @param before bytes that are in the room already */
    private Reading read(PartitionState state, @Nullable KeyPoint start, BytesBudget.Share room, long before)
            throws IOException {
        var table = state.table();
        var limit = shared.throttle.maxChunkRows(maxRows);
        var sql = ChunkRange.select(table, ChunkRange.where(table, state.partition(), start, null)) + " LIMIT " + limit;
        shared.statements.incrementAndGet();
        SoftHeap.keep(SHARE_BYTES);
        var begun = System.nanoTime();
        var read = new Reading(table, start, limit, room, before);
        ChunkRange.read(rows, table, sql, read);
        if (rows.hasEnded()) {
            rows = connections.open(rows);
        }
        shared.listener.read(read.rows.bytes(), System.nanoTime() - begun);
        shared.throttle.read(read.rows.size(), System.nanoTime());
        return read;
    }

    /** Takes a chunk's rows until there are enough of them. */
    private final class Reading implements RowConnection.Rows {
        final RowBatch.Builder rows;
        private final Table table;
        private final @Nullable KeyPoint start;
        private final int limit;
        private final BytesBudget.Share room;
        private final long before;
        /** Whether it has a large row, which is then all that it has. */
        boolean large;
        /** Whether it ended before a large row for which there was no room. */
        boolean tooLarge;

        Reading(Table table, @Nullable KeyPoint start, int limit, BytesBudget.Share room, long before) {
            this.rows = new RowBatch.Builder(
                    table, (int) Math.min(lastBytes + lastBytes / 8, CHUNK_BYTES + (CHUNK_BYTES >> 4)));
            this.table = table;
            this.start = start;
            this.limit = limit;
            this.room = room;
            this.before = before;
        }

        @Override
        public boolean large(int length) {
            share = shareOf(length);
            large = before == 0 && rows.size() == 0 && room.holds(share);
            tooLarge = !large;
            return large;
        }

        @Override
        public boolean row(byte[] packet, int from, int to, boolean own) {
            rows.addSelected(packet, from, own);
            return hasRoom();
        }

        private boolean hasRoom() {
            return before + rows.bytes() <= CHUNK_BYTES;
        }

        /** Whether its first row is larger than the room that was taken for it. */
        boolean isNothing() {
            return tooLarge && rows.size() == 0;
        }

        /** @param batch its rows */
        Chunk chunk(RowBatch batch) {
            if (start != null && !batch.isEmpty() && batch.compareKey(0, start.key()) <= 0) {
                throw RowBatch.unordered(table, batch.row(0));
            }
            var last = batch.size() - 1;
            var whole = !tooLarge && hasRoom() && batch.size() < limit;
            var end = whole || last < 0 ? null : new KeyPoint(table.keyOf(batch.row(last)), batch.key(last));
            return new Chunk(start, end, batch);
        }
    }

    /** What a large row takes whose first packet has this length. */
    static long shareOf(int length) {
        // How long it is if it takes several packets only their end tells.
        return length < PacketConnection.MAX_PAYLOAD ? length + (long) RowConnection.SLACK_BYTES : Long.MAX_VALUE;
    }

    private void adapt(Reading read) {
        lastBytes = read.rows.bytes();
        var size = read.rows.size();
        if (size > 0) {
            var fitting = Math.max(1, CHUNK_BYTES * 3 / 4 / Math.max(1, lastBytes / size));
            maxRows = (int) Math.clamp(fitting, 1, Math.min(shared.chunkRows, 4L * maxRows));
        }
        if (read.tooLarge) {
            maxRows = 1;
        } else if (!read.large) {
            share = SHARE_BYTES;
        }
    }
}
