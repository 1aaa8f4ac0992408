package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.protocol.BackendConnection;
import dev.shardwright.router.protocol.BackendConnector;
import dev.shardwright.router.protocol.ConnectFailure;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.ClientSession;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.router.session.SessionBackend.BackendStatement;
import dev.shardwright.router.session.SessionBackend.StatementKey;
import dev.shardwright.topology.model.ShardEntry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a backend connection ready for a statement of the session: opens it, brings its variables and
 * database up to date, prepares the statement, begins the transaction. Nothing of this touches a row, so
 * whatever fails here may be done again.
 */
final class Readying implements BackendConnector.Callback {

    /** Called once. */
    interface Callback {
        void ready(SessionBackend backend);

        /** A server refused for good. */
        void refused(ErrPacket error);

        /** The same may work soon. */
        void unavailable(ErrPacket error);
    }

    /**
     * What the statement needs.
     *
     * @param begin it belongs to the session's transaction, and opens it if that waits for its first shard
     * @param key the statement to be prepared, with its text; both null for none
     * @param several the text is for the server to take apart
     */
    record Needs(boolean begin, @Nullable StatementKey key, byte @Nullable [] sql, boolean several) {
        Needs(boolean begin, @Nullable StatementKey key, byte @Nullable [] sql) {
            this(begin, key, sql, false);
        }

        static final Needs NOTHING = new Needs(false, null, null);
        static final Needs BEGIN = new Needs(true, null, null);
    }

    private final RouterLoop loop;
    private final ClientSession session;
    private final SessionRunner runner;
    private final ShardEntry shard;
    private final Needs needs;
    private final Callback callback;
    private @Nullable Deque<String> opening;

    private Readying(SessionRunner runner, ShardEntry shard, Needs needs, Callback callback) {
        this.runner = runner;
        this.loop = runner.loop();
        this.session = runner.session();
        this.shard = shard;
        this.needs = needs;
        this.callback = callback;
    }

    /** Calls back at once when nothing is to be done. */
    static void start(SessionRunner runner, ShardEntry shard, Needs needs, Callback callback) {
        var readying = new Readying(runner, shard, needs, callback);
        var backend = session(runner, shard);
        if (backend == null) {
            readying.connect();
        } else {
            readying.next(backend);
        }
    }

    /** Brings this very connection up to date with the session's variables. */
    static void refresh(SessionRunner runner, SessionBackend backend, Callback callback) {
        new Readying(runner, backend.shard(), Needs.NOTHING, callback).next(backend);
    }

    private static @Nullable SessionBackend session(SessionRunner runner, ShardEntry shard) {
        var open = runner.session().transaction().backend();
        return open != null && open.shard().uid().equals(shard.uid())
                ? open
                : runner.session().backend(shard.uid());
    }

    private void connect() {
        var client = session.client();
        loop.connector()
                .connect(
                        loop.eventLoop(),
                        shard,
                        new BackendConnector.Login(
                                client.user(),
                                client.password(),
                                session.database(),
                                client.capabilities(),
                                client.collation()),
                        this);
    }

    @Override
    public void connected(BackendConnection connection) {
        var backend = runner.adopt(connection);
        if (backend != null) {
            runner.guarded(() -> next(backend));
        }
    }

    @Override
    public void failed(ConnectFailure failure) {
        if (!runner.isGone()) {
            runner.guarded(() -> tell(failure));
        }
    }

    private void tell(ConnectFailure failure) {
        var answer = failure.answer();
        if (failure.mayComeBack() || answer == null) {
            callback.unavailable(ErrorCatalogue.shardUnreachable(shard.name(), failure.why()));
        } else {
            callback.refused(answer);
        }
    }

    private void next(SessionBackend backend) {
        var variable = session.variables().after(backend.variables());
        if (variable != null) {
            InternalCommand.query(
                    backend,
                    variable.assignment().sql(),
                    then(backend, result -> backend.hasVariables(variable.version())));
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
        var sql = needs.sql();
        if (key != null && sql != null && backend.statement(key) == null) {
            InternalCommand.prepare(
                    backend,
                    sql,
                    then(backend, result -> backend.prepared(key, new BackendStatement(result.statementId()))));
            return;
        }
        begin(backend);
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
        return new ArrayDeque<>(transaction.backend() == null ? transaction.characteristics() : List.of());
    }

    private void sent(SessionBackend backend, String statement) {
        session.transaction().characteristicsSent();
        if (statement.startsWith("START TRANSACTION")) {
            session.transaction().openedOn(backend);
        }
    }

    private interface Success {
        void accept(ResponseScanner result);
    }

    private InternalCommand.Callback then(SessionBackend backend, Success success) {
        return new InternalCommand.Callback() {
            @Override
            public void succeeded(ResponseScanner result) {
                success.accept(result);
                next(backend);
            }

            @Override
            public void refused(ErrPacket error) {
                if (ErrorCatalogue.refusedUnrun(error)) {
                    backend.retire();
                    callback.unavailable(error);
                    backend.connection().close();
                } else {
                    callback.refused(error);
                }
            }

            @Override
            public void lost() {
                if (!runner.isGone()) {
                    callback.unavailable(ErrorCatalogue.shardUnreachable(shard.name(), "the connection was lost"));
                }
            }
        };
    }
}
