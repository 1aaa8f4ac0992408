package dev.shardwright.router.executor.merge;

import java.io.ByteArrayOutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How rows stand in their packets: as text, or binary (prepared statements). */
enum RowFormat {
    TEXT {
        @Override
        Row read(byte[] payload, List<ColumnDefinition> columns) {
            var row = new Row(payload, columns.size());
            var at = 0;
            for (var column = 0; column < columns.size(); column++) {
                if ((payload[at] & 0xff) == NULL) {
                    row.setNull(column);
                    at++;
                } else {
                    var end = Lengths.skip(payload, at);
                    row.set(column, at, at + Lengths.size(payload, at), end);
                    at = end;
                }
            }
            requireEnd(payload, at);
            return row;
        }

        @Override
        byte[] write(byte[] @Nullable [] values) {
            var out = new ByteArrayOutputStream();
            for (var value : values) {
                if (value == null) {
                    out.write(NULL);
                } else {
                    out.writeBytes(value);
                }
            }
            return out.toByteArray();
        }
    },

    BINARY {
        @Override
        Row read(byte[] payload, List<ColumnDefinition> columns) {
            var row = new Row(payload, columns.size());
            var at = 1 + (columns.size() + 9) / 8;
            for (var column = 0; column < columns.size(); column++) {
                if ((payload[1 + (column + 2) / 8] & 1 << (column + 2) % 8) != 0) {
                    row.setNull(column);
                } else {
                    var size = ColumnTypes.binarySize(columns.get(column).type());
                    var content = size > 0 ? at : size == 0 ? at + 1 : at + Lengths.size(payload, at);
                    var end = size > 0
                            ? at + size
                            : size == 0 ? at + 1 + (payload[at] & 0xff) : Lengths.skip(payload, at);
                    row.set(column, at, content, end);
                    at = end;
                }
            }
            requireEnd(payload, at);
            return row;
        }

        @Override
        byte[] write(byte[] @Nullable [] values) {
            var out = new ByteArrayOutputStream();
            var header = new byte[1 + (values.length + 9) / 8];
            for (var column = 0; column < values.length; column++) {
                if (values[column] == null) {
                    header[1 + (column + 2) / 8] |= (byte) (1 << (column + 2) % 8);
                }
            }
            out.writeBytes(header);
            for (var value : values) {
                if (value != null) {
                    out.writeBytes(value);
                }
            }
            return out.toByteArray();
        }
    };

    private static final int NULL = 0xfb;

    /** Finds the values; ArrayIndexOutOfBoundsException when the payload is not such a row. */
    abstract Row read(byte[] payload, List<ColumnDefinition> columns);

    /** A row of raw values, null for SQL NULL. */
    abstract byte[] write(byte[] @Nullable [] values);

    /** The first columns of a row, as a row of their own. */
    byte[] first(Row row, int columns) {
        var values = new byte @Nullable [columns][];
        for (var column = 0; column < columns; column++) {
            values[column] = row.isNull(column) ? null : row.raw(column);
        }
        return write(values);
    }

    private static void requireEnd(byte[] payload, int at) {
        if (at != payload.length) {
            throw new ArrayIndexOutOfBoundsException(at);
        }
    }
}
