package dev.shardwright.reshard.stream;

import com.mysql.cj.jdbc.JdbcConnection;
import dev.shardwright.mysql.binlog.ColumnKind;
import dev.shardwright.reshard.table.Column;
import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.PackedValues;
import dev.shardwright.reshard.table.Row;
import dev.shardwright.reshard.table.Sql;
import dev.shardwright.reshard.table.Table;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends changed rows to a target: plain statements, many in one packet, each of which must hit exactly the
 * rows that it names. A target that lacks a row, or has one too many, stops the move.
 */
final class RowWriter {
    private static final int MAX_CHARACTERS = 1 << 20;
    private static final int MAX_STATEMENTS = 500;
    private static final int MAX_ROWS = 500;
    private static final int LARGE_BYTES = 1 << 20;
    /** For a row with an ENUM's error value. */
    private static final String NOT_STRICT = "/*+ SET_VAR(sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES') */ ";

    /**
     * @param rows how many it must hit
     * @param large values of its parameters
     */
    private record Sent(int rows, String what, Table table, Row first, List<Large> large) {}

    /** A value that is sent from where it lies: copies of many MiB would add up. */
    private record Large(InputStream bytes, int length) {}

    private final Connection connection;
    private final String targetName;
    private final StringBuilder text = new StringBuilder();
    private final List<Sent> statements = new ArrayList<>();
    private @Nullable Table inserting;

    RowWriter(Connection connection, String targetName) {
        this.connection = connection;
        this.targetName = targetName;
    }

    void insert(Table table, Row row) throws SQLException {
        var hint = hint(table, row);
        var large = new ArrayList<Large>();
        var values = values(table, row, large);
        var last = statements.isEmpty() ? null : statements.getLast();
        if (inserting == table
                && last != null
                && last.rows < MAX_ROWS
                && last.large.isEmpty()
                && large.isEmpty()
                && hint.isEmpty()) {
            text.append(", ").append(values);
            statements.set(statements.size() - 1, new Sent(last.rows + 1, last.what, table, last.first, large));
            flushIfLarge();
            return;
        }
        var into = table.quoted() + " (" + names(table.writtenColumns()) + ")";
        add("INSERT " + hint + "INTO " + into + " VALUES " + values, "insert", table, row, large);
        inserting = hint.isEmpty() ? table : null;
    }

    private static String hint(Table table, Row row) {
        return table.canHaveErrors() && table.errors(row) > 0 ? NOT_STRICT : "";
    }

    private static String values(Table table, Row row, List<Large> large) {
        var value = row.packed();
        var texts = new ArrayList<String>();
        for (var column : table.columns()) {
            value.next();
            if (column.isWritten()) {
                texts.add(value(column, value, large));
            }
        }
        return "(" + String.join(", ", texts) + ")";
    }

    /** A literal, or a parameter where that would make the statement too long. */
    private static String value(Column column, PackedValues value, List<Large> large) {
        if (value.length() < LARGE_BYTES) {
            return column.literal(value.copy());
        }
        large.add(new Large(value.stream(), value.length()));
        return column.parameter(value);
    }

    void update(Table table, Row before, Row after) throws SQLException {
        var large = new ArrayList<Large>();
        var changes = changes(table, before, after, large);
        if (!changes.isEmpty()) {
            add(
                    "UPDATE " + hint(table, after) + table.quoted() + " SET " + String.join(", ", changes)
                            + where(table, before, large),
                    "update",
                    table,
                    before,
                    large);
        }
    }

    private static List<String> changes(Table table, Row before, Row after, List<Large> large) {
        var changed = false;
        var changes = new ArrayList<String>();
        var old = before.packed();
        var value = after.packed();
        for (var column : table.columns()) {
            old.next();
            value.next();
            var differs = column.isWritten() && !value.isSame(old);
            changed |= differs;
            // One that is not named would become the time of this statement.
            if (differs || column.origin() == Column.Origin.Touched) {
                changes.add(Sql.name(column.name()) + " = " + value(column, value, large));
            }
        }
        return changed ? changes : List.of();
    }

    void delete(Table table, Row row) throws SQLException {
        var large = new ArrayList<Large>();
        add("DELETE FROM " + table.quoted() + where(table, row, large), "delete", table, row, large);
    }

    /** Matches one row: that with the key, or one of those that are equal in all columns. */
    private static String where(Table table, Row row, List<Large> large) {
        if (!table.isKeyless()) {
            return " WHERE " + table.whereKey(table.keyOf(row));
        }
        var terms = new ArrayList<String>();
        // Documents cost most, so they come last, for the few rows that are equal in all else.
        for (var documents : List.of(false, true)) {
            var value = row.packed();
            for (var column : table.columns()) {
                value.next();
                if (column.isWritten() && documents == (column.kind() == ColumnKind.JSON)) {
                    terms.add(column.matches(value, value(column, value, large)));
                }
            }
        }
        return " WHERE " + String.join(" AND ", terms) + " LIMIT 1";
    }

    private static String names(List<Column> columns) {
        return columns.stream().map(column -> Sql.name(column.name())).collect(Collectors.joining(", "));
    }

    /** A statement with parameters is sent alone and at once. */
    private void add(String sql, String what, Table table, Row row, List<Large> large) throws SQLException {
        if (!large.isEmpty()) {
            flush();
        }
        text.append(text.isEmpty() ? "" : ";\n").append(sql);
        statements.add(new Sent(1, what, table, row, large));
        inserting = null;
        if (large.isEmpty()) {
            flushIfLarge();
        } else {
            flush();
        }
    }

    private void flushIfLarge() throws SQLException {
        if (text.length() > MAX_CHARACTERS || statements.size() >= MAX_STATEMENTS) {
            flush();
        }
    }

    /** Sends what has been collected; MoveException when a statement did not hit its rows. */
    void flush() throws SQLException {
        if (statements.isEmpty()) {
            return;
        }
        var at = 0;
        try (var statement = executed(statements.getFirst().large)) {
            check(statements.get(at), statement.getUpdateCount());
            while (++at < statements.size()) {
                statement.getMoreResults();
                check(statements.get(at), statement.getUpdateCount());
            }
        } catch (SQLException e) {
            if (SqlErrors.isPermanent(e)) {
                throw refused(statements.get(at), e);
            }
            throw e;
        }
        statements.clear();
        text.setLength(0);
        inserting = null;
    }

    private Statement executed(List<Large> large) throws SQLException {
        if (large.isEmpty()) {
            var statement = connection.createStatement();
            statement.execute(text.toString());
            return statement;
        }
        var statement = connection.unwrap(JdbcConnection.class).serverPrepareStatement(text.toString());
        for (int i = 0; i < large.size(); i++) {
            // As a stream it is sent in pieces, which do not have to fit into one packet.
            statement.setBinaryStream(i + 1, large.get(i).bytes, large.get(i).length);
        }
        statement.execute();
        return statement;
    }

    private void check(Sent sent, int hit) {
        if (hit != sent.rows) {
            throw new MoveException(
                    targetName + " and the source differ: " + sent.what + " of row " + sent.table.rowName(sent.first)
                            + " hit " + hit + " rows instead of " + sent.rows
                            + "; something else has written to the target, so start the workflow again with new targets");
        }
    }

    private MoveException refused(Sent sent, SQLException e) {
        return new MoveException(
                targetName + " refused to " + sent.what + " row " + sent.table.rowName(sent.first)
                        + (sent.rows > 1 ? " or one of the " + (sent.rows - 1) + " after it" : "") + ": "
                        + e.getMessage(),
                e);
    }
}
