package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.protocol.BackendConnection;
import dev.shardwright.router.protocol.BackendConnector;
import dev.shardwright.router.protocol.ConnectFailure;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.SessionBackend;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends what one backend connection runs, by a connection of the same user that is opened aside, as its own is busy. On
 * the event loop of the session that has it.
 */
final class Interruption implements BackendConnector.Callback, InternalCommand.Callback {

    /** Called once; {@code error}: null when nothing of it runs any more, or it had ended by itself. */
    interface Callback {
        void ended(@Nullable ErrPacket error);
    }

    private final SessionBackend victim;
    private final boolean queryOnly;
    private final BooleanSupplier wanted;
    private final Callback callback;
    private @Nullable BackendConnection own;

    private Interruption(SessionBackend victim, boolean queryOnly, BooleanSupplier wanted, Callback callback) {
        this.victim = victim;
        this.queryOnly = queryOnly;
        this.wanted = wanted;
        this.callback = callback;
    }

    /**
     * Until the callback, nobody else can get the connection, whose statement could be hit instead.
     *
     * @param queryOnly the statement ends but not its server session
     * @param wanted asked once more when the connection aside is ready
     */
    static void start(
            SessionRunner target, SessionBackend victim, boolean queryOnly, BooleanSupplier wanted, Callback callback) {
        victim.guard(true);
        target.loop()
                .pools()
                .openAside(
                        victim.shard(),
                        target.backendLogin(null),
                        new Interruption(victim, queryOnly, wanted, callback));
    }

    @Override
    public void connected(BackendConnection connection) {
        own = connection;
        if (!wanted.getAsBoolean()) {
            done(null);
            return;
        }
        InternalCommand.query(
                connection,
                (queryOnly ? "KILL QUERY " : "KILL ") + victim.connection().serverSession(),
                this);
    }

    @Override
    public void failed(ConnectFailure reason) {
        done(ErrorCatalogue.shardUnreachable(victim.shard().name(), reason.why()));
    }

    @Override
    public void succeeded(ResponseScanner result) {
        done(null);
    }

    @Override
    public void refused(ErrPacket error) {
        // The session has ended by itself.
        done(error.errno() == ErrorCatalogue.UNKNOWN_THREAD ? null : error);
    }

    @Override
    public void lost() {
        if (own != null) {
            done(ErrorCatalogue.connectionLost(victim.shard().name()));
        }
    }

    private void done(@Nullable ErrPacket error) {
        var connection = own;
        own = null;
        if (connection != null) {
            connection.close();
        }
        victim.guard(false);
        callback.ended(error);
    }
}
