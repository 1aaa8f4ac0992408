package dev.shardwright.mysql.binlog;

import org.jspecify.annotations.Nullable;

/**
 * A row as the binary log has it, each value in the form that {@link ColumnKind} says.
 *
 * @param values null is SQL NULL, or a value that is in {@code large}
 * @param large those values that lie in a file, at their columns' places; null when there are none
 */
public record RowImage(byte[] @Nullable [] values, @Nullable LargeValue @Nullable [] large) {}
