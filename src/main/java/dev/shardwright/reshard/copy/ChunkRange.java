package dev.shardwright.reshard.copy;

import dev.shardwright.mysql.client.RowConnection;
import dev.shardwright.mysql.client.RowTooLargeException;
import dev.shardwright.reshard.table.Sql;
import dev.shardwright.reshard.table.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** A chunk's keys as a WHERE clause. */
public final class ChunkRange {
    private ChunkRange() {}

    public static String where(Table table, Partition partition, @Nullable KeyPoint after, @Nullable KeyPoint upTo) {
        return partition.where(table)
                + (after == null ? "" : " AND (" + table.whereAfter(after.values()) + ")")
                + (upTo == null ? "" : " AND (" + table.whereUpTo(upTo.values()) + ")");
    }

    /** Reads all rows of a table, in any order. */
    public static String all(Table table) {
        return "SELECT " + table.selectList() + " FROM " + table.quoted();
    }

    /** Runs such a SELECT as {@link RowConnection#select} does, and names the row for which the heap has no room. */
    public static void read(RowConnection from, Table table, String sql, RowConnection.Rows rows) throws IOException {
        try {
            from.select(sql, rows);
        } catch (RowTooLargeException e) {
            throw e.of(table.rowName(e.beginning()));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Reads rows in key order. */
    public static String select(Table table, String where) {
        return "SELECT " + table.selectList() + " FROM " + table.quoted() + " FORCE INDEX ("
                + Sql.name(table.keyIndex()) + ") WHERE " + where + " ORDER BY " + table.keyOrder();
    }
}
