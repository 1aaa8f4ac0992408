package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.copy.Watermarks.Watermark;
import dev.shardwright.reshard.table.KeyedRow;
import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Walks partitions, chunk after chunk, each between two watermarks; one thread with one connection to the source. */
public final class ChunkReader {
    private static final long CHUNK_BYTES = 4L << 20;
    private static final int FIRST_ROWS = 500;
    private static final int MAX_TRIES = 8;

    /**
     * What the readers of one run share.
     *
     * @param listener told what each read has cost
     * @param room one permit for each chunk that may be between its read and its last target
     * @param marks numbers the chunks
     * @param statements counts what is sent to the source
     * @param chunkRows most rows of one chunk
     */
    public record Shared(
            Watermarks watermarks,
            ChunkHandoff handoff,
            Throttle throttle,
            Listener listener,
            Semaphore room,
            AtomicLong marks,
            AtomicLong statements,
            int targets,
            int chunkRows) {}

    /** Told after each read, on the reader's thread. */
    @FunctionalInterface
    public interface Listener {
        void read(long bytes, long nanos);
    }

    private final Connection source;
    private final Shared shared;
    private int maxRows;

    /** @param source with autocommit on */
    public ChunkReader(Connection source, Shared shared) {
        this.source = source;
        this.shared = shared;
        this.maxRows = firstRows();
    }

    private int firstRows() {
        return Math.min(FIRST_ROWS, shared.chunkRows);
    }

    /** Reads all that is left of a partition; returns when its last chunk has entered. */
    public void walk(PartitionState state, Frontier from) throws SQLException, InterruptedException {
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
            throws SQLException, InterruptedException {
        shared.room.acquire();
        var mark = shared.marks.incrementAndGet();
        write(new Watermark(state.slot(), mark, false));
        var chunk = read(state.table(), state.partition(), start);
        var offer = shared.handoff.offer(mark, chunk, releaseAfterAllTargets());
        write(new Watermark(state.slot(), mark, true));
        if (!entered(offer)) {
            shared.room.release();
            return null;
        }
        return Frontier.of(chunk);
    }

    private Runnable releaseAfterAllTargets() {
        var left = new AtomicInteger(shared.targets);
        return () -> {
            if (left.decrementAndGet() == 0) {
                shared.room.release();
            }
        };
    }

    private static boolean entered(ChunkHandoff.Offer offer) throws InterruptedException {
        try {
            return offer.entered().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private void write(Watermark watermark) throws SQLException {
        shared.statements.incrementAndGet();
        shared.watermarks.write(source, watermark);
    }

    private Chunk read(Table table, Partition partition, @Nullable KeyPoint start) throws SQLException {
        var rows = new ArrayList<KeyedRow>();
        var limit = shared.throttle.maxChunkRows(maxRows);
        var sql = ChunkRange.select(table, ChunkRange.where(table, partition, start, null)) + " LIMIT " + limit;
        shared.statements.incrementAndGet();
        var begun = System.nanoTime();
        long bytes = 0;
        var cut = false;
        try (var statement = source.createStatement()) {
            statement.setFetchSize(Integer.MIN_VALUE);
            try (var result = statement.executeQuery(sql)) {
                while (!cut && result.next()) {
                    var row = KeyedRow.read(table, result);
                    checkOrder(table, rows, row, start);
                    rows.add(row);
                    bytes += row.row().bytes();
                    cut = bytes > CHUNK_BYTES;
                }
            }
        }
        shared.listener.read(bytes, System.nanoTime() - begun);
        shared.throttle.read(rows.size(), System.nanoTime());
        var whole = !cut && rows.size() < limit;
        adapt(rows.size(), bytes);
        var last = rows.isEmpty() ? null : rows.getLast();
        var end = whole || last == null ? null : new KeyPoint(table.keyOf(last.row()), last.key());
        return new Chunk(start, end, rows);
    }

    /** Everything rests on our order of keys being MySQL's, so it is checked with each row. */
    private static void checkOrder(Table table, ArrayList<KeyedRow> rows, KeyedRow row, @Nullable KeyPoint start) {
        var before = rows.isEmpty()
                ? (start == null ? null : start.key())
                : rows.getLast().key();
        if (before != null && before.compareTo(row.key()) >= 0) {
            throw new MoveException("table " + table.name() + ": MySQL sorts row " + table.rowName(row.row())
                    + " in a way that is not understood; its key's type or collation can't be moved");
        }
    }

    private void adapt(int rows, long bytes) {
        if (rows > 0) {
            var fitting = Math.max(1, CHUNK_BYTES * 3 / 4 / Math.max(1, bytes / rows));
            maxRows = (int) Math.clamp(fitting, 1, Math.min(shared.chunkRows, 4L * maxRows));
        }
    }
}
