package dev.shardwright.topology.vindex;

import dev.shardwright.api.VSchema;
import dev.shardwright.api.VSchema.ColumnVindex;
import dev.shardwright.api.VSchema.ShardKeyColumn;
import dev.shardwright.api.VSchema.TableSpec;
import dev.shardwright.api.VSchema.VindexSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** What a vschema must be so that every row has exactly one place, the same for equal keys. */
public final class VSchemaRules {
    /** A topology has to fit into a ConfigMap. */
    public static final int MOST_TABLES = 1_000;

    private final List<String> problems = new ArrayList<>();
    private final Map<String, VindexSpec> vindexes = new HashMap<>();

    private VSchemaRules() {}

    /** All that is wrong, each with how to put it right; empty if the vschema can be used. */
    public static List<String> problems(VSchema vschema) {
        var rules = new VSchemaRules();
        vschema.vindexes().forEach(rules::checkVindex);
        rules.checkTables(vschema.tables());
        return List.copyOf(rules.problems);
    }

    private void checkVindex(VindexSpec spec) {
        if (spec.name() == null || spec.name().isBlank()) {
            problems.add("a vindex has no name: give it one");
            return;
        }
        if (vindexes.put(spec.name(), spec) != null) {
            problems.add("vindex " + spec.name() + " is declared twice: remove one or rename it");
        }
        if (!Vindexes.names().contains(spec.type())) {
            problems.add("vindex " + spec.name() + " has the unknown type '" + spec.type() + "': use one of "
                    + String.join(", ", Vindexes.names()));
        }
    }

    private void checkTables(List<TableSpec> tables) {
        if (tables.size() > MOST_TABLES) {
            problems.add(tables.size() + " tables are listed, at most " + MOST_TABLES + " can be");
        }
        var names = new HashSet<String>();
        for (var table : tables) {
            if (table.name() == null || table.name().isBlank()) {
                problems.add("a table has no name: give it one");
            } else if (!names.add(table.name().toLowerCase(Locale.ROOT))) {
                problems.add("table " + table.name() + " is listed twice: leave one of the entries");
            } else if (table.columnVindexes().isEmpty()) {
                problems.add("table " + table.name()
                        + " has no columnVindexes: name its shard key, or take it off the list");
            } else {
                table.columnVindexes().forEach(columnVindex -> checkColumnVindex(table, columnVindex));
                checkColumnsAgree(table);
            }
        }
    }

    private void checkColumnVindex(TableSpec table, ColumnVindex columnVindex) {
        var spec = vindexes.get(columnVindex.vindex());
        if (spec == null) {
            problems.add("table " + table.name() + " uses vindex '" + columnVindex.vindex()
                    + "', which is not declared: add it to vschema.vindexes, or use one of "
                    + new TreeSet<>(vindexes.keySet()));
            return;
        }
        if (!Vindexes.names().contains(spec.type())) {
            return;
        }
        var vindex = Vindexes.of(spec.type());
        if (columnVindex.columns().size() != vindex.columns()) {
            problems.add("table " + table.name() + ": vindex " + spec.name() + " takes " + vindex.columns()
                    + " column, but " + columnVindex.columns().size() + " are given: list that many");
            return;
        }
        columnVindex.columns().forEach(column -> checkColumn(table, column, spec, vindex));
    }

    private void checkColumn(TableSpec table, ShardKeyColumn column, VindexSpec spec, Vindex vindex) {
        var place = "table " + table.name() + ": ";
        if (column.name() == null || column.name().isBlank()) {
            problems.add(place + "a shard-key column has no name: give it one");
            return;
        }
        try {
            var type = ShardKeyType.of(column);
            if (Vindexes.takesOnlyIntegers(vindex) && !(type instanceof IntegerColumn)) {
                problems.add(place + "column " + column.name() + " of type " + column.type() + " can't use vindex "
                        + spec.name() + " of type " + spec.type()
                        + ", which takes integers: use xxhash, binary_md5 or binary");
            }
            if (type instanceof TextColumn text && !text.collation().equals(TextColumn.COLLATION)) {
                problems.add(
                        place + "column " + column.name() + " in collation " + text.collation() + " can't use vindex "
                                + spec.name() + " of type " + spec.type()
                                + ", because texts that are equal in this collation can"
                                + " differ in bytes and would land on different shards: make it collation "
                                + TextColumn.COLLATION
                                + ", or varbinary(N)");
            }
        } catch (IllegalArgumentException e) {
            problems.add(place + e.getMessage());
        }
    }

    private void checkColumnsAgree(TableSpec table) {
        var seen = new HashMap<String, ShardKeyColumn>();
        for (var columnVindex : table.columnVindexes()) {
            for (var column : columnVindex.columns()) {
                var before =
                        column.name() == null ? null : seen.put(column.name().toLowerCase(Locale.ROOT), column);
                if (before != null && !before.equals(column)) {
                    problems.add("table " + table.name() + ": column " + column.name()
                            + " is declared twice with different types: declare it alike");
                }
            }
        }
    }
}
