package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.table.KeyedRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a partition as one short read saw them, in key order.
 *
 * @param start its keys are after this one; null: from the partition's beginning
 * @param end its keys are up to this one; null: up to the partition's end
 */
public record Chunk(@Nullable KeyPoint start, @Nullable KeyPoint end, List<KeyedRow> rows) {

    /** The rows that belong to one target, with the same bounds. */
    public Chunk with(List<KeyedRow> some) {
        return new Chunk(start, end, some);
    }
}
