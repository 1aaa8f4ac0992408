package dev.shardwright.reshard.table;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** The mover's own tables in {@code _shardwright}, next to those of the server's bootstrap. */
public final class OwnTables {
    private OwnTables() {}

    /**
     * Creates what is missing, and writes nothing when nothing is: a source may be fenced by now.
     *
     * @param creations table name to CREATE TABLE statement
     */
    public static void ensure(Connection connection, Map<String, String> creations) throws SQLException {
        for (var creation : creations.entrySet()) {
            if (!exists(connection, creation.getKey())) {
                try (var statement = connection.createStatement()) {
                    statement.execute(creation.getValue());
                }
            }
        }
    }

    private static boolean exists(Connection connection, String table) throws SQLException {
        try (var statement = connection.prepareStatement("SELECT 1 FROM information_schema.TABLES"
                + " WHERE TABLE_SCHEMA = '_shardwright' AND TABLE_NAME = ?")) {
            statement.setString(1, table);
            try (var rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }
}
