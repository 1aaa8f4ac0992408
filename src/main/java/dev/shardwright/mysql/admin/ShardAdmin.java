package dev.shardwright.mysql.admin;

import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One admin connection to one shard's server: its fence, its sessions, its positions. It never reconnects:
 * once broken, every call fails, so a process that lost leadership while it slept can't go on with it. Every
 * call is bounded to a few seconds. Not for several threads at once.
 */
public final class ShardAdmin implements AutoCloseable {
    private static final int NO_SUCH_TABLE = 1146;
    private static final int NO_SUCH_SESSION = 1094;
    private static final Set<String> NOT_ORDINARY =
            Set.of(MysqlAccount.OPERATOR, MysqlAccount.MOVER, "event_scheduler", "system user", "unauthenticated user");
    private static final Set<String> NOT_CLIENTS = Set.of("Daemon", "Binlog Dump", "Binlog Dump GTID");

    private final AdminSession session;
    private final MysqlAccount account;
    private final String keyspace;
    private final long connectionId;

    private ShardAdmin(AdminSession session, MysqlAccount account, String keyspace) throws SQLException {
        this.session = session;
        this.account = account;
        this.keyspace = keyspace;
        this.connectionId = session.one(row -> row.getLong(1), "SELECT CONNECTION_ID()");
    }

    /**
     * Connects, then asks {@code ensureLeader} (which throws when this process may not act), then checks that the
     * server holds this shard: WrongServerException when it holds another.
     */
    public static ShardAdmin open(
            String host, int port, MysqlAccount account, String keyspace, String shardUid, Runnable ensureLeader)
            throws SQLException {
        var session = AdminSession.open(host, port, account);
        try {
            ensureLeader.run();
            Identity.check(session.connection(), keyspace, shardUid);
            return new ShardAdmin(session, account, keyspace);
        } catch (SQLException | RuntimeException | Error e) {
            session.close();
            throw e;
        }
    }

    /** For statements that have no method here; it is closed with this. */
    public java.sql.Connection connection() {
        return session.connection();
    }

    // ---- the fence

    public ServerFence fence() throws SQLException {
        return session.one(
                row -> new ServerFence(row.getBoolean(1), row.getBoolean(2), row.getBoolean(3)),
                "SELECT @@GLOBAL.super_read_only, @@GLOBAL.read_only, @@GLOBAL.offline_mode");
    }

    /**
     * Nobody can write any more, and this survives a restart. Sessions stay; reads go on. Waits for write
     * statements that run, at most lock_wait_timeout (2 s), then fails with 1205.
     */
    public void freeze() throws SQLException {
        freezeUntilRestart();
        persistFreeze();
    }

    /** As {@link #freeze}, without the wait for the disk: a server that is restarted is as it was before. */
    public void freezeUntilRestart() throws SQLException {
        session.run("SET GLOBAL super_read_only = ON");
        // read_only does not stop events of users with CONNECTION_ADMIN.
        if (session.one(row -> row.getString(1).equals("ON"), "SELECT @@GLOBAL.event_scheduler")) {
            session.run("SET PERSIST event_scheduler = OFF");
        }
    }

    /** A restart does not undo {@link #freezeUntilRestart} any more. */
    public void persistFreeze() throws SQLException {
        session.run("SET PERSIST super_read_only = ON, PERSIST read_only = ON");
    }

    /** Ends the sessions of ordinary users and lets no new ones in; survives a restart. */
    public void offline() throws SQLException {
        session.run("SET PERSIST offline_mode = ON");
    }

    /** Lets ordinary users log in to a server that is read-only, and stays so; a restart undoes it. */
    public void admitUntilRestart() throws SQLException {
        session.run("SET GLOBAL offline_mode = OFF");
    }

    /** Undoes {@link #admitUntilRestart}. */
    public void dismiss() throws SQLException {
        session.run("SET GLOBAL offline_mode = ON");
    }

    /**
     * Opens the server for ordinary users; read_only first, so that nobody who gets in is refused a write. Then events
     * run, if there are any.
     */
    public void thaw() throws SQLException {
        thawUntilRestart();
        persistThaw();
    }

