package dev.shardwright.router.session;

import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.SessionStatement.Assignment;
import dev.shardwright.router.protocol.BackendConnection;
import dev.shardwright.topology.model.ShardEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one shard that sessions of one user share, one at a time, and what state its server session has. It
 * has an owner during a statement and for as long as nobody else needs it afterwards.
 */
public final class SessionBackend {
    /** Statements that stay prepared on a connection; MySQL takes 16,382 on all connections together by default. */
    static final int MAX_STATEMENTS = 128;

    /** The session that has the connection. */
    public interface Owner {
        ClientSession session();

        /** Another session gets it; nothing runs on it. */
        void taken(SessionBackend backend);

        /** It has gone, for whatever reason. */
        void closed(SessionBackend backend);

        /** The router itself has failed on an answer, which will not come. */
        void failed();
    }

    /** Where it is kept for those who need one. */
    public interface Home {
        /** It may have become spare. */
        void rested();

        /** Its owner needs it no more. */
        void release(SessionBackend backend);
    }

    /** A statement as this server knows it. */
    public static final class BackendStatement {
        private final int id;
        private byte @Nullable [] types;

        public BackendStatement(int id) {
            this.id = id;
        }

        public int id() {
            return id;
        }

        /** The parameter types that the server has; null: none. */
        public byte @Nullable [] types() {
            return types;
        }

        public void typesSent(byte @Nullable [] sent) {
            types = sent;
        }
    }

    private final Home home;
    private final BackendConnection connection;
    private final Map<StatementKey, BackendStatement> statements = new LinkedHashMap<>(16, 0.75f, true);
    private final List<Assignment> assigned = new ArrayList<>();
    private long variables;
    private @Nullable String database;
    private @Nullable Owner owner;
    private @Nullable ClientSession insertIdOf;
    private boolean fresh = true;
    private boolean foreignInsertId;
    private boolean mustReset;
    private boolean hasBeenPinned;
    private boolean lacksCollation;
    private boolean lacksDefaultRoles;
    private boolean inUse;
    private long restsSince;
    private @Nullable Access running;
    private boolean retired;
    private boolean draining;
    private int cursors;
    private int guards;
    private boolean multiStatements;
    private boolean metadataForced;
    /** KILL looks at it on other event loops too. */
    private volatile boolean early;

    public SessionBackend(Home home, BackendConnection connection, @Nullable String database) {
        this.home = home;
        this.connection = connection;
        this.database = database;
    }

    public BackendConnection connection() {
        return connection;
    }

    public ShardEntry shard() {
        return connection.shard();
    }

    public @Nullable Owner owner() {
        return owner;
    }

    /** A session has it from now on; what its server session has of another one's state is known. */
    public void belongsTo(Owner next) {
        owner = next;
        variables = next.session().variables().versionOf(assigned);
        mustReset |= variables < 0;
        inUse = true;
        next.session().add(this);
    }

    /** Takes it from its owner. */
    public void leaveOwner() {
        var last = owner;
        if (last == null) {
            return;
        }
        owner = null;
        inUse = false;
        fresh = false;
        early = false;
        foreignInsertId = true;
        // The owner may have gone while it was too slow for it.
        connection.setReading(true);
        mustReset |= hasBeenPinned;
        if (last.session().insertId().leaves(this)) {
            insertIdOf = last.session();
        }
        last.session().remove(this);
    }

    /** The earlier owner whose LAST_INSERT_ID() must be asked for before anything else is done; null: none. */
    public @Nullable ClientSession insertIdOf() {
        return insertIdOf;
    }

    public void insertIdSaved() {
        insertIdOf = null;
    }

    /** Whether LAST_INSERT_ID() is not that of a new session. */
    public boolean hasForeignInsertId() {
        return foreignInsertId;
    }

    public void hasOwnInsertId() {
        foreignInsertId = false;
    }

    /** Whether no other session has used it since its login or its last reset. */
    public boolean isFresh() {
        return fresh;
    }

    /** Its server session must be made as new before it is used. */
    public void demandReset() {
        mustReset = true;
    }

    public boolean mustReset() {
        return mustReset;
    }

    /** What its owner said of its next transaction may be left to the one that begins here next. */
    public void mayKeepCharacteristics() {
        hasBeenPinned = true;
    }

    /** Its owner may leave something here: should that be forgotten by mistake, no other session ever sees it. */
    void isPinned() {
        hasBeenPinned = true;
    }

    /**
     * The server session is as after its login but for the character set, which is the server's default, and for roles,
     * which stay as they are.
     */
    public void wasReset() {
        mustReset = false;
        lacksDefaultRoles |=
                assigned.stream().anyMatch(assignment -> assignment.name().equals(Assignment.ROLE));
        hasBeenPinned = false;
        lacksCollation = true;
        fresh = true;
        foreignInsertId = false;
        assigned.clear();
        metadataForced = false;
        statements.clear();
        variables = 0;
    }

