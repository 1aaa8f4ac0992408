package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.table.RowBatch;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a partition as one short read saw them, in key order.
 *
 * @param start its keys are after this one; null: from the partition's beginning
 * @param end its keys are up to this one; null: up to the partition's end
 */
public record Chunk(@Nullable KeyPoint start, @Nullable KeyPoint end, RowBatch rows) {}
