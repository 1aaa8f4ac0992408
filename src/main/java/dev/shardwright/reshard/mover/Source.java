package dev.shardwright.reshard.mover;

import dev.shardwright.mysql.binlog.GtidSet;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Questions to the source server. */
final class Source {
    private static final Logger LOG = LoggerFactory.getLogger(Source.class);
    private static final long POLL_MILLIS = 50;
    private static final int POLLS_BETWEEN_LOGS = 200;

    private Source() {}

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
