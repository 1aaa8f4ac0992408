package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.table.Sql;
import dev.shardwright.reshard.table.Table;
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

    /** Reads rows in key order. */
    public static String select(Table table, String where) {
        return "SELECT " + table.selectList() + " FROM " + table.quoted() + " FORCE INDEX ("
                + Sql.name(table.keyIndex()) + ") WHERE " + where + " ORDER BY " + table.keyOrder();
    }
}
