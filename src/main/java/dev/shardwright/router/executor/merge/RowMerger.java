package dev.shardwright.router.executor.merge;

import dev.shardwright.router.planner.Plan.Merge;
import dev.shardwright.router.planner.RowLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges the rows of several shards. Push what arrives ({@link #columns}, {@link #row}, {@link #end}), pull
 * what can be sent on ({@link #next}). For one thread at a time. Any call may throw {@link MergeException},
 * after which the merger must not be used any more.
 *
 * <p>To stay in bounded memory, read from a shard only while {@link #wants} says so; it keeps at most one
 * row more than the bound for each shard.
 */
public interface RowMerger {

    /**
     * @param shards how many take part; they are numbered from 0 here
     * @param binary rows of a prepared statement
     */
    static RowMerger of(Merge merge, RowLimit limit, int shards, boolean binary) {
        var format = binary ? RowFormat.BINARY : RowFormat.TEXT;
        return switch (merge) {
            case Merge.Concatenate _ -> new Concatenation(shards, limit);
            case Merge.Sort sort -> new SortedMerge(shards, limit, sort, format);
            case Merge.Aggregate aggregate -> new Folding(shards, aggregate, format);
        };
    }

    /** A shard's column definitions: the payloads of their packets, in order. */
    void columns(int shard, List<byte[]> definitions);

    /** Whether all shards' column definitions have come, so that {@link #visibleColumns} can be sent. */
    boolean columnsKnown();

    /** The column definitions for the client: payloads of packets. */
    List<byte[]> visibleColumns();

    /** A shard's row: its whole payload, put together if it came in several packets. Kept, not copied. */
    void row(int shard, byte[] payload);

    /** This shard has no more rows. */
    void end(int shard);

    /** The next row for the client; null when there is none until more comes in, or when all is {@link #finished}. */
    byte @Nullable [] next();

    /** Nothing more will be sent; what shards still send is to be thrown away. */
    boolean finished();

    /** Whether this shard's next row is needed now. */
    boolean wants(int shard);
}
