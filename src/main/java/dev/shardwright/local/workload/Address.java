package dev.shardwright.local.workload;

import com.mysql.cj.jdbc.Driver;
import com.mysql.cj.jdbc.exceptions.CommunicationsException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A server that speaks MySQL's protocol, a router or a mysqld, and the account to use there. */
public record Address(String host, int port, String user, String password, String database) {
    private static final int CONNECT_TIMEOUT_MILLIS = 10_000;
    /** Longer than any router holds a statement; a server that is silent for this long counts as lost. */
    private static final int SOCKET_TIMEOUT_MILLIS = 60_000;

    /** The same account on another server. */
    public Address at(String otherHost, int otherPort) {
        return new Address(otherHost, otherPort, user, password, database);
    }

    /**
     * Opens a connection.
     *
     * @param prepared whether statements are prepared on the server (binary protocol) or sent as text
     */
    public Connection connect(boolean prepared) throws SQLException {
        var settings = new Properties();
        settings.setProperty("user", user);
        settings.setProperty("password", password);
        settings.setProperty("connectTimeout", Integer.toString(CONNECT_TIMEOUT_MILLIS));
        settings.setProperty("socketTimeout", Integer.toString(SOCKET_TIMEOUT_MILLIS));
        settings.setProperty("allowPublicKeyRetrieval", "true");
        settings.setProperty("useServerPrepStmts", Boolean.toString(prepared));
        settings.setProperty("cachePrepStmts", "true");
        // An update that finds its row must say so: found rows are what the workload counts.
        settings.setProperty("useAffectedRows", "false");
        var connection = connect(settings);
        if (connection == null) {
            throw new SQLException("the MySQL driver refused the address " + this);
        }
        return connection;
    }

    private @Nullable Connection connect(Properties settings) throws SQLException {
        try {
            return new Driver().connect("jdbc:mysql://" + this + "/" + database, settings);
        } catch (CommunicationsException e) {
            // The driver's own words say neither where nor why.
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw new SQLException(
                    "can't connect to " + this + ": " + cause.getMessage(), e.getSQLState(), e.getErrorCode(), e);
        }
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
