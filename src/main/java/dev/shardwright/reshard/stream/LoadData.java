package dev.shardwright.reshard.stream;

import com.mysql.cj.jdbc.JdbcStatement;
import dev.shardwright.reshard.table.KeyedRow;
import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.Sql;
import dev.shardwright.reshard.table.Table;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts a chunk's rows into a target by LOAD DATA LOCAL from memory. LOCAL turns errors into warnings and
 * skips duplicates, so the counts must match to the row and there must be no warning but those that are foreseen.
 */
final class LoadData {
    private LoadData() {}

    static void load(Connection connection, String targetName, Table table, List<KeyedRow> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (var statement = connection.createStatement()) {
            statement
                    .unwrap(JdbcStatement.class)
                    .setLocalInfileInputStream(new ByteArrayInputStream(encode(table, rows)));
            var loaded = statement.executeLargeUpdate(sql(table));
            // An ENUM's error value is stored, with a warning.
            var foreseen =
                    rows.stream().mapToLong(row -> table.errors(row.row())).sum();
            if (loaded != rows.size() || warnings(statement) != foreseen) {
                throw new MoveException(targetName + " took " + loaded + " of " + rows.size() + " rows from "
                        + table.rowName(rows.getFirst().row()) + " to "
                        + table.rowName(rows.getLast().row())
                        + " and says: " + texts(statement)
                        + "; something else has written to the target, so start the workflow again with new targets");
            }
        } catch (SQLException e) {
            if (SqlErrors.isPermanent(e)) {
                throw new MoveException(
                        targetName + " refused a chunk of table " + table.name() + " that begins with "
                                + table.rowName(rows.getFirst().row()) + ": " + e.getMessage(),
                        e);
            }
            throw e;
        }
    }

    private static long warnings(Statement statement) throws SQLException {
        try (var rows = statement.executeQuery("SHOW COUNT(*) WARNINGS")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static List<String> texts(Statement statement) throws SQLException {
        try (var warnings = statement.executeQuery("SHOW WARNINGS LIMIT 3")) {
            var texts = new ArrayList<String>();
            while (warnings.next()) {
                texts.add(warnings.getString(3));
            }
            return texts;
        }
    }

    static String sql(Table table) {
        var fields = new ArrayList<String>();
        var expressions = new ArrayList<String>();
        for (var column : table.writtenColumns()) {
            var variable = "@v" + fields.size();
            var expression = column.loaded(variable);
            fields.add(expression == null ? Sql.name(column.name()) : variable);
            if (expression != null) {
                expressions.add(Sql.name(column.name()) + " = " + expression);
            }
        }
        return "LOAD DATA LOCAL INFILE 'chunk' INTO TABLE " + table.quoted()
                + " CHARACTER SET binary FIELDS TERMINATED BY '\\t' ESCAPED BY '\\\\' LINES TERMINATED BY '\\n' ("
                + String.join(", ", fields) + ")"
                + (expressions.isEmpty() ? "" : " SET " + String.join(", ", expressions));
    }

    static byte[] encode(Table table, List<KeyedRow> rows) {
        var columns = table.columns();
        var out = new ByteArrayOutputStream(64 * rows.size() * columns.size() / 4);
        for (var row : rows) {
            var first = true;
            for (int i = 0; i < columns.size(); i++) {
                if (!columns.get(i).isWritten()) {
                    continue;
                }
                var value = row.row().values()[i];
                if (!first) {
                    out.write('\t');
                }
                first = false;
                if (value == null) {
                    out.write('\\');
                    out.write('N');
                } else {
                    escape(out, value);
                }
            }
            out.write('\n');
        }
        return out.toByteArray();
    }

    private static void escape(ByteArrayOutputStream out, byte[] value) {
        var from = 0;
        for (int i = 0; i < value.length; i++) {
            var escaped = switch (value[i]) {
                case '\\' -> '\\';
                case '\t' -> 't';
                case '\n' -> 'n';
                case 0 -> '0';
                default -> 0;
            };
            if (escaped != 0) {
                out.write(value, from, i - from);
                out.write('\\');
                out.write(escaped);
                from = i + 1;
            }
        }
        out.write(value, from, value.length - from);
    }
}
