package dev.shardwright.reshard.stream;

import dev.shardwright.mysql.binlog.GtidSet;
import dev.shardwright.reshard.copy.Frontier;
import dev.shardwright.reshard.copy.Partition;
import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.OwnTables;
import dev.shardwright.reshard.table.Table;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a mover keeps in each target's {@code _shardwright} database, always in the transaction whose rows it
 * describes:
 *
 * <ul>
 *   <li>{@code stream(stream, source_uid, started_from, start_gtid, gtid, run, updated_at)}: the checkpoint.
 *       {@code gtid} is the set of the source's transactions that the target has applied, empty ones
 *       included; it follows the source's gtid_executed within milliseconds. XA branches that are prepared but
 *       not resolved are not in it.
 *   <li>{@code chunk_progress}: for each partition of each table how far copy and verify have come.
 *   <li>{@code mismatch}: the differences that verify found.
 * </ul>
 *
 * The fencing token in {@code fencing(workflow_uid, token)} belongs to the workflow engine; here it is only read.
 */
public final class TargetStore {
    public static final String COPY = "copy";
    public static final String VERIFY = "verify";
    /** In one statement. */
    private static final int PLAN_ROWS = 500;

    private static final int PLAN_COLUMNS = 9;

    private static final Map<String, String> TABLES = Map.of(
            "stream",
            "CREATE TABLE IF NOT EXISTS `_shardwright`.stream (stream VARCHAR(160) CHARACTER SET ascii NOT NULL PRIMARY KEY,"
                    + " source_uid VARCHAR(64) CHARACTER SET ascii NOT NULL, started_from LONGTEXT CHARACTER SET ascii,"
                    + " start_gtid LONGTEXT CHARACTER SET ascii NOT NULL, gtid LONGTEXT CHARACTER SET ascii NOT NULL,"
                    + " run BIGINT NOT NULL, updated_at TIMESTAMP(6) NOT NULL) ENGINE=InnoDB",
            "chunk_progress",
            "CREATE TABLE IF NOT EXISTS `_shardwright`.chunk_progress (stream VARCHAR(160) CHARACTER SET ascii NOT NULL,"
                    + " phase VARCHAR(8) CHARACTER SET ascii NOT NULL, table_name VARCHAR(64) COLLATE utf8mb4_0900_bin NOT NULL,"
                    + " part INT NOT NULL, lower_bound VARCHAR(24) CHARACTER SET ascii, upper_bound VARCHAR(24) CHARACTER SET ascii,"
                    + " frontier BLOB, complete BOOLEAN NOT NULL, rows_done BIGINT NOT NULL,"
                    + " PRIMARY KEY (stream, phase, table_name, part)) ENGINE=InnoDB",
            "mismatch",
            "CREATE TABLE IF NOT EXISTS `_shardwright`.mismatch (stream VARCHAR(160) CHARACTER SET ascii NOT NULL,"
                    + " id CHAR(64) CHARACTER SET ascii NOT NULL, description TEXT NOT NULL, PRIMARY KEY (stream, id)) ENGINE=InnoDB");

    /** @param startedFrom where the spec said to begin; null for a copy */
    public record Checkpoint(@Nullable String startedFrom, GtidSet start, GtidSet applied) {}

    /** @param frontier the stored key, null at the beginning and the end */
    public record Progress(
            String phase, String table, Partition partition, byte @Nullable [] frontier, boolean complete, long rows) {}

    private final String targetName;
    private final String stream;
    private final String workflow;
    private final long token;
    private final long run = ThreadLocalRandom.current().nextLong();

    public TargetStore(String targetName, String stream, String workflow, long token) {
        this.targetName = targetName;
        this.stream = stream;
        this.workflow = workflow;
        this.token = token;
    }

    public static void createTables(Connection connection) throws SQLException {
        OwnTables.ensure(connection, TABLES);
    }

