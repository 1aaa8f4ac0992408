package dev.shardwright.reshard.copy;

import dev.shardwright.mysql.binlog.ColumnKind;
import dev.shardwright.reshard.table.Sql;
import dev.shardwright.reshard.table.Table;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Splits a large table into partitions that can be walked in parallel and hold about as many rows each, by MySQL's own
 * estimates of ranges of an integer key. These cost it two dives into the index for each range, however many rows are there.
 */
public final class PartitionPlanner {
    private static final long SPLIT_ABOVE_ROWS = 50_000;
    /** So many times its share of the rows may a partition hold. */
    private static final double UNEVEN = 1.5;
    /** Ranges from which an even partition is made. */
    private static final int RANGES_PER_PART = 6;
    /** Halving as often leads from all 64-bit integers to single ones in a few places. */
    private static final int MOST_RANGES = 250;

    /** Keys from {@code from} to below {@code to}. */
    private record Range(BigInteger from, BigInteger to, long rows) {
        boolean isSingle() {
            return to.subtract(from).equals(BigInteger.ONE);
        }
    }

    private final Connection source;
    private final Table table;
    private final String column;

    private PartitionPlanner(Connection source, Table table) {
        this.source = source;
        this.table = table;
        this.column = Sql.name(table.keyColumns().getFirst().name());
    }

    /** @param parts how many are wanted; a small table, or one whose key does not begin with an ascending integer, or without a key, is one */
    public static List<Partition> plan(Connection source, Table table, int parts) throws SQLException {
        if (table.isKeyless()) {
            return partitions(List.of());
        }
        var first = table.keyColumns().getFirst();
        return parts < 2
                        || table.rowsEstimated() < SPLIT_ABOVE_ROWS
                        || first.kind() != ColumnKind.INTEGER
                        || first.descending()
                ? partitions(List.of())
                : partitions(new PartitionPlanner(source, table).bounds(parts));
    }

    private static List<Partition> partitions(List<BigInteger> bounds) {
        var partitions = new ArrayList<Partition>();
        for (int i = 0; i <= bounds.size(); i++) {
            partitions.add(
                    new Partition(i, i == 0 ? null : bounds.get(i - 1), i == bounds.size() ? null : bounds.get(i)));
        }
        return partitions;
    }

    private List<BigInteger> bounds(int parts) throws SQLException {
        BigInteger min;
        BigInteger max;
        try (var statement = source.createStatement();
                // Two index dives.
                var rows = statement.executeQuery("SELECT (SELECT MIN(" + column + ") FROM " + table.quoted()
                        + "), (SELECT MAX(" + column + ") FROM " + table.quoted() + ")")) {
            rows.next();
            if (rows.getString(1) == null) {
                return List.of();
            }
            min = new BigInteger(rows.getString(1));
            max = new BigInteger(rows.getString(2));
        }
        var ranges = even(min, max.add(BigInteger.ONE), parts);
        if (largest(ranges).rows > UNEVEN * sum(ranges) / parts) {
            halve(ranges, parts);
        }
        return bounds(ranges, parts);
    }

    private List<Range> even(BigInteger from, BigInteger to, int parts) throws SQLException {
        var width = to.subtract(from);
        var ranges = new ArrayList<Range>();
        var begin = from;
        for (int i = 1; i <= parts; i++) {
            var end = from.add(width.multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(parts)));
            if (end.compareTo(begin) > 0) {
                ranges.add(estimated(begin, end));
                begin = end;
            }
        }
        return ranges;
    }

    /** The largest again and again, until all are small. */
    private void halve(List<Range> ranges, int parts) throws SQLException {
        while (ranges.size() < MOST_RANGES) {
            var largest = largest(ranges);
            if (largest.isSingle() || largest.rows <= sum(ranges) / ((long) parts * RANGES_PER_PART)) {
                return;
            }
            var middle = largest.from.add(largest.to).shiftRight(1);
            var at = ranges.indexOf(largest);
            ranges.set(at, estimated(largest.from, middle));
            ranges.add(at + 1, estimated(middle, largest.to));
        }
    }

    private static Range largest(List<Range> ranges) {
        return ranges.stream()
                .max(Comparator.comparing((Range range) -> !range.isSingle()).thenComparing(Range::rows))
                .orElseThrow();
    }

    private static long sum(List<Range> ranges) {
        return ranges.stream().mapToLong(Range::rows).sum();
    }

    /** Where partitions of about as many rows begin. */
    private static List<BigInteger> bounds(List<Range> ranges, int parts) {
        var all = sum(ranges);
        var before = 0L;
        var bounds = new ArrayList<BigInteger>();
        for (var range : ranges) {
            // The half of the range that is nearer decides on which side of the bound it lies.
            if (before > 0
                    && before + range.rows / 2 >= all * (bounds.size() + 1) / parts
                    && bounds.size() < parts - 1) {
                bounds.add(range.from);
            }
            before += range.rows;
        }
        return bounds;
    }

    /** To be forced to use an index makes MySQL skip its dives; it is never estimated to hold more than half of the table. */
    private Range estimated(BigInteger from, BigInteger to) throws SQLException {
        try (var statement = source.createStatement();
                var plan = statement.executeQuery("EXPLAIN FORMAT=TRADITIONAL SELECT 1 FROM " + table.quoted()
                        + " USE INDEX (" + Sql.name(table.keyIndex()) + ") WHERE " + column + " >= " + from + " AND "
                        + column + " <= " + to.subtract(BigInteger.ONE))) {
            plan.next();
            return new Range(from, to, plan.getLong("rows"));
        }
    }
}
