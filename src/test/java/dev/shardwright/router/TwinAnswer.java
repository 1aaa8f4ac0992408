package dev.shardwright.router;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * All that a client sees of one statement.
 *
 * @param error 0 when it succeeded
 * @param message of the error
 * @param columns label and type of each
 * @param updates -1 for rows
 */
record TwinAnswer(int error, String state, String message, List<String> columns, List<String> rows, long updates) {
    private static final Set<Integer> BINARY = Set.of(Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BIT);

    static TwinAnswer failed(SQLException e) {
        return new TwinAnswer(
                e.getErrorCode(), String.valueOf(e.getSQLState()), e.getMessage(), List.of(), List.of(), -1);
    }

    static TwinAnswer of(Statement statement, boolean hasRows) throws SQLException {
        if (!hasRows) {
            return new TwinAnswer(0, "", "", List.of(), List.of(), statement.getLargeUpdateCount());
        }
        try (var rows = statement.getResultSet()) {
            return new TwinAnswer(0, "", "", columns(rows.getMetaData()), rows(rows), -1);
        }
    }

    private static List<String> columns(ResultSetMetaData meta) throws SQLException {
        var columns = new ArrayList<String>();
        for (var i = 1; i <= meta.getColumnCount(); i++) {
            columns.add(meta.getColumnLabel(i) + " " + meta.getColumnName(i) + " " + meta.getTableName(i) + " "
                    + meta.getColumnTypeName(i) + "=" + meta.getColumnType(i) + "(" + meta.getPrecision(i) + ","
                    + meta.getScale(i) + ")" + (meta.isSigned(i) ? "" : " unsigned") + " null=" + meta.isNullable(i));
        }
        return columns;
    }

    static List<String> rows(ResultSet rows) throws SQLException {
        var all = new ArrayList<String>();
        while (rows.next()) {
            all.add(row(rows));
        }
        return all;
    }

    private static String row(ResultSet rows) throws SQLException {
        var meta = rows.getMetaData();
        var row = new StringBuilder();
        for (var i = 1; i <= meta.getColumnCount(); i++) {
            row.append(i == 1 ? "" : " | ").append(value(rows, i, meta.getColumnType(i)));
        }
        return row.toString();
    }

    private static String value(ResultSet rows, int column, int type) throws SQLException {
        if (BINARY.contains(type)) {
            var bytes = rows.getBytes(column);
            return bytes == null ? "NULL" : "x" + HexFormat.of().formatHex(bytes);
        }
        var text = rows.getString(column);
        return text == null ? "NULL" : "'" + text + "'";
    }

    /** The router's own refusals, which it makes before anything is sent. */
    boolean refused() {
        return switch (error) {
            case 1235 -> !message.contains("This version of MySQL doesn't yet support");
            case 1064 -> message.contains("or use syntax that the router does not know");
            case 1364 -> message.contains("without its shard key: name the column");
            case 1210 -> message.contains("LIMIT takes whole numbers from 0");
            default -> false;
        };
    }

    /** Null when a client can't tell the two apart, else what differs. */
    @org.jspecify.annotations.Nullable
    String differs(TwinAnswer plain, RandomStatement.Order order) {
        if (error != plain.error || !state.equals(plain.state)) {
            return "error";
        }
        if (!columns.equals(plain.columns)) {
            return "columns";
        }
        if (updates != plain.updates) {
            return "update count";
        }
        return switch (order) {
            case FIXED -> rows.equals(plain.rows) ? null : "rows or their order";
            case ANY -> sorted().equals(plain.sorted()) ? null : "rows";
            case ANY_ROWS -> rows.size() == plain.rows.size() ? null : "number of rows";
        };
    }

    private List<String> sorted() {
        return rows.stream().sorted().toList();
    }

    @Override
    public String toString() {
        return error != 0
                ? "error " + error + " (" + state + "): " + message
                : updates >= 0
                        ? updates + " updated"
                        : columns + " " + rows.size() + " rows " + (rows.size() > 40 ? rows.subList(0, 40) : rows);
    }
}
