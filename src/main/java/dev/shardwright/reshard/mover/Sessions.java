package dev.shardwright.reshard.mover;

import dev.shardwright.mysql.admin.Identity;
import dev.shardwright.mysql.admin.MysqlAccount;
import dev.shardwright.mysql.binlog.BinlogConnection;
import dev.shardwright.mysql.client.RowConnection;
import dev.shardwright.reshard.table.MoveException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

/** Opens connections to the shards' servers; each is checked to be the right server, and set up so that values travel unchanged. */
final class Sessions {
    private static final String CONNECT_MILLIS = "5000";
    /** Longer than any one statement of ours may take. */
    private static final int SOCKET_MILLIS = 300_000;

    private static final String IDENTITY = "SELECT keyspace, shard_uid FROM `_shardwright`.identity";

    private static final List<String> SETTINGS = List.of(
            // Strict, but with everything allowed that a column may hold already.
            "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES,NO_ENGINE_SUBSTITUTION'",
            "SET SESSION time_zone = '+00:00', foreign_key_checks = 0, lock_wait_timeout = 2, innodb_lock_wait_timeout = 5,"
                    + " transaction_isolation = 'READ-COMMITTED', explicit_defaults_for_timestamp = ON, max_execution_time = 0,"
                    + " net_write_timeout = 600, net_read_timeout = 600,"
                    // The types of a document's values come in one.
                    + " group_concat_max_len = 4294967295",
            // A key that MySQL has generated is a column like any other here.
            "SET SESSION show_gipk_in_create_table_and_information_schema = ON,"
                    // A table of the source that has no key gets none on the way.
                    + " sql_generate_invisible_primary_key = OFF, sql_require_primary_key = OFF");

    private final String keyspace;
    private final MysqlAccount account;

    Sessions(String keyspace, MysqlAccount account) {
        this.keyspace = keyspace;
        this.account = account;
    }

    Connection open(MoverSpec.Peer peer, boolean autocommit) throws SQLException {
        var connection = DriverManager.getConnection(
                "jdbc:mysql://" + peer.endpoint().host() + ":" + peer.endpoint().port() + "/", properties());
        try {
            Identity.check(connection, keyspace, peer.uid());
            try (var statement = connection.createStatement()) {
                for (var setting : SETTINGS) {
                    statement.execute(setting);
                }
            }
            connection.setAutoCommit(autocommit);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private Properties properties() {
        var properties = new Properties();
        properties.putAll(java.util.Map.ofEntries(
                java.util.Map.entry("user", account.user()),
                java.util.Map.entry("password", account.password()),
                java.util.Map.entry("sslMode", "DISABLED"),
                java.util.Map.entry("allowPublicKeyRetrieval", "true"),
                java.util.Map.entry("allowLoadLocalInfile", "true"),
                java.util.Map.entry("allowMultiQueries", "true"),
                java.util.Map.entry("connectTimeout", CONNECT_MILLIS),
                java.util.Map.entry("socketTimeout", String.valueOf(SOCKET_MILLIS)),
                java.util.Map.entry("tcpKeepAlive", "true"),
                java.util.Map.entry("tinyInt1isBit", "false"),
                java.util.Map.entry("yearIsDateType", "false"),
                java.util.Map.entry("connectionAttributes", "program_name:shardwright-mover")));
        return properties;
    }

    /** For reading alone. */
    RowConnection openRows(MoverSpec.Peer peer) throws IOException {
        var connection = RowConnection.open(
                peer.endpoint().host(), peer.endpoint().port(), account.user(), account.password(), SOCKET_MILLIS);
        try {
            checkIdentity(connection.query(IDENTITY), peer);
            for (var setting : SETTINGS) {
                connection.execute(setting);
            }
            return connection;
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    BinlogConnection openBinlog(MoverSpec.Peer peer) throws IOException {
        var connection = BinlogConnection.open(
                peer.endpoint().host(), peer.endpoint().port(), account.user(), account.password());
        try {
            checkIdentity(connection.query(IDENTITY), peer);
            return connection;
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void checkIdentity(List<List<String>> found, MoverSpec.Peer peer) {
        if (!found.equals(List.of(List.of(keyspace, peer.uid())))) {
            throw new MoveException("the server at " + peer.endpoint() + " holds " + found + ", expected shard "
                    + peer.uid() + " of keyspace " + keyspace + ": its address or its volume belongs to another shard");
        }
    }
}
