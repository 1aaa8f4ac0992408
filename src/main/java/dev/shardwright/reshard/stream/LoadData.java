package dev.shardwright.reshard.stream;

import com.mysql.cj.jdbc.JdbcStatement;
import dev.shardwright.reshard.table.KeyedRow;
import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.Row;
import dev.shardwright.reshard.table.Sql;
import dev.shardwright.reshard.table.Table;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
            statement.unwrap(JdbcStatement.class).setLocalInfileInputStream(new RowsInput(table, rows));
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

    /** Encodes one row after another, so that no more than one is in memory twice. */
    static final class RowsInput extends InputStream {
        private final Table table;
        private final Iterator<KeyedRow> rows;
        private byte[] line = {};
        private int at;

        RowsInput(Table table, List<KeyedRow> rows) {
            this.table = table;
            this.rows = rows.iterator();
        }

        private boolean hasMore() {
            if (at == line.length && rows.hasNext()) {
                line = line(table, rows.next().row());
                at = 0;
            }
            return at < line.length;
        }

        @Override
        public int read() {
            return hasMore() ? line[at++] & 0xff : -1;
        }

        @Override
        public int read(byte[] into, int from, int length) {
            var done = 0;
            while (done < length && hasMore()) {
                var count = Math.min(length - done, line.length - at);
                System.arraycopy(line, at, into, from + done, count);
                at += count;
                done += count;
            }
            return done == 0 && length > 0 ? -1 : done;
        }
    }

    private static byte[] line(Table table, Row row) {
        var columns = table.columns();
        var fields = new ArrayList<byte @Nullable []>();
        var length = 0;
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).isWritten()) {
                var value = row.values()[i];
                fields.add(value);
                length = Math.addExact(length, 1 + (value == null ? 2 : value.length + escapes(value)));
            }
        }
        var line = new byte[length];
        var at = 0;
        for (var value : fields) {
            at = value == null ? nothing(line, at) : escape(line, at, value);
            line[at++] = '\t';
        }
        line[at - 1] = '\n';
        return line;
    }

    private static int nothing(byte[] line, int at) {
        line[at] = '\\';
        line[at + 1] = 'N';
        return at + 2;
    }

    private static int escapes(byte[] value) {
        var count = 0;
        for (var b : value) {
            if (escaped(b) != 0) {
                count++;
            }
        }
        return count;
    }

    private static int escape(byte[] line, int from, byte[] value) {
        var at = from;
        for (var b : value) {
            var escaped = escaped(b);
            if (escaped != 0) {
                line[at++] = '\\';
                line[at++] = escaped;
            } else {
                line[at++] = b;
            }
        }
        return at;
    }

    /** What stands after a backslash for a byte, 0 when it stands for itself. */
    private static byte escaped(byte b) {
        return switch (b) {
            case '\\' -> '\\';
            case '\t' -> 't';
            case '\n' -> 'n';
            case 0 -> '0';
            default -> 0;
        };
    }
}
