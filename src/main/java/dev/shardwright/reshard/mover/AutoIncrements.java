package dev.shardwright.reshard.mover;

import dev.shardwright.reshard.table.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/**
 * AUTO_INCREMENT counters, which no row carries when the highest were deleted. To be carried when the source
 * is fenced and the targets have applied all of it, before their position for the way back is read: the ALTER
 * TABLE is in the target's binary log.
 */
public final class AutoIncrements {
    private AutoIncrements() {}

    /** Raises the target's counters to the source's; returns how many it raised. Both accounts need ALTER on the keyspace. */
    public static int carry(Connection source, Connection target, String keyspace) throws SQLException {
        var reached = counters(target, keyspace);
        var raised = 0;
        for (var counter : counters(source, keyspace).entrySet()) {
            if (counter.getValue() > reached.getOrDefault(counter.getKey(), Long.MAX_VALUE)) {
                try (var statement = target.createStatement()) {
                    statement.execute("ALTER TABLE " + Sql.name(keyspace) + "." + Sql.name(counter.getKey())
                            + " AUTO_INCREMENT = " + counter.getValue());
                }
                raised++;
            }
        }
        return raised;
    }

    /** The next value of each table that has a counter. */
    public static Map<String, Long> counters(Connection connection, String keyspace) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("SET SESSION information_schema_stats_expiry = 0");
        }
        try (var statement =
                connection.prepareStatement("SELECT TABLE_NAME, AUTO_INCREMENT FROM information_schema.TABLES"
                        + " WHERE TABLE_SCHEMA = ? AND AUTO_INCREMENT IS NOT NULL")) {
            statement.setString(1, keyspace);
            try (var rows = statement.executeQuery()) {
                var counters = new TreeMap<String, Long>();
                while (rows.next()) {
                    counters.put(rows.getString(1), rows.getLong(2));
                }
                return counters;
            }
        }
    }
}
