package dev.shardwright.reshard.copy;

import dev.shardwright.mysql.client.RowConnection;
import dev.shardwright.reshard.copy.Watermarks.Watermark;
import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.RowBatch;
import dev.shardwright.reshard.table.Table;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Walks partitions, chunk after chunk, each between two watermarks; one thread with two connections to the source. */
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
    private final RowConnection rows;
    private final Shared shared;
    private int maxRows;

    /**
     * @param source with autocommit on, for the watermarks
     * @param rows to the same server
     */
    public ChunkReader(Connection source, RowConnection rows, Shared shared) {
        this.source = source;
        this.rows = rows;
        this.shared = shared;
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

    private Chunk read(Table table, Partition partition, @Nullable KeyPoint start) throws IOException {
        var limit = shared.throttle.maxChunkRows(maxRows);
        var sql = ChunkRange.select(table, ChunkRange.where(table, partition, start, null)) + " LIMIT " + limit;
        shared.statements.incrementAndGet();
        var begun = System.nanoTime();
        var read = new RowBatch.Builder(table);
        rows.select(sql, (packet, from, _) -> {
            read.addSelected(packet, from);
            return read.bytes() <= CHUNK_BYTES;
        });
        shared.listener.read(read.bytes(), System.nanoTime() - begun);
        shared.throttle.read(read.size(), System.nanoTime());
        adapt(read.size(), read.bytes());
        return chunk(table, start, read.build(), read.bytes() <= CHUNK_BYTES && read.size() < limit);
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
        if (rows > 0) {
            var fitting = Math.max(1, CHUNK_BYTES * 3 / 4 / Math.max(1, bytes / rows));
            maxRows = (int) Math.clamp(fitting, 1, Math.min(shared.chunkRows, 4L * maxRows));
        }
    }
}
