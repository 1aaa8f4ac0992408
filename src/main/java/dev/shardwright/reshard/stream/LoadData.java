package dev.shardwright.reshard.stream;

import com.mysql.cj.jdbc.JdbcStatement;
import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.PackedValues;
import dev.shardwright.reshard.table.RowBatch;
import dev.shardwright.reshard.table.Sql;
import dev.shardwright.reshard.table.Table;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Puts a chunk's rows into a target by LOAD DATA LOCAL from memory. LOCAL turns errors into warnings and
 * skips duplicates, so the counts must match to the row and there must be no warning but those that are foreseen.
 */
final class LoadData {
    private static final byte[] ESCAPES = escapes();

    private LoadData() {}

    static void load(Connection connection, String targetName, Table table, RowBatch rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (var statement = connection.createStatement()) {
            var driver = statement.unwrap(JdbcStatement.class);
            driver.setLocalInfileInputStream(new RowsInput(table, rows));
            var loaded = statement.executeLargeUpdate(sql(table));
            // It would keep the rows until the next are loaded.
            driver.setLocalInfileInputStream(InputStream.nullInputStream());
            // An ENUM's error value is stored, with a warning.
            var foreseen = errors(table, rows);
            if (loaded != rows.size() || warnings(statement) != foreseen) {
                throw new MoveException(targetName + " took " + loaded + " of " + rows.size() + " rows from "
                        + table.rowName(rows.row(0)) + " to "
                        + table.rowName(rows.row(rows.size() - 1))
                        + " and says: " + texts(statement)
                        + "; something else has written to the target, so start the workflow again with new targets");
            }
        } catch (SQLException e) {
            if (SqlErrors.isPermanent(e)) {
                throw new MoveException(
                        targetName + " refused a chunk of table " + table.name() + " that begins with "
                                + table.rowName(rows.row(0)) + ": " + e.getMessage(),
                        e);
            }
            throw e;
        }
    }

    private static long warnings(Statement statement) throws SQLException {
        // The driver asks for nothing when the server's answer said that there are none.
        if (statement.getWarnings() == null) {
            return 0;
        }
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

    private static long errors(Table table, RowBatch rows) {
        return table.canHaveErrors()
                ? IntStream.range(0, rows.size())
                        .mapToLong(row -> table.errors(rows.row(row)))
                        .sum()
                : 0;
    }

    /** Encodes one piece after the other, so that little is in memory twice, however long a value is. */
    static final class RowsInput extends InputStream {
        private static final int PIECE_BYTES = 64 << 10;
        /** A NULL and what ends it. */
        private static final int LONGEST = 3;

        private final RowBatch rows;
        private final boolean[] written;
        private final int lastWritten;
        private final byte[] text = new byte[PIECE_BYTES];
        private int at;
        private int end;
        /** How many rows have been begun. */
        private int begun;
        /** The value in hand, which is the column's; and how many of its bytes are still to come, -1 if it has been ended. */
        private PackedValues value = new PackedValues(new byte[0], 0);

        private int column;
        private int left = -1;

        RowsInput(Table table, RowBatch rows) {
            this.rows = rows;
            this.written = new boolean[table.columns().size()];
            var last = -1;
            for (int i = 0; i < written.length; i++) {
                written[i] = table.columns().get(i).isWritten();
                last = written[i] ? i : last;
            }
            this.lastWritten = last;
            this.column = last;
        }

        private boolean hasMore() {
            if (at == end) {
                at = 0;
                end = 0;
                while (end <= text.length - LONGEST && (left >= 0 || nextValue())) {
                    encode();
                }
            }
            return at < end;
        }

        private boolean nextValue() {
            if (column == lastWritten) {
                if (begun == rows.size()) {
                    return false;
                }
                value = rows.row(begun++).packed();
                column = -1;
            }
            do {
                value.next();
                column++;
            } while (!written[column]);
            left = Math.max(0, value.length());
            return true;
        }

        private void encode() {
            if (value.isNull()) {
                text[end++] = '\\';
                text[end++] = 'N';
            }
            var memory = value.memory();
            var from = value.end() - left;
            // Each byte may take two, and the value's end one more.
            var to = from + Math.min(left, (text.length - end - 1) / 2);
            for (int i = from; i < to; ) {
                var plain = i;
                while (i < to && ESCAPES[memory[i] & 0xff] == 0) {
                    i++;
                }
                System.arraycopy(memory, plain, text, end, i - plain);
                end += i - plain;
                if (i < to) {
                    text[end++] = '\\';
                    text[end++] = ESCAPES[memory[i++] & 0xff];
                }
            }
            left = value.end() - to;
            if (left == 0) {
                text[end++] = (byte) (column == lastWritten ? '\n' : '\t');
                left = -1;
            }
        }

        @Override
        public int read() {
            return hasMore() ? text[at++] & 0xff : -1;
        }

        @Override
        public int read(byte[] into, int from, int length) {
            var done = 0;
            while (done < length && hasMore()) {
                var count = Math.min(length - done, end - at);
                System.arraycopy(text, at, into, from + done, count);
                at += count;
                done += count;
            }
            return done == 0 && length > 0 ? -1 : done;
        }
    }

    /** What stands after a backslash for a byte, 0 when the byte stands for itself. */
    private static byte[] escapes() {
        var escapes = new byte[1 << Byte.SIZE];
        escapes['\\'] = '\\';
        escapes['\t'] = 't';
        escapes['\n'] = 'n';
        escapes[0] = '0';
        return escapes;
    }
}
