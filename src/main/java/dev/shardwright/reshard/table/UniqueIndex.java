package dev.shardwright.reshard.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A table's primary key or another unique index, as MySQL describes it. */
record UniqueIndex(String name, List<Part> parts) {
    private static final String PRIMARY = "PRIMARY";

    /**
     * @param column null for an expression
     * @param prefix only the column's beginning is in the index
     * @param clustered the rows are stored in this column's order, among others
     */
    record Part(
            @Nullable String column,
            boolean prefix,
            boolean descending,
            boolean nullable,
            boolean visible,
            boolean clustered) {}

    /**
     * What names each row of a table: {@code columns} are all of the table's, {@code key} indexes of the key's among them;
     * none when nothing names them in an order that is known.
     */
    record Chosen(String index, List<Column> columns, List<Integer> key) {}

    /**
     * The primary key if it can be followed; else another index that can, which holds each row exactly once; else none: the table
     * is then moved as one without a key, whatever its primary key is.
     */
    static Chosen choose(List<UniqueIndex> indexes, List<Column> columns) {
        return inOrder(indexes)
                .filter(index -> index.parts.stream().allMatch(part -> isUsable(part, columns)))
                .findFirst()
                .map(index -> index.chosen(columns))
                .orElseGet(() -> new Chosen("", columns, List.of()));
    }

    /** The primary key first, then the one that InnoDB keeps the rows by. */
    private static Stream<UniqueIndex> inOrder(List<UniqueIndex> indexes) {
        return indexes.stream()
                .sorted(Comparator.comparing((UniqueIndex index) -> !index.name.equals(PRIMARY))
                        .thenComparing(index -> !index.parts.stream().allMatch(Part::clustered))
                        .thenComparing(UniqueIndex::name));
    }

    private static boolean isUsable(Part part, List<Column> columns) {
        if (part.column == null || part.prefix || part.nullable || !part.visible) {
            return false;
        }
        var column = columns.get(position(part.column, columns));
        return column.isCompared() && KeyEncoder.SUPPORTED.contains(column.kind());
    }

    private static int position(String column, List<Column> columns) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column)) {
                return i;
            }
        }
        throw new IllegalStateException("an index over column " + column + ", which the table does not have");
    }

    private Chosen chosen(List<Column> columns) {
        var directed = new ArrayList<>(columns);
        var key = new ArrayList<Integer>();
        for (var part : parts) {
            var at = position(Objects.requireNonNull(part.column), columns);
            key.add(at);
            if (part.descending) {
                directed.set(at, columns.get(at).downwards());
            }
        }
        return new Chosen(name, directed, key);
    }
}
