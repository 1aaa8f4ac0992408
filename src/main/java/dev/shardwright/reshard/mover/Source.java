package dev.shardwright.reshard.mover;

import dev.shardwright.mysql.binlog.GtidSet;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Questions to the source server. */
final class Source {
    private static final Logger LOG = LoggerFactory.getLogger(Source.class);
    private static final long POLL_MILLIS = 50;
    private static final int POLLS_BETWEEN_LOGS = 200;

    private Source() {}

    /**
     * What the source says of itself at one moment.
     *
     * @param nowSeconds its clock, in seconds since 1970
     * @param keepsSeconds for how long it keeps binary logs that are full; 0: until somebody purges them
     */
    record State(GtidSet executed, long nowSeconds, long keepsSeconds) {}

    static State state(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT @@GLOBAL.gtid_executed, UNIX_TIMESTAMP(),"
                        + " IF(@@GLOBAL.binlog_expire_logs_auto_purge, @@GLOBAL.binlog_expire_logs_seconds, 0)")) {
            rows.next();
            return new State(GtidSet.parse(rows.getString(1)), rows.getLong(2), rows.getLong(3));
        }
    }

    /**
     * Commits an empty transaction whose id is made up, so that the server has it until its binary logs are reset and
     * never again after. Ids that a server counts by itself come again then, and would be taken for those before.
     */
    static void mark(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("SET SESSION gtid_next = '" + UUID.randomUUID() + ":1'");
            statement.execute("COMMIT");
            statement.execute("SET SESSION gtid_next = AUTOMATIC");
        }
    }

    static GtidSet executed(Connection connection) throws SQLException {
        return gtids(connection, "@@GLOBAL.gtid_executed");
    }

    static GtidSet purged(Connection connection) throws SQLException {
        return gtids(connection, "@@GLOBAL.gtid_purged");
    }

    private static GtidSet gtids(Connection connection, String variable) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT " + variable)) {
            rows.next();
            return GtidSet.parse(rows.getString(1));
        }
    }

    /**
     * A place in the binary log from which a copy can begin: every transaction that has row events before it
     * is committed, or rolled back, by the time this returns. XA branches log their rows when they are prepared.
     */
    static GtidSet startOfCopy(Connection connection) throws SQLException, InterruptedException {
        var start = executed(connection);
        var open = prepared(connection);
        for (int polls = 0; !open.isEmpty(); polls++) {
            if (polls % POLLS_BETWEEN_LOGS == 0) {
                LOG.info(
                        "waiting for {} prepared XA transactions of the source to be committed or rolled back: {}",
                        open.size(),
                        open);
            }
            Thread.sleep(POLL_MILLIS);
            open.retainAll(prepared(connection));
        }
        return start;
    }

    private static Set<String> prepared(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("XA RECOVER CONVERT XID")) {
            var xids = new HashSet<String>();
            while (rows.next()) {
                xids.add(rows.getString("data") + "," + rows.getString("formatID") + ","
                        + rows.getString("gtrid_length"));
            }
            return xids;
        }
    }
}
