package dev.shardwright.reshard.table;

import dev.shardwright.mysql.binlog.ColumnKind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what MySQL knows of a database's tables, and what in it can't be moved. */
public final class SchemaReader {
    /**
     * @param tables those that can be moved, in name order
     * @param problems what can't, each naming the table and why
     */
    public record Schema(List<Table> tables, List<String> problems) {
        public Schema {
            tables = List.copyOf(tables);
            problems = List.copyOf(problems);
        }
    }

    private final Connection connection;
    private final String database;
    private final List<String> problems = new ArrayList<>();
    /** The columns that MySQL says rows are stored by, as table/column. */
    private final Set<String> clustered = new HashSet<>();

    private final Set<String> paddedCollations = new HashSet<>();

    private SchemaReader(Connection connection, String database) {
        this.connection = connection;
        this.database = database;
    }

    public static Schema read(Connection connection, String database) throws SQLException {
        var reader = new SchemaReader(connection, database);
        return new Schema(reader.tables(), reader.problems);
    }

    private interface RowHandler {
        void row(ResultSet row) throws SQLException;
    }

    private void query(String sql, RowHandler handler) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 1; i <= sql.chars().filter(c -> c == '?').count(); i++) {
                statement.setString(i, database);
            }
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    handler.row(rows);
                }
            }
        }
    }

    private List<Table> tables() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("SET SESSION information_schema_stats_expiry = 0,"
                    + " show_gipk_in_create_table_and_information_schema = ON");
        }
        query(
                "SELECT COLLATION_NAME FROM information_schema.COLLATIONS WHERE PAD_ATTRIBUTE = 'PAD SPACE'",
                row -> paddedCollations.add(row.getString(1)));
        var columns = columns();
        var indexes = indexes();
        var tables = new ArrayList<Table>();
        query(
                "SELECT TABLE_NAME, ENGINE, TABLE_ROWS, AVG_ROW_LENGTH FROM information_schema.TABLES"
                        + " WHERE TABLE_SCHEMA = ? AND TABLE_TYPE = 'BASE TABLE' ORDER BY TABLE_NAME",
                row -> {
                    var table = table(row, columns, indexes);
                    if (table != null) {
                        tables.add(table);
                    }
                });
        return tables;
    }

    private @Nullable Table table(
            ResultSet row, Map<String, List<Column>> columns, Map<String, List<UniqueIndex>> indexes)
            throws SQLException {
        var name = row.getString(1);
        var engine = row.getString(2);
        if (!"InnoDB".equalsIgnoreCase(engine)) {
            problems.add("table " + name + ": engine " + engine + " is not InnoDB; ALTER TABLE ... ENGINE=InnoDB");
            return null;
        }
        var own = columns.get(name);
        if (own == null) {
            return null;
        }
        var key = UniqueIndex.choose(indexes.getOrDefault(name, List.of()), own);
        return new Table(
                database,
                name,
                key.columns(),
                key.index(),
                key.key(),
                creation(name),
                row.getLong(3),
                Math.max(1, row.getLong(4)));
    }

    private String creation(String table) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SHOW CREATE TABLE " + Sql.name(database) + "." + Sql.name(table))) {
            rows.next();
            return rows.getString(2);
        }
    }

    private Map<String, List<UniqueIndex>> indexes() throws SQLException {
        var indexes = new HashMap<String, List<UniqueIndex>>();
        query(
                "SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, SUB_PART, COLLATION, NULLABLE, IS_VISIBLE"
                        + " FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = ? AND NON_UNIQUE = 0"
                        + " ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX",
                row -> {
                    var own = indexes.computeIfAbsent(row.getString(1), unused -> new ArrayList<>());
                    if (own.isEmpty() || !own.getLast().name().equals(row.getString(2))) {
                        own.add(new UniqueIndex(row.getString(2), new ArrayList<>()));
                    }
                    own.getLast().parts().add(part(row));
                });
        return indexes;
    }

    private UniqueIndex.Part part(ResultSet row) throws SQLException {
        return new UniqueIndex.Part(
                row.getString(3),
                row.getString(4) != null,
                "D".equals(row.getString(5)),
                "YES".equals(row.getString(6)),
                "YES".equals(row.getString(7)),
                clustered.contains(row.getString(1) + "/" + row.getString(3)));
    }

    private Map<String, List<Column>> columns() throws SQLException {
        var columns = new LinkedHashMap<String, List<Column>>();
        var unusable = new HashSet<String>();
        query(
                "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, CHARACTER_MAXIMUM_LENGTH, NUMERIC_SCALE,"
                        + " CHARACTER_SET_NAME, COLLATION_NAME, EXTRA, COLUMN_KEY"
                        + " FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? ORDER BY TABLE_NAME, ORDINAL_POSITION",
                row -> {
                    var table = row.getString(1);
                    var kind = kind(row.getString(3));
                    if ("PRI".equals(row.getString(10))) {
                        clustered.add(table + "/" + row.getString(2));
                    }
                    if (kind == null) {
                        problems.add("table " + table + ": column " + row.getString(2) + " of type " + row.getString(4)
                                + " is not supported yet");
                        unusable.add(table);
                        return;
                    }
                    columns.computeIfAbsent(table, unused -> new ArrayList<>()).add(column(row, kind));
                });
        unusable.forEach(columns::remove);
        return columns;
    }

    private Column column(ResultSet row, ColumnKind kind) throws SQLException {
        var type = row.getString(4);
        var collation = row.getString(8);
        return new Column(
                row.getString(2),
                kind,
                type,
                type.contains("unsigned"),
                row.getLong(5),
                row.getInt(6),
                row.getString(7),
                collation,
                collation != null && paddedCollations.contains(collation),
                origin(row.getString(9)),
                false);
    }

    /** DEFAULT_GENERATED, of a default that is an expression, says nothing here: such a column is written like any other. */
    private static Column.Origin origin(String extra) {
        var words = extra.toUpperCase(Locale.ROOT);
        if (words.contains("VIRTUAL GENERATED")) {
            return Column.Origin.Virtual;
        }
        if (words.contains("STORED GENERATED")) {
            return Column.Origin.Stored;
        }
        return words.contains("ON UPDATE CURRENT_TIMESTAMP") ? Column.Origin.Touched : Column.Origin.Plain;
    }

    private static @Nullable ColumnKind kind(String dataType) {
        return switch (dataType.toLowerCase(Locale.ROOT)) {
            case "tinyint", "smallint", "mediumint", "int", "bigint" -> ColumnKind.INTEGER;
            case "decimal" -> ColumnKind.DECIMAL;
            case "float" -> ColumnKind.FLOAT;
            case "double" -> ColumnKind.DOUBLE;
            case "year" -> ColumnKind.YEAR;
            case "date" -> ColumnKind.DATE;
            case "time" -> ColumnKind.TIME;
            case "datetime" -> ColumnKind.DATETIME;
            case "timestamp" -> ColumnKind.TIMESTAMP;
            case "char" -> ColumnKind.CHAR;
            case "varchar", "tinytext", "text", "mediumtext", "longtext" -> ColumnKind.TEXT;
            case "binary" -> ColumnKind.BINARY;
            case "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "vector" -> ColumnKind.BYTES;
            case "bit" -> ColumnKind.BIT;
            case "enum" -> ColumnKind.ENUM;
            case "set" -> ColumnKind.SET;
            case "json" -> ColumnKind.JSON;
            case "geometry",
                    "point",
                    "linestring",
                    "polygon",
                    "multipoint",
                    "multilinestring",
                    "multipolygon",
                    "geometrycollection",
                    "geomcollection" -> ColumnKind.GEOMETRY;
            default -> null;
        };
    }
}
