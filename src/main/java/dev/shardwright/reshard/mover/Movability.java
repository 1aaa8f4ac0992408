package dev.shardwright.reshard.mover;

import dev.shardwright.api.VSchema;
import dev.shardwright.reshard.objects.ObjectRules;
import dev.shardwright.reshard.objects.SchemaObjects;
import dev.shardwright.reshard.table.Column;
import dev.shardwright.reshard.table.Placement;
import dev.shardwright.reshard.table.SchemaReader;
import dev.shardwright.reshard.table.Sql;
import dev.shardwright.reshard.table.Table;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.vindex.ShardKeyType;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What stands in the way of moving a source's rows, found out before the first is copied. */
public final class Movability {
    private static final Map<String, String> SETTINGS = new TreeMap<>(Map.of(
            "log_bin", "1",
            "gtid_mode", "ON",
            "binlog_row_image", "FULL",
            "binlog_row_value_options", "",
            "binlog_order_commits", "1"));

    /** The column that sql_generate_invisible_primary_key adds. */
    private static final String GENERATED_KEY = "my_row_id";

    private final Connection source;
    private final String keyspace;
    private final VSchema vschema;
    private final List<String> problems = new ArrayList<>();

    private Movability(Connection source, String keyspace, VSchema vschema) {
        this.source = source;
        this.keyspace = keyspace;
        this.vschema = vschema;
    }

    /**
     * Looks at one source shard. Changes nothing there.
     *
     * @param source any account that may read the keyspace's database and information_schema
     * @param range the source's range
     * @return empty when its rows can be moved; else each problem with the table's name and what to do
     */
    public static List<String> problems(Connection source, String keyspace, KeyRange range, VSchema vschema)
            throws SQLException {
        return problems(source, keyspace, range, vschema, SchemaReader.read(source, keyspace));
    }

    /** @param schema the source's, which costs more to read than all the rest */
    static List<String> problems(
            Connection source, String keyspace, KeyRange range, VSchema vschema, SchemaReader.Schema schema)
            throws SQLException {
        var check = new Movability(source, keyspace, vschema);
        check.settings();
        check.problems.addAll(ObjectRules.problems(source, keyspace, range, vschema));
        check.problems.addAll(ForeignKey.problems(source, keyspace, vschema));
        check.problems.addAll(schema.problems());
        var unique = check.uniqueKeys();
        for (var table : schema.tables()) {
            check.table(table, range, unique.getOrDefault(table.name(), Map.of()));
        }
        return List.copyOf(check.problems);
    }

    /**
     * How another source of a merge differs from the first in its tables and other objects; empty when it does not.
     *
     * @param range the other source's
     */
    public static List<String> differences(
            Connection one, Connection other, String keyspace, KeyRange range, VSchema vschema) throws SQLException {
        var here = creations(one, keyspace);
        var there = creations(other, keyspace);
        var problems = new ArrayList<String>();
        SchemaObjects.read(one, keyspace)
                .placed(range, vschema)
                .differences(SchemaObjects.read(other, keyspace))
                .forEach(difference -> problems.add(difference + " on shard " + range + " as compared with the first"));
        here.forEach((name, creation) -> {
            if (!creation.equals(there.remove(name))) {
                problems.add("table " + name + " is not the same on all source shards");
            }
        });
        there.keySet().forEach(name -> problems.add("table " + name + " is not on all source shards"));
        return problems;
    }

    private static Map<String, String> creations(Connection connection, String keyspace) throws SQLException {
        var creations = new TreeMap<String, String>();
        for (var table : SchemaReader.read(connection, keyspace).tables()) {
            creations.put(table.name(), table.creation().replaceFirst(" AUTO_INCREMENT=\\d+", ""));
        }
        return creations;
    }

    private void settings() throws SQLException {
        for (var setting : SETTINGS.entrySet()) {
            try (var statement = source.createStatement();
                    var rows = statement.executeQuery("SELECT @@GLOBAL." + setting.getKey())) {
                rows.next();
                if (!setting.getValue().equalsIgnoreCase(rows.getString(1))) {
                    problems.add("the source runs with " + setting.getKey() + "=" + rows.getString(1) + ", needed is "
                            + (setting.getValue().isEmpty() ? "''" : setting.getValue()));
                }
            }
        }
    }

