package dev.shardwright.router.executor.merge;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One row's payload and where its values are. A value's raw bytes are as they stand in the row, with
 * their length before them if they have one; its content is without that.
 */
final class Row {
    final byte[] payload;
    private final int[] starts;
    private final int[] contents;
    private final int[] ends;

    Row(byte[] payload, int columns) {
        this.payload = payload;
        this.starts = new int[columns];
        this.contents = new int[columns];
        this.ends = new int[columns];
    }

    void setNull(int column) {
        starts[column] = -1;
    }

    void set(int column, int start, int content, int end) {
        if (end > payload.length) {
            throw new ArrayIndexOutOfBoundsException(end);
        }
        starts[column] = start;
        contents[column] = content;
        ends[column] = end;
    }

    int columns() {
        return starts.length;
    }

    boolean isNull(int column) {
        return starts[column] < 0;
    }

    byte[] raw(int column) {
        return Arrays.copyOfRange(payload, starts[column], ends[column]);
    }

    int contentStart(int column) {
        return contents[column];
    }

    int contentLength(int column) {
        return ends[column] - contents[column];
    }

    byte[] content(int column) {
        return Arrays.copyOfRange(payload, contents[column], ends[column]);
    }

    String ascii(int column) {
        return new String(payload, contents[column], contentLength(column), StandardCharsets.US_ASCII);
    }
}
