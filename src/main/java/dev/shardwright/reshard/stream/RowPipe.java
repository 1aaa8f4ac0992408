package dev.shardwright.reshard.stream;

import dev.shardwright.reshard.table.RowBatch;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** A table's rows on their way from one read of the source to one target: one thread puts, one takes. */
public final class RowPipe {
    /** What one side may be ahead of the other. */
    private static final int BATCHES = 2;

    /** @param done to be called once the target does not need the rows' memory any more */
    record Batch(RowBatch rows, Runnable done) {}

    private final BlockingQueue<Optional<Batch>> batches = new ArrayBlockingQueue<>(BATCHES);
    private boolean begun;

    /** @param done called on the taker's thread once it does not need the rows' memory any more */
    public void put(RowBatch rows, Runnable done) throws InterruptedException {
        batches.put(Optional.of(new Batch(rows, done)));
    }

    /** After the last row. */
    public void end() throws InterruptedException {
        batches.put(Optional.empty());
    }

    /** Waits for more rows; null when there are none. */
    @Nullable
    Batch take() throws InterruptedException {
        begun = true;
        return batches.take().orElse(null);
    }

    /** Whether some of the rows may have been taken: the source must be read again if these were for nothing. */
    boolean isBegun() {
        return begun;
    }
}
