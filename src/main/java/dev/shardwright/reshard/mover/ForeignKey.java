package dev.shardwright.reshard.mover;

import dev.shardwright.api.VSchema;
import dev.shardwright.reshard.table.Placement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A foreign key of the source. Servers enforce it among their own rows, so it holds only where child and parent
 * are always on the same shard.
 *
 * @param parentSchema the parent's database
 * @param columns the child's, in the key's order
 * @param parentColumns those they refer to, in the same order
 * @param cascades whether a change of the parent changes or deletes the child
 */
record ForeignKey(
        String name,
        String table,
        String parentSchema,
        String parent,
        List<String> columns,
        List<String> parentColumns,
        boolean cascades) {

    private static final String ALL =
            "SELECT k.CONSTRAINT_NAME, k.TABLE_NAME, k.COLUMN_NAME, k.REFERENCED_TABLE_SCHEMA,"
                    + " k.REFERENCED_TABLE_NAME, k.REFERENCED_COLUMN_NAME, k.ORDINAL_POSITION, CONCAT(r.UPDATE_RULE, ' ', r.DELETE_RULE)"
                    + " FROM information_schema.KEY_COLUMN_USAGE k JOIN information_schema.REFERENTIAL_CONSTRAINTS r"
                    + " USING (CONSTRAINT_SCHEMA, CONSTRAINT_NAME) WHERE CONSTRAINT_SCHEMA = ? AND k.REFERENCED_TABLE_NAME IS NOT NULL"
                    + " ORDER BY k.TABLE_NAME, k.CONSTRAINT_NAME, k.ORDINAL_POSITION";

    /** The foreign keys of the keyspace's tables that can't be moved: each with its name and why. */
    static List<String> problems(Connection source, String keyspace, VSchema vschema) throws SQLException {
        var keys = read(source, keyspace);
        if (keys.isEmpty()) {
            return List.of();
        }
        boolean logged = cascadesAreLogged(source);
        return keys.stream()
                .flatMap(key -> key.problem(keyspace, vschema, logged).stream())
                .toList();
    }

    private static List<ForeignKey> read(Connection source, String keyspace) throws SQLException {
        try (var statement = source.prepareStatement(ALL)) {
            statement.setString(1, keyspace);
            try (var rows = statement.executeQuery()) {
                var keys = new ArrayList<ForeignKey>();
                while (rows.next()) {
                    if (rows.getInt(7) == 1) {
                        keys.add(begun(rows));
                    }
                    keys.getLast().columns.add(rows.getString(3));
                    keys.getLast().parentColumns.add(rows.getString(6));
                }
                return keys;
            }
        }
    }

    private static ForeignKey begun(ResultSet row) throws SQLException {
        var rules = row.getString(8);
        return new ForeignKey(
                row.getString(1),
                row.getString(2),
                row.getString(4),
                row.getString(5),
                new ArrayList<>(),
                new ArrayList<>(),
                rules.contains("CASCADE") || rules.contains("SET "));
    }

    /** Servers before 9.6 do not have the setting, and never log what a cascade changes. */
    private static boolean cascadesAreLogged(Connection source) throws SQLException {
        try (var statement = source.createStatement();
                var rows = statement.executeQuery("SHOW GLOBAL VARIABLES LIKE 'innodb_native_foreign_keys'")) {
            return rows.next() && rows.getString(2).equals("OFF");
        }
    }

    /** {@code cascadesAreLogged}: what a cascade changes is in the source's binary log. */
    Optional<String> problem(String keyspace, VSchema vschema, boolean cascadesAreLogged) {
        var what = "foreign key " + name + " of table " + table;
        if (!parentSchema.equals(keyspace)) {
            return Optional.of(what + " refers to database " + parentSchema + ", which is not moved; drop it first");
        }
        if (cascades && !cascadesAreLogged) {
            return Optional.of(what + " cascades, and this server does not log what cascades change; use MySQL 9.6 or"
                    + " later, or make it RESTRICT");
        }
        var key = Placement.primaryVindex(vschema, table).orElse(null);
        var parentKey = Placement.primaryVindex(vschema, parent).orElse(null);
        if (key == null && parentKey == null || key != null && parentKey != null && meet(key, parentKey)) {
            return Optional.empty();
        }
        return Optional.of(what + " would go across shards: " + place(table, key) + ", " + place(parent, parentKey)
                + "; drop it, or shard both by the same vindex over columns that it compares");
    }

    /** Whether equal values in the columns that the foreign key compares mean the same shard. */
    private boolean meet(VSchema.ColumnVindex key, VSchema.ColumnVindex parentKey) {
        if (!key.vindex().equals(parentKey.vindex())
                || key.columns().size() != parentKey.columns().size()) {
            return false;
        }
        for (int i = 0; i < key.columns().size(); i++) {
            var column = key.columns().get(i);
            var parentColumn = parentKey.columns().get(i);
            if (!column.type().equals(parentColumn.type())
                    || !java.util.Objects.equals(column.collation(), parentColumn.collation())
                    || !compares(column.name(), parentColumn.name())) {
                return false;
            }
        }
        return true;
    }

    private boolean compares(String column, String parentColumn) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).equalsIgnoreCase(column) && parentColumns.get(i).equalsIgnoreCase(parentColumn)) {
                return true;
            }
        }
        return false;
    }

    private static String place(String table, VSchema.@Nullable ColumnVindex key) {
        return table
                + (key == null
                        ? " lives on the first shard"
                        : " is sharded by "
                                + String.join(
                                        ", ",
                                        key.columns().stream()
                                                .map(VSchema.ShardKeyColumn::name)
                                                .toList()));
    }
}
