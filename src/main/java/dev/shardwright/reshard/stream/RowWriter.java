package dev.shardwright.reshard.stream;

import dev.shardwright.reshard.table.Column;
import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.Row;
import dev.shardwright.reshard.table.Sql;
import dev.shardwright.reshard.table.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
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
    /** For a row with an ENUM's error value. */
    private static final String NOT_STRICT = "/*+ SET_VAR(sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES') */ ";

    /** @param rows how many it must hit */
    private record Sent(int rows, String what, Table table, Row first) {}

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
        var last = statements.isEmpty() ? null : statements.getLast();
        var hint = hint(table, row);
        if (inserting == table && last != null && last.rows < MAX_ROWS && hint.isEmpty()) {
            text.append(", ");
            statements.set(statements.size() - 1, new Sent(last.rows + 1, last.what, table, last.first));
        } else {
            begin(
                    "INSERT " + hint + "INTO " + table.quoted() + " (" + names(table.writtenColumns()) + ") VALUES ",
                    "insert",
                    table,
                    row);
            inserting = hint.isEmpty() ? table : null;
        }
        text.append(literals(table, row));
        flushIfLarge();
    }

    private static String hint(Table table, Row row) {
        return table.errors(row) > 0 ? NOT_STRICT : "";
    }

    private static String literals(Table table, Row row) {
        var literals = new ArrayList<String>();
        for (int i = 0; i < row.values().length; i++) {
            var column = table.columns().get(i);
            if (column.isWritten()) {
                literals.add(column.literal(row.values()[i]));
            }
        }
        return "(" + String.join(", ", literals) + ")";
    }

    void update(Table table, Row before, Row after) throws SQLException {
        var changes = changes(table, before, after);
        if (changes.isEmpty()) {
            return;
        }
        begin(
                "UPDATE " + hint(table, after) + table.quoted() + " SET " + String.join(", ", changes) + " WHERE "
                        + table.whereKey(table.keyOf(before)),
                "update",
                table,
                before);
        flushIfLarge();
    }

    private static List<String> changes(Table table, Row before, Row after) {
        var changed = false;
        var changes = new ArrayList<String>();
        for (int i = 0; i < after.values().length; i++) {
            var column = table.columns().get(i);
            var differs = column.isWritten() && !Arrays.equals(before.values()[i], after.values()[i]);
            changed |= differs;
            // One that is not named would become the time of this statement.
            if (differs || column.origin() == Column.Origin.Touched) {
                changes.add(Sql.name(column.name()) + " = " + column.literal(after.values()[i]));
            }
        }
        return changed ? changes : List.of();
    }

    void delete(Table table, Row row) throws SQLException {
        begin("DELETE FROM " + table.quoted() + " WHERE " + table.whereKey(table.keyOf(row)), "delete", table, row);
        flushIfLarge();
    }

    private static String names(List<Column> columns) {
        return columns.stream().map(column -> Sql.name(column.name())).collect(Collectors.joining(", "));
    }

    private void begin(String sql, String what, Table table, Row row) {
        text.append(text.isEmpty() ? "" : ";\n").append(sql);
        statements.add(new Sent(1, what, table, row));
        inserting = null;
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
        try (var statement = connection.createStatement()) {
            statement.execute(text.toString());
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