    private void table(Table table, KeyRange range, Map<String, List<String>> unique) throws SQLException {
        var key = Placement.primaryVindex(vschema, table.name());
        if (key.isPresent()) {
            key.get().columns().forEach(declared -> shardKey(table, declared));
            uniqueKeys(table, key.get(), unique);
            return;
        }
        switch (vschema.unlistedTables()) {
            case FirstShard -> mustBeEmpty(table, range);
            case ByPrimaryKey ->
                problems.add("table " + table.name()
                        + " is not in the vschema, and unlistedTables: ByPrimaryKey can't be moved yet; list it");
            case Refuse ->
                problems.add("table " + table.name()
                        + " is not in the vschema, and unlistedTables is Refuse; list it or drop it");
        }
    }

    private void shardKey(Table table, VSchema.ShardKeyColumn declared) {
        var column = table.columns().stream()
                .filter(one -> one.name().equals(declared.name()))
                .findFirst();
        if (column.isEmpty()) {
            problems.add(
                    "table " + table.name() + " has no column " + declared.name() + ", which the vschema shards it by");
        } else if (!column.get().isWritten()) {
            problems.add("table " + table.name() + ": column " + declared.name()
                    + " is generated, so no INSERT says on which shard its row belongs;"
                    + " shard the table by the columns it is computed from, or make it an ordinary column");
        } else if (!sameType(column.get().type(), ShardKeyType.of(declared).columnType())) {
            problems.add("table " + table.name() + ": column " + declared.name() + " is "
                    + column.get().type() + ", but the vschema says " + declared.type());
        } else if (!sameCollation(column.get(), declared)) {
            problems.add("table " + table.name() + ": column " + declared.name() + " has collation "
                    + column.get().collation() + ", but the vschema says " + declared.collation());
        }
    }

    /** Display widths mean nothing. */
    private static boolean sameType(String actual, String declared) {
        return normal(actual).equals(normal(declared));
    }

    private static String normal(String type) {
        return type.toLowerCase(Locale.ROOT)
                .replaceFirst("^((?:tiny|small|medium|big)?int)(?:eger)?\\(\\d+\\)", "$1")
                .replaceFirst("^integer", "int")
                .replace(" zerofill", "");
    }

    private static boolean sameCollation(Column column, VSchema.ShardKeyColumn declared) {
        return !column.isText()
                || declared.collation() == null
                || declared.collation().equalsIgnoreCase(column.collation());
    }

    /** For each table its unique indexes with their columns. */
    private Map<String, Map<String, List<String>>> uniqueKeys() throws SQLException {
        var unique = new HashMap<String, Map<String, List<String>>>();
        try (var statement = source.prepareStatement("SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME"
                + " FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = ? AND NON_UNIQUE = 0")) {
            statement.setString(1, keyspace);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    unique.computeIfAbsent(rows.getString(1), unused -> new TreeMap<>())
                            .computeIfAbsent(rows.getString(2), unused -> new ArrayList<>())
                            .add(String.valueOf(rows.getString(3)));
                }
            }
        }
        return unique;
    }

    /** Rows that differ in the shard key only can be on different shards, where no server sees that they collide. */
    private void uniqueKeys(Table table, VSchema.ColumnVindex key, Map<String, List<String>> unique) {
        unique.forEach((index, columns) -> key.columns().forEach(column -> {
            if (columns.equals(List.of(GENERATED_KEY))) {
                problems.add("table " + table.name() + ": its generated primary key " + GENERATED_KEY
                        + " counts on each shard for itself, so two shards could hold the same value;"
                        + " give the table a primary key that contains the shard key column " + column.name());
            } else if (!columns.contains(column.name())) {
                problems.add("table " + table.name() + ": unique key " + index
                        + " does not contain the shard key column " + column.name()
                        + ", so two shards could hold the same value; add the column to the key");
            }
        }));
    }

    private void mustBeEmpty(Table table, KeyRange range) throws SQLException {
        if (range.startsAtMinimum()) {
            return;
        }
        try (var statement = source.createStatement();
                var rows = statement.executeQuery(
                        "SELECT 1 FROM " + Sql.name(keyspace) + "." + Sql.name(table.name()) + " LIMIT 1")) {
            if (rows.next()) {
                problems.add(
                        "table " + table.name() + " is not in the vschema, so it belongs on the first shard, but shard "
                                + range + " has rows of it too; list it, or move these rows");
            }
        }
    }
}
