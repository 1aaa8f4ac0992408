package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.PayloadReader;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.ClientSession;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.router.session.StatementKey;
import dev.shardwright.topology.model.ShardEntry;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a backend connection ready for a statement of the session: opens it, brings its variables and
 * database up to date, prepares the statement, begins the transaction. Nothing of this touches a row, so
 * whatever fails here may be done again.
 */
final class Readying extends SessionClaim {

    /** Called once, but for {@link #reserved}. */
    interface Callback {
        /** It waits for no other session any more. */
        default void reserved() {}

        void ready(SessionBackend backend);

        /** A server refused for good. */
        void refused(ErrPacket error);

        /** The same may work soon. */
        void unavailable(ErrPacket error);

        /** The connection was lost, and the client is gone as well. */
        default void abandoned() {}
    }

    /**
     * What the statement needs.
     *
     * @param begin it belongs to the session's transaction, and opens it if that waits for its first shard
     * @param key the statement to be prepared; null for none
     * @param several the text is for the server to take apart
     * @param insertId the session's LAST_INSERT_ID()
     * @param fresh a server session that no other client has used
     * @param metadata the columns' metadata, even if the session wants none
     */
    record Needs(
            boolean begin,
            @Nullable StatementKey key,
            boolean several,
            boolean insertId,
            boolean fresh,
            boolean metadata) {
        static final Needs NOTHING = new Needs(false, null);
        static final Needs BEGIN = new Needs(true, null);

        Needs(boolean begin, @Nullable StatementKey key) {
            this(begin, key, false, false, false, false);
        }

        static Needs ofSeveral(boolean begin) {
            return new Needs(begin, null, true, false, false, false);
        }

        Needs and(boolean insertIdToo, boolean freshToo) {
            return insertIdToo || freshToo ? new Needs(begin, key, several, insertIdToo, freshToo, metadata) : this;
        }

        Needs andMetadata() {
            return new Needs(begin, key, several, insertId, fresh, true);
        }
    }

    private final RouterLoop loop;
    private final ClientSession session;
    private final Needs needs;
    private final Callback callback;
    private @Nullable PrepareRetries retries;
    private @Nullable Deque<String> opening;

    private Readying(SessionRunner runner, ShardEntry shard, Needs needs, Callback callback) {
        super(runner, shard);
        this.loop = runner.loop();
        this.session = runner.session();
        this.needs = needs;
        this.callback = callback;
    }

    /** Calls back at once when nothing is to be done. */
    static void start(SessionRunner runner, ShardEntry shard, Needs needs, Callback callback) {
        var readying = new Readying(runner, shard, needs, callback);
        var backend = own(runner.session(), shard);
        if (backend == null) {
            runner.loop().pools().claim(readying);
        } else {
            backend.use();
            callback.reserved();
            readying.startOn(backend);
        }
    }

    private void startOn(SessionBackend backend) {
        if (needs.fresh() && !backend.isFresh() && !backend.isHeld()) {
            backend.demandReset();
        }
        if (loop.opening().isOpen(shard)) {
            next(backend);
        } else if (loop.opening().mayAsk(shard)) {
            ask(backend, 0);
        } else {
            callback.unavailable(beingOpened());
        }
    }

    /** Goes on once the server takes writes: what began there earlier could not go on. */
    private void ask(SessionBackend backend, int before) {
        var answer = new ArrayList<String>();
        InternalCommand.select(backend, OpeningShards.question(before), firstColumn(answer), answered(backend, _ -> {
            if (answer.getFirst().equals("0")) {
                loop.opening().opened(shard);
                next(backend);
            } else if (before < OpeningShards.MOST_QUESTIONS) {
                loop.opening().asksAgain(shard);
                ask(backend, before + 1);
            } else {
                callback.unavailable(beingOpened());
            }
        }));
    }

    private ErrPacket beingOpened() {
        return ErrorCatalogue.shardUnreachable(shard.name(), "it has taken over a moment ago and is being opened");
    }

    /** Brings this very connection up to date with the session's variables. */
    static void refresh(SessionRunner runner, SessionBackend backend, Callback callback) {
        refresh(runner, backend, null, callback);
    }

