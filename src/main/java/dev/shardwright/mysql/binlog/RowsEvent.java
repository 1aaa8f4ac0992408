package dev.shardwright.mysql.binlog;

import org.jspecify.annotations.Nullable;

/**
 * Changed rows of one table, not decoded yet.
 *
 * @param event the rows among other bytes; none when they lie in a file
 * @param start where the rows' column count begins in {@code event}
 * @param end where the event ends, checksum excluded
 * @param inFile rows of many MiB in their file; null when they are in {@code event}
 */
public record RowsEvent(
        TableMap table,
        Kind kind,
        byte[] event,
        int start,
        int end,
        @Nullable LargeValue inFile) {
    RowsEvent(TableMap table, Kind kind, byte[] event, int start, int end) {
        this(table, kind, event, start, end, null);
    }

    RowsEvent(TableMap table, Kind kind, LargeValue inFile) {
        this(table, kind, new byte[0], 0, 0, inFile);
    }

    public enum Kind {
        Insert,
        Update,
        Delete
    }

    public int bytes() {
        return inFile == null ? end - start : inFile.length();
    }

    ByteCursor cursor() {
        return inFile == null ? new ByteCursor(event, start, end) : new ByteCursor(inFile);
    }
}
