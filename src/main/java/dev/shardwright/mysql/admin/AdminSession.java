package dev.shardwright.mysql.admin;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** One bounded JDBC connection that never reconnects. Not for several threads at once. */
final class AdminSession implements AutoCloseable {
    private static final int CONNECT_MILLIS = 2_000;
    // Longer than lock_wait_timeout, so that a statement that waits for a lock has ended before we give up on it.
    private static final int ANSWER_MILLIS = 4_000;

    private final Connection connection;

    private AdminSession(Connection connection) {
        this.connection = connection;
    }

    static AdminSession open(String host, int port, MysqlAccount account) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", account.user());
        properties.setProperty("password", account.password());
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_MILLIS));
        properties.setProperty("socketTimeout", Integer.toString(ANSWER_MILLIS));
        properties.setProperty("autoReconnect", "false");
        properties.setProperty("allowPublicKeyRetrieval", "true");
        properties.setProperty("connectionTimeZone", "UTC");
        // MySQL's default for metadata locks is a year; cached statistics would tell old AUTO_INCREMENT values.
        properties.setProperty(
                "sessionVariables", "lock_wait_timeout=2,innodb_lock_wait_timeout=2,information_schema_stats_expiry=0");
        // Many KILLs in one packet.
        properties.setProperty("rewriteBatchedStatements", "true");
        return new AdminSession(
                DriverManager.getConnection("jdbc:mysql://" + bracketed(host) + ":" + port + "/", properties));
    }

    private static String bracketed(String host) {
        return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    }

    Connection connection() {
        return connection;
    }

    void run(String sql, Object... arguments) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            statement.execute();
        }
    }

    /** All of them in few packets; each is tried, then the first failure is thrown. */
    void runAll(List<String> statements) throws SQLException {
        try (var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.addBatch(sql);
            }
            statement.executeBatch();
        }
    }

    <T> List<T> rows(RowReader<T> reader, String sql, Object... arguments) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            var result = new ArrayList<T>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    result.add(reader.read(rows));
                }
            }
            return result;
        }
    }

    <T> Optional<T> first(RowReader<T> reader, String sql, Object... arguments) throws SQLException {
        return rows(reader, sql, arguments).stream().findFirst();
    }

    <T> T one(RowReader<T> reader, String sql, Object... arguments) throws SQLException {
        return first(reader, sql, arguments).orElseThrow(() -> new SQLException("no row from: " + sql));
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            // The server ends a session whose connection is gone; there is nothing else to give back.
        }
    }

    interface RowReader<T> {
        T read(java.sql.ResultSet row) throws SQLException;
    }
}