    /** @param key a statement to be prepared there as well; null: none */
    static void refresh(SessionRunner runner, SessionBackend backend, @Nullable StatementKey key, Callback callback) {
        backend.use();
        new Readying(runner, backend.shard(), new Needs(false, key), callback).next(backend);
    }

    private static @Nullable SessionBackend own(ClientSession session, ShardEntry shard) {
        var open = session.transaction().backend();
        return open != null && open.shard().uid().equals(shard.uid()) ? open : session.backend(shard.uid());
    }

    @Override
    public void reserved() {
        if (!runner.isGone()) {
            callback.reserved();
        }
    }

    @Override
    public void granted(SessionBackend backend) {
        if (runner.isGone()) {
            backend.release();
        } else {
            runner.guarded(() -> startOn(backend));
        }
    }

    @Override
    public void failed(ErrPacket error, boolean mayComeBack) {
        if (runner.isGone()) {
            return;
        }
        runner.guarded(() -> {
            if (mayComeBack) {
                callback.unavailable(error);
            } else {
                callback.refused(error);
            }
        });
    }

    private void next(SessionBackend backend) {
        var former = backend.insertIdOf();
        if (former != null) {
            askInsertId(backend, former, backend);
            return;
        }
        if (backend.mustReset()) {
            InternalCommand.reset(backend, then(backend, result -> backend.wasReset()));
            return;
        }
        if (backend.lacksDefaultRoles()) {
            InternalCommand.query(backend, "SET ROLE DEFAULT", then(backend, result -> backend.hasDefaultRoles()));
            return;
        }
        if (backend.lacksCollation()) {
            setCollation(backend);
            return;
        }
        var variable = session.variables().after(backend.variables());
        if (variable != null) {
            InternalCommand.query(
                    backend,
                    variable.assignment().sql(),
                    then(backend, result -> backend.assigned(List.of(variable.assignment()), variable.version())));
            return;
        }
        if (!session.wantsMetadata() && needs.metadata() != backend.metadataForced()) {
            InternalCommand.query(
                    backend,
                    "SET resultset_metadata = " + (needs.metadata() ? "FULL" : "NONE"),
                    then(backend, result -> backend.metadataForced(needs.metadata())));
            return;
        }
        var database = session.database();
        if (database != null && !Objects.equals(database, backend.database())) {
            InternalCommand.useDatabase(backend, database, then(backend, result -> backend.hasDatabase(database)));
            return;
        }
        if (needs.several() != backend.multiStatements()) {
            InternalCommand.allowSeveral(
                    backend, needs.several(), then(backend, result -> backend.multiStatements(needs.several())));
            return;
        }
        var key = needs.key();
        if (key != null && backend.statement(key) == null) {
            prepare(backend, key);
        } else if (needs.insertId() && bringInsertId(backend)) {
            return;
        } else {
            begin(backend);
        }
    }

    private void prepare(SessionBackend backend, StatementKey key) {
        if (!key.isReadBy(session)) {
            callback.refused(ErrorCatalogue.preparedOtherwise());
            return;
        }
        InternalCommand.prepare(backend, key.sql(), then(backend, result -> runner.prepared(backend, key, result)));
    }

    /** A reset leaves the server's own character sets; at its login the session had named others. */
    private void setCollation(SessionBackend backend) {
        int id = session.client().collation();
        var known = loop.collations().get(id);
        if (known != null) {
            InternalCommand.query(backend, "SET NAMES " + known, then(backend, result -> backend.hasCollation()));
            return;
        }
        var names = new ArrayList<String>();
        InternalCommand.select(
                backend,
                "SELECT CONCAT(character_set_name, ' COLLATE ', collation_name) FROM information_schema.collations"
                        + " WHERE id = " + id,
                firstColumn(names),
                then(backend, result -> loop.collations().put(id, names.isEmpty() ? "DEFAULT" : names.getFirst())));
    }

