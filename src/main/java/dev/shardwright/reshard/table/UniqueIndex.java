package dev.shardwright.reshard.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
     * none when nothing names them.
     */
    record Chosen(String index, List<Column> columns, List<Integer> key) {}

    /**
     * The primary key if there is one that can be followed; else another index that holds each row exactly once; else, when
     * there is no primary key, none. Empty when the primary key is there and can't be followed.
     */
    static Optional<Chosen> choose(List<UniqueIndex> indexes, List<Column> columns) {
        var usable = inOrder(indexes)
                .filter(index -> index.hindrance(columns) == null)
                .findFirst()
                .map(index -> index.chosen(columns));
        return usable.isPresent() || primary(indexes).isPresent()
                ? usable
                : Optional.of(new Chosen("", columns, List.of()));
    }

    /** Why the primary key can't be chosen, and what to do. */
    static String problem(List<UniqueIndex> indexes, List<Column> columns) {
        return "its primary key can't be followed: "
                + primary(indexes).orElseThrow().hindrance(columns)
                + "; add a unique index over NOT NULL columns of other types";
    }

    private static Optional<UniqueIndex> primary(List<UniqueIndex> indexes) {
        return indexes.stream().filter(index -> index.name.equals(PRIMARY)).findFirst();
    }

    /** The primary key first, then the one that InnoDB keeps the rows by. */
    private static Stream<UniqueIndex> inOrder(List<UniqueIndex> indexes) {
        return indexes.stream()
                .sorted(Comparator.comparing((UniqueIndex index) -> !index.name.equals(PRIMARY))
                        .thenComparing(index -> !index.parts.stream().allMatch(Part::clustered))
                        .thenComparing(UniqueIndex::name));
    }

    private @Nullable String hindrance(List<Column> columns) {
        return parts.stream()
                .map(part -> hindrance(part, columns))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(null);
    }

    private static Optional<String> hindrance(Part part, List<Column> columns) {
        if (part.column == null) {
            return Optional.of("it contains an expression");
        }
        if (part.prefix) {
            return Optional.of("it holds only the beginning of column " + part.column);
        }
        if (part.nullable) {
            return Optional.of("column " + part.column + " can be NULL");
        }
        if (!part.visible) {
            return Optional.of("the index is invisible");
        }
        var column = columns.get(position(part, columns));
        if (!column.isCompared()) {
            return Optional.of("column " + part.column + " is virtual");
        }
        return KeyEncoder.SUPPORTED.contains(column.kind())
                ? Optional.empty()
                : Optional.of("column " + part.column + " of type " + column.type() + " is not supported in a key");
    }

    private static int position(Part part, List<Column> columns) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(part.column)) {
                return i;
            }
        }
        throw new IllegalStateException("an index over column " + part.column + ", which the table does not have");
    }

    private Chosen chosen(List<Column> columns) {
        var directed = new ArrayList<>(columns);
        var key = new ArrayList<Integer>();
        for (var part : parts) {
            var at = position(part, columns);
            key.add(at);
            if (part.descending) {
                directed.set(at, columns.get(at).downwards());
            }
        }
        return new Chosen(name, directed, key);
    }
}