    /** First statement of each transaction: a locking read, as a snapshot could miss that the token was raised. */
    void checkFence(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement(
                "SELECT token FROM `_shardwright`.fencing WHERE workflow_uid = ? FOR SHARE")) {
            statement.setString(1, workflow);
            try (var rows = statement.executeQuery()) {
                var found = rows.next() ? Long.toString(rows.getLong(1)) : "none";
                if (!found.equals(Long.toString(token))) {
                    throw new MoveException("fenced: " + targetName + " wants the mover with token " + found
                            + ", this one has " + token + "; it has been replaced and stops");
                }
            }
        }
    }

    /**
     * Makes this run the stream's only writer, and says where it stands; empty when it has not begun here.
     * Waits for a transaction of an earlier run that is still open. The caller commits.
     */
    public Optional<Checkpoint> takeOver(Connection connection) throws SQLException {
        checkFence(connection);
        try (var statement = connection.prepareStatement("UPDATE `_shardwright`.stream SET run = ? WHERE stream = ?")) {
            statement.setLong(1, run);
            statement.setString(2, stream);
            if (statement.executeUpdate() == 0) {
                return Optional.empty();
            }
        }
        try (var statement = connection.prepareStatement(
                "SELECT started_from, start_gtid, gtid FROM `_shardwright`.stream WHERE stream = ? FOR UPDATE")) {
            statement.setString(1, stream);
            try (var rows = statement.executeQuery()) {
                rows.next();
                return Optional.of(new Checkpoint(
                        rows.getString(1), GtidSet.parse(rows.getString(2)), GtidSet.parse(rows.getString(3))));
            }
        }
    }

    /** Begins the stream here, with the partitions that are to be copied and verified. The caller commits. */
    public void begin(
            Connection connection, String sourceUid, @Nullable String startedFrom, GtidSet from, List<Progress> plan)
            throws SQLException {
        checkFence(connection);
        for (var table : List.of("stream", "chunk_progress", "mismatch")) {
            update(connection, "DELETE FROM `_shardwright`." + table + " WHERE stream = ?", stream);
        }
        update(
                connection,
                "INSERT INTO `_shardwright`.stream (stream, source_uid, started_from, start_gtid, gtid, run, updated_at)"
                        + " VALUES (?, ?, ?, ?, ?, ?, NOW(6))",
                stream,
                sourceUid,
                startedFrom,
                from.toString(),
                from.toString(),
                run);
        for (int at = 0; at < plan.size(); at += PLAN_ROWS) {
            insert(connection, plan.subList(at, Math.min(plan.size(), at + PLAN_ROWS)));
        }
    }

    private void insert(Connection connection, List<Progress> parts) throws SQLException {
        var values = new ArrayList<@Nullable Object>();
        for (var part : parts) {
            addPart(values, part.phase, part.table, part.partition);
            values.add(null);
            values.add(false);
            values.add(0L);
        }
        update(connection, insertion(parts.size()), values.toArray());
    }

    private void addPart(List<@Nullable Object> values, String phase, String table, Partition partition) {
        values.add(stream);
        values.add(phase);
        values.add(table);
        values.add(partition.number());
        values.add(text(partition.from()));
        values.add(text(partition.to()));
    }

    private static String insertion(int rows) {
        return "INSERT INTO `_shardwright`.chunk_progress (stream, phase, table_name, part, lower_bound, upper_bound,"
                + " frontier, complete, rows_done) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
                + ", (?, ?, ?, ?, ?, ?, ?, ?, ?)".repeat(rows - 1);
    }

    private static @Nullable String text(java.math.@Nullable BigInteger number) {
        return number == null ? null : number.toString();
    }

    public List<Progress> progress(Connection connection) throws SQLException {
        var result = new ArrayList<Progress>();
        try (var statement = connection.prepareStatement(
                "SELECT phase, table_name, part, lower_bound, upper_bound, frontier,"
                        + " complete, rows_done FROM `_shardwright`.chunk_progress WHERE stream = ? ORDER BY phase, table_name, part")) {
            statement.setString(1, stream);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    var partition = new Partition(rows.getInt(3), number(rows.getString(4)), number(rows.getString(5)));
                    result.add(new Progress(
                            rows.getString(1),
                            rows.getString(2),
                            partition,
                            rows.getBytes(6),
                            rows.getBoolean(7),
                            rows.getLong(8)));
                }
            }
        }
        return result;
    }

    private static java.math.@Nullable BigInteger number(@Nullable String text) {
        return text == null ? null : new java.math.BigInteger(text);
    }

    /** How far partitions have come in one transaction: many in one statement. */
    final class Reached {
        private final List<@Nullable Object> values = new ArrayList<>();

        /** @param rows more than before */
        void add(Connection connection, String phase, Table table, Partition partition, Frontier frontier, long rows)
                throws SQLException {
            var point = frontier.point();
            addPart(values, phase, table.name(), partition);
            values.add(point == null ? null : point.stored());
            values.add(frontier.complete());
            values.add(rows);
            if (values.size() >= PLAN_ROWS * PLAN_COLUMNS) {
                save(connection);
            }
        }

        /** Before the transaction is committed. */
        void save(Connection connection) throws SQLException {
            if (!values.isEmpty()) {
                update(
                        connection,
                        insertion(values.size() / PLAN_COLUMNS)
                                + " ON DUPLICATE KEY UPDATE frontier = VALUES(frontier), complete = VALUES(complete),"
                                + " rows_done = rows_done + VALUES(rows_done)",
                        values.toArray());
                values.clear();
            }
        }
    }

    void saveMismatch(Connection connection, String description) throws SQLException {
        update(
                connection,
                "INSERT INTO `_shardwright`.mismatch (stream, id, description) VALUES (?, ?, ?)"
                        + " ON DUPLICATE KEY UPDATE description = VALUES(description)",
                stream,
                hash(description),
                description);
    }

    public List<String> mismatches(Connection connection, int limit) throws SQLException {
        var result = new ArrayList<String>();
        try (var statement = connection.prepareStatement(
                "SELECT description FROM `_shardwright`.mismatch WHERE stream = ? ORDER BY description LIMIT ?")) {
            statement.setString(1, stream);
            statement.setInt(2, limit);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    result.add(rows.getString(1));
                }
            }
        }
        return result;
    }

    /** Last statement of each transaction; stops this run if another has taken the stream over. */
    void saveCheckpoint(Connection connection, GtidSet applied) throws SQLException {
        var hit = update(
                connection,
                "UPDATE `_shardwright`.stream SET gtid = ?, updated_at = NOW(6) WHERE stream = ? AND run = ?",
                applied.toString(),
                stream,
                run);
        if (hit != 1) {
            throw new MoveException(
                    "another mover has taken over stream " + stream + " on " + targetName + "; this one stops");
        }
    }

    private static int update(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                var parameter = parameters[i];
                if (parameter == null) {
                    statement.setNull(i + 1, Types.VARCHAR);
                } else {
                    statement.setObject(i + 1, parameter);
                }
            }
            return statement.executeUpdate();
        }
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