    /** Lets ordinary users in, without the wait for the disk: a server that is restarted is as it was before. */
    public void thawUntilRestart() throws SQLException {
        session.run("SET GLOBAL super_read_only = OFF, GLOBAL read_only = OFF, GLOBAL offline_mode = OFF");
    }

    /** A restart does not undo {@link #thawUntilRestart} any more; and events run, if there are any. */
    public void persistThaw() throws SQLException {
        session.run("SET PERSIST super_read_only = OFF, PERSIST read_only = OFF, PERSIST offline_mode = OFF");
        runEvents();
    }

    /** On a server that serves: the scheduler runs where the keyspace has events, and else takes no time when it freezes. */
    public void runEvents() throws SQLException {
        var on = session.one(row -> row.getString(1), "SELECT @@GLOBAL.event_scheduler");
        boolean wanted = session.first(
                        row -> true, "SELECT 1 FROM information_schema.EVENTS WHERE EVENT_SCHEMA = ? LIMIT 1", keyspace)
                .isPresent();
        if (wanted != on.equals("ON")) {
            session.run("SET PERSIST event_scheduler = " + (wanted ? "ON" : "OFF"));
        }
    }

    /** Lets movers write, and nobody else. Leaves offline_mode as it is. */
    public void receive() throws SQLException {
        session.run("SET PERSIST read_only = ON, PERSIST super_read_only = OFF");
    }

    // ---- sessions

    /**
     * The sessions of ordinary users. By SHOW, because information_schema.PROCESSLIST, as INNODB_TRX, fails with 3854 as
     * long as any session runs a statement with a 4-byte character.
     */
    public List<ServerSession> sessions() throws SQLException {
        return session.rows(this::ordinary, "SHOW FULL PROCESSLIST").stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<ServerSession> ordinary(ResultSet row) throws SQLException {
        var user = row.getString("User");
        var command = row.getString("Command");
        if (user.equals(account.user()) || NOT_ORDINARY.contains(user) || NOT_CLIENTS.contains(command)) {
            return Optional.empty();
        }
        var statement = Objects.requireNonNullElse(row.getString("Info"), "");
        boolean running = List.of("Query", "Execute").contains(command) || !statement.isEmpty();
        return Optional.of(new ServerSession(row.getLong("Id"), user, running, row.getLong("Time"), statement));
    }

    /** Ends sessions; it may take a moment, and may have to be asked again. One that is gone is no error. */
    public void kill(List<Long> sessionIds) throws SQLException {
        try {
            session.runAll(sessionIds.stream().map(id -> "KILL " + id).toList());
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_SESSION) {
                throw e;
            }
        }
    }

    /** Ends every other session of this account; true once none is left. A former leader's is among them. */
    public boolean endOtherAdmins() throws SQLException {
        var others = session.rows(this::otherAdmin, "SHOW PROCESSLIST").stream()
                .flatMap(Optional::stream)
                .toList();
        kill(others);
        return others.isEmpty();
    }

    private Optional<Long> otherAdmin(ResultSet row) throws SQLException {
        long id = row.getLong("Id");
        return row.getString("User").equals(account.user()) && id != connectionId ? Optional.of(id) : Optional.empty();
    }

    /** Prepared XA branches that nobody has resolved, as XA RECOVER shows them. */
    public List<String> preparedTransactions() throws SQLException {
        return session.rows(row -> row.getString("data"), "XA RECOVER CONVERT XID");
    }

    // ---- positions

    /** {@code @@GLOBAL.gtid_executed} on one line. */
    public String gtidExecuted() throws SQLException {
        return session.one(row -> row.getString(1).replace("\n", ""), "SELECT @@GLOBAL.gtid_executed");
    }

    /** Whether this stream has applied transactions here that are not in {@code gtidSet}, which should be all that its source has. */
    public boolean hasAppliedMore(String stream, String gtidSet) throws SQLException {
        return session.first(
                        row -> row.getBoolean(1),
                        "SELECT NOT GTID_SUBSET(gtid, ?) FROM `_shardwright`.stream WHERE stream = ?",
                        gtidSet,
                        stream)
                .orElse(false);
    }

