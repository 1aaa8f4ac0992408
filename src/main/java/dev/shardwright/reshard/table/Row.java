package dev.shardwright.reshard.table;

import org.jspecify.annotations.Nullable;

/** A row: one value for each column of its table, in the form of {@code ColumnKind}; null is SQL NULL. Not to be changed. */
public record Row(byte[] @Nullable [] values) {
    private static final int OVERHEAD = 24;

    /** About what it takes of the heap. */
    public int bytes() {
        var bytes = OVERHEAD;
        for (var value : values) {
            bytes += value == null ? 4 : OVERHEAD + value.length;
        }
        return bytes;
    }
}
