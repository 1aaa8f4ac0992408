package dev.shardwright.mysql.admin;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Which shard a server holds, as its table {@code _shardwright.identity} says. Written once, when the
 * server is made: a server or volume left by an earlier shard of the same range can never pass for the new one.
 */
public record Identity(String keyspace, String shardUid, String keyRange) {
    private static final int NO_SUCH_TABLE = 1146;
    private static final int NO_SUCH_DATABASE = 1049;

    /** Empty when the server was not made by us. */
    public static Optional<Identity> read(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "SELECT keyspace, shard_uid, key_range FROM `_shardwright`.identity LIMIT 2")) {
            if (!rows.next()) {
                return Optional.empty();
            }
            var identity = new Identity(rows.getString(1), rows.getString(2), rows.getString(3));
            if (rows.next()) {
                throw new WrongServerException(
                        "_shardwright.identity has more than one row, so this server was changed by"
                                + " hand: leave only the row of the shard whose data it holds");
            }
            return Optional.of(identity);
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_SUCH_TABLE || e.getErrorCode() == NO_SUCH_DATABASE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Returns if the server holds this shard; throws WrongServerException that says what it holds instead. */
    public static void check(Connection connection, String keyspace, String shardUid) throws SQLException {
        var found = read(connection)
                .orElseThrow(() -> new WrongServerException("the server at " + address(connection)
                        + " has no shard identity, expected shard " + shardUid + " of keyspace " + keyspace
                        + ": it was not made by Shardwright, or its data directory was emptied"));
        if (!found.keyspace.equals(keyspace) || !found.shardUid.equals(shardUid)) {
            throw new WrongServerException(
                    "the server at " + address(connection) + " holds shard " + found.shardUid + " ("
                            + found.keyRange + ") of keyspace " + found.keyspace + ", expected shard " + shardUid
                            + " of keyspace "
                            + keyspace + ": its address or its volume belongs to another shard");
        }
    }

    /** The statement that gives a new server this identity; run again it changes nothing. */
    String insert() {
        return "INSERT IGNORE INTO `_shardwright`.identity (keyspace, shard_uid, key_range) VALUES ("
                + SqlText.string(keyspace) + ", " + SqlText.string(shardUid) + ", " + SqlText.string(keyRange) + ")";
    }

    private static String address(Connection connection) {
        try {
            return connection
                    .getMetaData()
                    .getURL()
                    .replaceFirst("^jdbc:mysql://", "")
                    .replaceFirst("[/?].*", "");
        } catch (SQLException e) {
            return "an unknown address";
        }
    }
}
