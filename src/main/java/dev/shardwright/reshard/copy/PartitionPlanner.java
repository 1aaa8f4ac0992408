package dev.shardwright.reshard.copy;

import dev.shardwright.mysql.binlog.ColumnKind;
import dev.shardwright.reshard.table.Sql;
import dev.shardwright.reshard.table.Table;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Splits a large table into partitions that can be walked in parallel: evenly between the ends of an integer key. */
public final class PartitionPlanner {
    private static final long SPLIT_ABOVE_ROWS = 50_000;

    private PartitionPlanner() {}

    /** @param parts how many are wanted; a small table, or one whose key does not begin with an ascending integer, is one */
    public static List<Partition> plan(Connection source, Table table, int parts) throws SQLException {
        var first = table.keyColumns().getFirst();
        if (parts < 2
                || table.rowsEstimated() < SPLIT_ABOVE_ROWS
                || first.kind() != ColumnKind.INTEGER
                || first.descending()) {
            return List.of(new Partition(0, null, null));
        }
        var name = Sql.name(first.name());
        try (var statement = source.createStatement();
                // Two index dives.
                var rows = statement.executeQuery("SELECT (SELECT MIN(" + name + ") FROM " + table.quoted()
                        + "), (SELECT MAX(" + name + ") FROM " + table.quoted() + ")")) {
            rows.next();
            return rows.getString(1) == null
                    ? List.of(new Partition(0, null, null))
                    : split(new BigInteger(rows.getString(1)), new BigInteger(rows.getString(2)), parts);
        }
    }

    static List<Partition> split(BigInteger min, BigInteger max, int parts) {
        var step = max.subtract(min).divide(BigInteger.valueOf(parts));
        if (step.signum() == 0) {
            return List.of(new Partition(0, null, null));
        }
        var partitions = new ArrayList<Partition>();
        for (int i = 0; i < parts; i++) {
            partitions.add(new Partition(
                    i,
                    i == 0 ? null : min.add(step.multiply(BigInteger.valueOf(i))),
                    i == parts - 1 ? null : min.add(step.multiply(BigInteger.valueOf(i + 1L)))));
        }
        return partitions;
    }
}
