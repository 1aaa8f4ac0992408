package dev.shardwright.router.session;

import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.buffer.ClientMemory;
import dev.shardwright.router.planner.Residue;
import dev.shardwright.router.planner.StatementContext;
import dev.shardwright.router.planner.scan.SqlModes;
import dev.shardwright.router.protocol.ClientIdentity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the router remembers for one client connection. Used on the client's event loop only. */
public final class ClientSession {
    private volatile ClientIdentity client;
    private final ClientMemory memory;
    private final SessionVariables variables = new SessionVariables();
    private final Transaction transaction = new Transaction();
    private final Map<String, SessionBackend> backends = new HashMap<>();
    /** KILL looks at it on other event loops too. */
    private volatile List<SessionBackend> backendsNow = List.of();

    private final Map<Integer, PreparedStatement> statements = new HashMap<>();
    /** How texts are read; each statement asks for it several times, and it seldom changes. */
    private StatementContext text;

    private StatementContext prepared;
    private int lastStatementId;
    private @Nullable SessionBackend last;
    private boolean lastGone;
    private boolean lastMerged;
    private final OwnAnswer own = new OwnAnswer();
    private @Nullable SessionBackend pinned;
    private final Remains remains = new Remains();
    private boolean multiStatements;
    private boolean wantsMetadata = true;
    private final InsertId insertId = new InsertId();

    /** @param memory out of which statements of this client come */
    public ClientSession(ClientIdentity client, ClientMemory memory) {
        this.client = client;
        this.memory = memory;
        this.multiStatements = Capability.has(client.capabilities(), Capability.MULTI_STATEMENTS);
        this.text = asAtLogin(client, client.database());
        this.prepared = text.whenPrepared();
    }

    public ClientIdentity client() {
        return client;
    }

    /** Whether a text may have several statements. */
    public boolean multiStatements() {
        return multiStatements;
    }

    public void multiStatements(boolean allowed) {
        multiStatements = allowed;
    }

    /** Whether results come with their columns' metadata. */
    public boolean wantsMetadata() {
        return wantsMetadata;
    }

    public void wantsMetadata(boolean wanted) {
        wantsMetadata = wanted;
    }

    public SessionVariables variables() {
        return variables;
    }

    public Transaction transaction() {
        return transaction;
    }

    public @Nullable String database() {
        return text.database();
    }

    /** @param name null: none, as the one that it had was dropped */
    public void use(@Nullable String name) {
        reads(new StatementContext(name, text.charset(), text.connection(), text.modes(), false));
    }

    /** How the server reads a statement's text from now on. */
    public void reads(String characterSet, String convertedTo, SqlModes sqlModes) {
        reads(new StatementContext(database(), characterSet, convertedTo, sqlModes, false));
    }

    private void reads(StatementContext context) {
        text = context;
        prepared = context.whenPrepared();
    }

    private static StatementContext asAtLogin(ClientIdentity client, @Nullable String database) {
        return new StatementContext(database, Charsets.ofCollation(client.collation()), SqlModes.DEFAULT, false);
    }

    public StatementContext context(boolean forPrepared) {
        return forPrepared ? prepared : text;
    }

    /** The open connection to this shard, or null. */
    public @Nullable SessionBackend backend(String shardUid) {
        var backend = backends.get(shardUid);
        return backend != null && backend.connection().isOpen() && !backend.isRetired() ? backend : null;
    }

    /** Those of this moment; it does not change when they do. */
    public List<SessionBackend> backends() {
        return backendsNow;
    }

    void add(SessionBackend backend) {
        backends.put(backend.shard().uid(), backend);
        backendsNow = List.copyOf(backends.values());
    }

    /** The connection is another session's from now on, or has gone. */
    void remove(SessionBackend backend) {
        backends.remove(backend.shard().uid(), backend);
        backendsNow = List.copyOf(backends.values());
        if (last == backend) {
            last = null;
            lastGone = true;
        }
    }

