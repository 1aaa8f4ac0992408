package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.Sql;
import dev.shardwright.reshard.table.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The source's tables on a target. */
public final class TargetSchema {
    private static final Pattern COUNTER = Pattern.compile(" AUTO_INCREMENT=\\d+");
    private static final int NO_SUCH_TABLE = 1146;
    private static final int TABLE_EXISTS = 1050;

    private TargetSchema() {}

    /** Creates the table unless it is there; MoveException when one is there and is another. */
    public static void create(Connection target, String targetName, Table table) throws SQLException {
        var existing = creation(target, table);
        if (existing.isEmpty()) {
            createTable(target, table);
            existing = creation(target, table);
        }
        check(targetName, table, existing);
    }

    private static void createTable(Connection target, Table table) throws SQLException {
        try (var statement = target.createStatement()) {
            statement.execute("USE " + Sql.name(table.schema()));
            statement.execute(table.creation());
        } catch (SQLException e) {
            // A merge's other mover may have been faster.
            if (e.getErrorCode() != TABLE_EXISTS) {
                throw e;
            }
        }
    }

    /** MoveException when a table is missing or is another. */
    public static void check(Connection target, String targetName, List<Table> tables) throws SQLException {
        for (var table : tables) {
            check(targetName, table, creation(target, table));
        }
    }

    /** MoveException when rows that are written there would fire something. */
    public static void checkNoTriggers(Connection target, String targetName, String database) throws SQLException {
        try (var statement = target.prepareStatement(
                "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ? LIMIT 1")) {
            statement.setString(1, database);
            try (var rows = statement.executeQuery()) {
                if (rows.next()) {
                    throw new MoveException("trigger " + rows.getString(1) + " is on " + targetName
                            + ", which does not serve: rows that are moved would fire it; drop it there");
                }
            }
        }
    }

    private static void check(String targetName, Table table, Optional<String> existing) {
        if (!existing.map(TargetSchema::comparable).equals(Optional.of(comparable(table.creation())))) {
            throw new MoveException("table " + table.name() + " on " + targetName + " is not as on the source: "
                    + existing.orElse("missing") + "; make it the same, or start the workflow again with new targets");
        }
    }

    private static String comparable(String creation) {
        return COUNTER.matcher(creation).replaceFirst("");
    }

    private static Optional<String> creation(Connection target, Table table) throws SQLException {
        try (var statement = target.createStatement();
                var rows = statement.executeQuery("SHOW CREATE TABLE " + table.quoted())) {
            rows.next();
            return Optional.of(rows.getString(2));
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_SUCH_TABLE) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