    /** Whether this stream has applied all of {@code gtidSet} here. */
    public boolean hasApplied(String stream, String gtidSet) throws SQLException {
        try {
            return session.first(
                            row -> row.getBoolean(1),
                            "SELECT GTID_SUBSET(?, gtid) FROM `_shardwright`.stream WHERE stream = ?",
                            gtidSet,
                            stream)
                    .orElse(false);
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_SUCH_TABLE) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Makes {@code token} the one that the workflow's movers must have, and so shuts out those with an older one.
     * Waits for their transaction in flight. Fails when a newer token is there: then somebody else acts for this
     * workflow.
     */
    public void ensureToken(String workflowUid, long token) throws SQLException {
        var present = session.first(
                row -> row.getLong(1), "SELECT token FROM `_shardwright`.fencing WHERE workflow_uid = ?", workflowUid);
        if (present.isEmpty() || present.get() != token) {
            raiseToken(workflowUid, token);
        }
    }

    /** As {@link #ensureToken}, when it is known not to be there yet. */
    public void raiseToken(String workflowUid, long token) throws SQLException {
        session.run(
                "INSERT INTO `_shardwright`.fencing (workflow_uid, token) VALUES (?, ?) AS new"
                        + " ON DUPLICATE KEY UPDATE token = GREATEST(fencing.token, new.token)",
                workflowUid,
                token);
        long now = session.one(
                row -> row.getLong(1), "SELECT token FROM `_shardwright`.fencing WHERE workflow_uid = ?", workflowUid);
        if (now != token) {
            throw new SQLException("fencing token " + now + " is newer than " + token + " for workflow " + workflowUid
                    + ": another process acts for it");
        }
    }

    // ---- what is not a row

    /** The next AUTO_INCREMENT value of each table that has one. The server looks at every table for it: 10,000 take a second. */
    public Map<String, BigInteger> counters() throws SQLException {
        return counters("");
    }

    /** As {@link #counters()}, of these tables; nothing for one that is not there. */
    public Map<String, BigInteger> counters(Collection<String> tables) throws SQLException {
        return tables.isEmpty()
                ? Map.of()
                : counters(tables.stream()
                        .map(SqlText::string)
                        .collect(Collectors.joining(", ", " AND TABLE_NAME IN (", ")")));
    }

    private Map<String, BigInteger> counters(String condition) throws SQLException {
        var rows = session.rows(
                row -> Map.entry(row.getString(1), new BigInteger(row.getString(2))),
                "SELECT TABLE_NAME, AUTO_INCREMENT FROM information_schema.TABLES"
                        + " WHERE TABLE_SCHEMA = ? AND AUTO_INCREMENT IS NOT NULL" + condition,
                keyspace);
        return rows.stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, BigInteger::max, TreeMap::new));
    }

    /** Raises a table's next AUTO_INCREMENT value; MySQL never lowers it below what its rows need. */
    public void raiseCounter(String table, BigInteger next) throws SQLException {
        session.run("ALTER TABLE " + SqlText.name(keyspace) + "." + SqlText.name(table) + " AUTO_INCREMENT = " + next);
    }

    /**
     * Drops the keyspace's triggers, out of the binary log. For a shard that does not serve: the serving ones have them.
     * Fails with 1205 while somebody reads their table.
     */
    public void dropTriggers() throws SQLException {
        var triggers = session.rows(
                row -> SqlText.name(keyspace) + "." + SqlText.name(row.getString(1)),
                "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ?",
                keyspace);
        if (triggers.isEmpty()) {
            return;
        }
        session.run("SET SESSION sql_log_bin = 0");
        try {
            for (var trigger : triggers) {
                session.run("DROP TRIGGER IF EXISTS " + trigger);
            }
        } finally {
            session.run("SET SESSION sql_log_bin = 1");
        }
    }

    /** Users and grants as they are now. */
    public Users.Accounts accounts() throws SQLException {
        return new Users(session.connection(), keyspace).accounts();
    }

    @Override
    public void close() {
        session.close();
    }
}