    /** The connection has gone, with what only it knew. */
    public void lost(SessionBackend backend) {
        remove(backend);
        insertId.gone(backend);
    }

    public InsertId insertId() {
        return insertId;
    }

    /** The connection that ran the last statement, or null. */
    public @Nullable SessionBackend last() {
        return last;
    }

    /** There was a last statement, but its connection is gone. */
    public boolean lastIsGone() {
        return lastGone;
    }

    /** {@code backend}: the one that ran it, null when several did or none. */
    public void ran(@Nullable SessionBackend backend) {
        last = backend;
        lastGone = false;
        lastMerged = false;
        own.clear();
    }

    /** The router has answered a statement without error, of which no server knows. */
    public void answeredHere() {
        own.ok();
    }

    /** The router has answered with an error, of which no server knows. */
    public void erredHere(ErrPacket error) {
        own.error(error);
    }

    /** The router has answered a command that is no statement. */
    public void commandedHere() {
        own.command();
    }

    /** What a server must be told first when the client asks about its last statement; null: nothing. */
    public @Nullable OwnAnswer untold() {
        boolean commanded = own.counts() && (last != null || !lastGone && !lastMerged);
        return own.statement() != null || commanded ? own : null;
    }

    /** Several shards ran a SELECT; none of them knows what there is to know about it. */
    public void ranMerged() {
        ran(null);
        lastMerged = true;
    }

    public boolean lastIsMerged() {
        return lastMerged;
    }

    /** The connection that has state of the session that can't be replayed, or null. */
    public @Nullable SessionBackend pinned() {
        return pinned;
    }

    /** A statement is sent there that may leave such state. */
    public void pin(SessionBackend backend) {
        pinned = backend;
        backend.isPinned();
    }

    /**
     * A statement has ended, or has not been run at all; see {@link Remains#after}. When nothing of the session's is left on
     * the connection, another one will do from now on.
     */
    public void left(Residue residue, @Nullable String inDatabase, boolean succeeded, @Nullable Boolean answer) {
        remains.after(residue, inDatabase, succeeded, answer);
        unpinIfEmpty();
    }

    /** See {@link Remains#countedRows}. */
    public void countedRows() {
        remains.countedRows();
        unpinIfEmpty();
    }

    private void unpinIfEmpty() {
        if (remains.isEmpty()) {
            pinned = null;
        }
    }

    /** See {@link Remains#hasTableLocks}. */
    public boolean hasTableLocks() {
        return remains.hasTableLocks();
    }

    public PreparedStatement prepare(byte[] sql, int parameters, int id) {
        var key = new StatementKey(sql, context(true), variables.reading());
        var statement = new PreparedStatement(id, key, parameters, context(true), memory);
        statements.put(id, statement);
        return statement;
    }

    public int nextStatementId() {
        return ++lastStatementId;
    }

    public int preparedStatements() {
        return statements.size();
    }

    public @Nullable PreparedStatement statement(int id) {
        return statements.get(id);
    }

    public @Nullable PreparedStatement closeStatement(int id) {
        var closed = statements.remove(id);
        if (closed != null) {
            closed.longData().clear();
        }
        return closed;
    }

    /** No statement is prepared any more. */
    public void closeStatements() {
        statements.values().forEach(statement -> statement.longData().clear());
        statements.clear();
    }

    /** A new session for somebody else on the same client connection; as {@link #reset}. */
    public void become(ClientIdentity other) {
        client = other;
        variables.clear();
        reset(other.database());
    }

    /** As MySQL resets it: nothing set but roles, nothing prepared or open. It must have no connections any more. */
    public void reset() {
        reset(database());
    }

    private void reset(@Nullable String database) {
        variables.reset();
        wantsMetadata = true;
        transaction.reset();
        closeStatements();
        reads(asAtLogin(client, database));
        last = null;
        lastGone = false;
        lastMerged = false;
        own.clear();
        pinned = null;
        remains.clear();
        insertId.reset();
    }
}