    /** Whether it has other roles than its user has after a login. */
    public boolean lacksDefaultRoles() {
        return lacksDefaultRoles;
    }

    public void hasDefaultRoles() {
        lacksDefaultRoles = false;
    }

    /** Whether it must be given the character sets that its owner named at the login. */
    public boolean lacksCollation() {
        return lacksCollation;
    }

    /** Its login could not name them. */
    public void demandCollation() {
        lacksCollation = true;
    }

    public void hasCollation() {
        lacksCollation = false;
    }

    /** Version of its owner's variables that it has. */
    public long variables() {
        return variables;
    }

    /** The server has accepted these assignments of its owner, who counts the last one as this version. */
    public void assigned(List<Assignment> accepted, long version) {
        for (var assignment : accepted) {
            assigned.removeIf(earlier -> earlier.name().equals(assignment.name()));
            assigned.add(assignment);
            metadataForced &= !assignment.name().equals(Assignment.METADATA);
        }
        variables = version;
    }

    /** Whether its state is that of this session or a beginning of it. */
    public boolean isLike(ClientSession session) {
        return session.variables().versionOf(assigned) >= 0;
    }

    public @Nullable String database() {
        return database;
    }

    public void hasDatabase(@Nullable String name) {
        database = name;
    }

    /** The statements that are prepared on it, the one that was used last at the end. */
    public List<StatementKey> statements() {
        return List.copyOf(statements.keySet());
    }

    public @Nullable BackendStatement statement(StatementKey key) {
        return statements.get(key);
    }

    /**
     * The statement is prepared. Returns one that must be closed: an earlier copy or the one that has not been used for
     * longest; null when there is room.
     */
    public @Nullable BackendStatement prepared(StatementKey key, BackendStatement statement) {
        var earlier = statements.put(key, statement);
        if (earlier != null || statements.size() <= MAX_STATEMENTS || hasCursor()) {
            return earlier;
        }
        var eldest = statements.entrySet().iterator();
        var unused = eldest.next().getValue();
        eldest.remove();
        return unused;
    }

    /** The statement is closed; the server's copy is returned so that it can be told. */
    public @Nullable BackendStatement forget(StatementKey key) {
        return statements.remove(key);
    }

    /** All statements are closed but those whose cursors may still be open; the server must be told of those returned. */
    public List<BackendStatement> forgetAll() {
        var closed = new ArrayList<BackendStatement>();
        statements.entrySet().removeIf(entry -> {
            boolean goes = !hasCursor() || !entry.getKey().opensCursor();
            if (goes) {
                closed.add(entry.getValue());
            }
            return goes;
        });
        return closed;
    }

    /** Whether its server takes several statements in one text. */
    public boolean multiStatements() {
        return multiStatements;
    }

    public void multiStatements(boolean allowed) {
        multiStatements = allowed;
    }

    /** Whether its server sends metadata though its owner wants none: the router needs it for a merge. */
    public boolean metadataForced() {
        return metadataForced;
    }

    public void metadataForced(boolean forced) {
        metadataForced = forced;
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

    /** Whether it must stay with its owner because somebody is about to end what it runs. */
    public void guard(boolean on) {
        guards += on ? 1 : -1;
        if (guards == 0 && !inUse) {
            home.rested();
        }
    }

    /** A command of its owner needs it. */
    public void use() {
        inUse = true;
    }

    public boolean inUse() {
        return inUse;
    }

    /** The owner's command has ended; if somebody waits for the connection, it may change hands now. */
    public void rest() {
        inUse = false;
        restsSince = System.nanoTime();
        home.rested();
    }

    /** The owner needs it no more; it is closed if anything of the owner's is on it. */
    public void release() {
        inUse = false;
        restsSince = System.nanoTime();
        home.release(this);
    }

    /** As {@link System#nanoTime}. */
    public long restsSince() {
        return restsSince;
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

    /** Whether its shard did not serve yet when it was opened, and does not as far as is known. */
    public boolean isEarly() {
        return early;
    }

    public void early(boolean now) {
        early = now;
    }

    /** Whether it holds something for its owner that no other connection can have. */
    public boolean isHeld() {
        var holder = owner;
        return holder != null
                && (cursors > 0
                        || holder.session().transaction().backend() == this
                        || holder.session().pinned() == this);
    }

    /** Whether another session may have it now. */
    public boolean isSpare() {
        return !inUse && !retired && guards == 0 && !connection.isBusy() && connection.isOpen() && !isHeld();
    }
}