    /** Makes sure that this connection knows the session's LAST_INSERT_ID(). False when it does. */
    private boolean bringInsertId(SessionBackend backend) {
        var id = session.insertId();
        var holder = id.backend();
        switch (id.place()) {
            case HERE -> {
                if (id.value() == 0 && !backend.hasForeignInsertId()) {
                    return false;
                }
                InternalCommand.query(
                        backend,
                        "SET last_insert_id = " + Long.toUnsignedString(id.value()),
                        then(backend, result -> keepsInsertId(backend)));
            }
            case ON_BACKEND -> {
                if (holder == null || holder == backend) {
                    return false;
                }
                askInsertId(holder, session, backend);
            }
            case ASKED_FOR ->
                callback.unavailable(
                        ErrorCatalogue.shardUnreachable(shard.name(), "LAST_INSERT_ID() is being fetched"));
            case LOST -> callback.refused(ErrorCatalogue.lastStatementGone());
        }
        return true;
    }

    private void keepsInsertId(SessionBackend backend) {
        backend.hasOwnInsertId();
        session.insertId().isOn(backend);
    }

    /** Asks one connection for the LAST_INSERT_ID() of a session before that knowledge is lost. */
    private void askInsertId(SessionBackend holder, ClientSession of, SessionBackend goOnWith) {
        var answer = new ArrayList<String>();
        InternalCommand.select(holder, "SELECT LAST_INSERT_ID()", firstColumn(answer), then(goOnWith, result -> {
            of.insertId().told(holder, Long.parseUnsignedLong(answer.getFirst()));
            holder.insertIdSaved();
        }));
    }

    private static ResponseScanner.PacketListener firstColumn(List<String> values) {
        return new ResponseScanner.PacketListener() {
            @Override
            public void onColumn(ByteBuf payload) {}

            @Override
            public void onRow(ByteBuf payload) {
                values.add(new String(new PayloadReader(payload).lengthEncodedBytes(), StandardCharsets.UTF_8));
            }
        };
    }

    private void begin(SessionBackend backend) {
        var statements = opening;
        if (statements == null) {
            statements = needs.begin() ? firstStatements() : new ArrayDeque<>();
            opening = statements;
        }
        var statement = statements.poll();
        if (statement == null) {
            callback.ready(backend);
        } else {
            InternalCommand.query(backend, statement, then(backend, result -> sent(backend, statement)));
        }
    }

    private Deque<String> firstStatements() {
        var transaction = session.transaction();
        if (transaction.waitsForShard()) {
            return new ArrayDeque<>(transaction.opening());
        }
        return new ArrayDeque<>(transaction.hasBegun() ? List.of() : transaction.characteristics());
    }

    private void sent(SessionBackend backend, String statement) {
        var transaction = session.transaction();
        transaction.characteristicsSent();
        if (transaction.isOpenedBy(statement)) {
            transaction.openedOn(backend);
        } else {
            // A statement that reads no table does not use them up.
            backend.mayKeepCharacteristics();
        }
    }

    /** Made when it is needed: there is a Readying for each statement. */
    private PrepareRetries retries() {
        var kept = retries;
        if (kept == null) {
            kept = new PrepareRetries(runner);
            retries = kept;
        }
        return kept;
    }

    private interface Success {
        void accept(ResponseScanner result);
    }

    private InternalCommand.Callback then(SessionBackend backend, Success success) {
        return answered(backend, result -> {
            success.accept(result);
            next(backend);
        });
    }

    /** Goes on by what the caller does, only if the server has not refused. */
    private InternalCommand.Callback answered(SessionBackend backend, Success success) {
        return new InternalCommand.Callback() {
            @Override
            public void succeeded(ResponseScanner result) {
                success.accept(result);
            }

            @Override
            public void refused(ErrPacket error) {
                if (ErrorCatalogue.refusedUnrun(error)) {
                    backend.retire();
                    callback.unavailable(error);
                    backend.connection().close();
                } else if (error.errno() == ErrorCatalogue.TOO_MANY_STATEMENTS && !backend.isEarly()) {
                    retries().after(backend, this::again, () -> callback.refused(error));
                } else {
                    callback.refused(error);
                }
            }

            private void again() {
                if (backend.connection().isOpen()) {
                    next(backend);
                } else {
                    lost();
                }
            }

            @Override
            public void lost() {
                if (runner.isGone()) {
                    callback.abandoned();
                } else {
                    callback.unavailable(ErrorCatalogue.connectionLost(shard.name()));
                }
            }
        };
    }
}
