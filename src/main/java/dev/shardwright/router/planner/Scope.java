package dev.shardwright.router.planner;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tables whose columns one query block can name; {@code outer} holds those of the block around it. */
final class Scope {
    private final @Nullable Scope outer;
    private final List<TableUse> tables = new ArrayList<>();
    private boolean sharedNames;

    Scope(@Nullable Scope outer) {
        this.outer = outer;
    }

    void add(TableUse table) {
        tables.add(table);
    }

    @Nullable
    Scope outer() {
        return outer;
    }

    TableUse withId(int id) {
        return tables.stream().filter(table -> table.id() == id).findFirst().orElseThrow();
    }

    List<TableUse> tables() {
        return tables;
    }

    /** From here on an unqualified name may stand for the columns of two tables (USING, NATURAL). */
    void shareNames() {
        sharedNames = true;
    }

    /**
     * The sharded table whose shard key this column is; null when it is no shard key, or when that is not
     * certain.
     *
     * @param parts the column's name with its qualifiers, 1 to 3 names
     */
    @Nullable
    TableUse keyOf(List<String> parts) {
        var column = parts.get(parts.size() - 1);
        return parts.size() == 1 ? unqualified(column) : qualified(parts.get(parts.size() - 2), column);
    }

    private @Nullable TableUse qualified(String alias, String column) {
        var matching =
                tables.stream().filter(table -> table.alias().equals(alias)).toList();
        if (matching.isEmpty()) {
            return outer == null ? null : outer.qualified(alias, column);
        }
        return matching.size() == 1 ? ifKey(matching.get(0), column) : null;
    }

    /** A name that two tables have is an error in MySQL, but for the columns that USING has made one. */
    private @Nullable TableUse unqualified(String column) {
        var matching =
                tables.stream().filter(table -> ifKey(table, column) != null).toList();
        return matching.size() == 1 && !sharedNames ? matching.get(0) : null;
    }

    private static @Nullable TableUse ifKey(TableUse table, String column) {
        var sharded = table.table();
        return sharded != null && sharded.key().size() == 1 && sharded.isKey(column) ? table : null;
    }
}
