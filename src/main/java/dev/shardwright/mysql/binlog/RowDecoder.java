package dev.shardwright.mysql.binlog;

import dev.shardwright.mysql.client.ServerException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns row events into rows, each value in the form that {@link ColumnKind} says. */
public final class RowDecoder {
    private RowDecoder() {}

    /**
     * A changed row.
     *
     * @param before null for an insert
     * @param after null for a delete
     */
    public record Change(
            @Nullable RowImage before, @Nullable RowImage after) {}

    /** @param formats the table's columns; ServerException when the event does not have exactly these, in full */
    public static List<Change> decode(RowsEvent event, List<ColumnFormat> formats) throws IOException {
        try {
            return changes(event, formats);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ServerException(
                    0, "rows of " + event.table().schema() + "." + event.table().table() + ": " + e.getMessage());
        }
    }

    private static List<Change> changes(RowsEvent event, List<ColumnFormat> formats) throws IOException {
        var in = event.cursor();
        var columns = (int) in.packed();
        if (columns != formats.size() || columns != event.table().columns()) {
            throw new IllegalArgumentException("the binary log has " + columns + " columns where the table has "
                    + formats.size() + ": was it altered while it was moved?");
        }
        requireAll(in, columns);
        if (event.kind() == RowsEvent.Kind.Update) {
            requireAll(in, columns);
        }
        var changes = new ArrayList<Change>();
        while (in.hasMore()) {
            var first = row(in, event.table(), formats);
            changes.add(
                    switch (event.kind()) {
                        case Insert -> new Change(null, first);
                        case Delete -> new Change(first, null);
                        case Update -> new Change(first, row(in, event.table(), formats));
                    });
        }
        return changes;
    }

    private static void requireAll(ByteCursor in, int columns) {
        var present = in.bytes((columns + 7) / 8);
        for (int i = 0; i < columns; i++) {
            if ((present[i / 8] & 1 << i % 8) == 0) {
                throw new IllegalArgumentException(
                        "column " + (i + 1) + " is not in the binary log: set binlog_row_image=FULL on the source");
            }
        }
    }

    private static RowImage row(ByteCursor in, TableMap table, List<ColumnFormat> formats) throws IOException {
        var nulls = in.bytes((formats.size() + 7) / 8);
        var row = new byte[formats.size()] @Nullable [];
        @Nullable LargeValue @Nullable [] large = null;
        for (int i = 0; i < row.length; i++) {
            if ((nulls[i / 8] & 1 << i % 8) == 0) {
                var inFile = ValueDecoder.large(in, table.types()[i], table.metadata()[i]);
                if (inFile == null) {
                    row[i] = ValueDecoder.value(in, table.types()[i], table.metadata()[i], formats.get(i));
                } else {
                    large = large == null ? new @Nullable LargeValue[row.length] : large;
                    large[i] = inFile;
                }
            }
        }
        return new RowImage(row, large);
    }
}
