package dev.shardwright.mysql.binlog;

/**
 * Changed rows of one table, not decoded yet.
 *
 * @param start where the rows' column count begins in {@code event}
 * @param end where the event ends, checksum excluded
 */
public record RowsEvent(TableMap table, Kind kind, byte[] event, int start, int end) {
    public enum Kind {
        Insert,
        Update,
        Delete
    }

    public int bytes() {
        return end - start;
    }
}
