package dev.shardwright.router.session;

import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.protocol.BackendConnection;
import dev.shardwright.topology.model.ShardEntry;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A session's connection to one shard, and how much of the session's state it has. */
public final class SessionBackend {
    private final BackendConnection connection;
    private final Map<StatementKey, BackendStatement> statements = new HashMap<>();
    private long variables;
    private @Nullable String database;
    private @Nullable Access running;
    private boolean retired;
    private boolean draining;
    private int cursors;
    private boolean multiStatements;

    /**
     * Names a prepared statement of the session on its backends.
     *
     * @param merged the variant that shards run when several answer
     * @param cursor the variant that opens cursors: MySQL (seen with 9.7) answers wrongly when it runs a
     *     statement without a cursor that it has run with one
     */
    public record StatementKey(int id, boolean merged, boolean cursor) {
        /** Without a cursor. */
        public StatementKey(int id, boolean merged) {
            this(id, merged, false);
        }

        public static StatementKey withCursor(int id) {
            return new StatementKey(id, false, true);
        }
    }

    /** A statement as this server knows it. */
    public static final class BackendStatement {
        private final int id;
        private int typesVersion;

        public BackendStatement(int id) {
            this.id = id;
        }

        public int id() {
            return id;
        }

        /** Which of the session's parameter types the server has, 0: none. */
        public int typesVersion() {
            return typesVersion;
        }

        public void typesSent(int version) {
            typesVersion = version;
        }
    }

    public SessionBackend(BackendConnection connection, @Nullable String database) {
        this.connection = connection;
        this.database = database;
    }

    public BackendConnection connection() {
        return connection;
    }

    public ShardEntry shard() {
        return connection.shard();
    }

    /** Version of the session's variables that it has. */
    public long variables() {
        return variables;
    }

    public void hasVariables(long version) {
        variables = version;
    }

    public @Nullable String database() {
        return database;
    }

    public void hasDatabase(String name) {
        database = name;
    }

    public @Nullable BackendStatement statement(StatementKey key) {
        return statements.get(key);
    }

    public void prepared(StatementKey key, BackendStatement statement) {
        statements.put(key, statement);
    }

    /** The statement is closed; the server's copy is returned so that it can be told. */
    public @Nullable BackendStatement forget(StatementKey key) {
        return statements.remove(key);
    }

    /** Whether its server takes several statements in one text. */
    public boolean multiStatements() {
        return multiStatements;
    }

    public void multiStatements(boolean allowed) {
        multiStatements = allowed;
    }

    /** Whether it has rows that the session may still fetch: it must stay the session's own until then. */
    public boolean hasCursor() {
        return cursors > 0;
    }

    public void cursorOpened() {
        cursors++;
    }

    public void cursorEnded() {
        cursors--;
    }

    /** How the statement that it runs touches rows, null when it runs none. */
    public @Nullable Access running() {
        return running;
    }

    public void runs(Access access) {
        running = access;
    }

    public void rests() {
        running = null;
    }

    /** Nothing new may be sent on it: it is closed when its statement has ended. */
    public void retire() {
        retired = true;
    }

    public boolean isRetired() {
        return retired;
    }

    /** Whether its open transaction has been given the time that it has left. */
    public boolean isDraining() {
        return draining;
    }

    public void drains(boolean now) {
        draining = now;
    }
}
