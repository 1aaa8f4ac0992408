package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardState;

/**
 * A login or a change of user that names another database than the keyspace's: only a keyspace of one shard may have
 * it, and its server says whether it is there and open to this user. The client is answered only then.
 */
final class EnterDatabase extends Execution implements Readying.Callback {
    private final String database;

    EnterDatabase(SessionRunner runner, String database) {
        super(runner);
        this.database = database;
    }

    @Override
    void attempt() {
        if (runner.isGone()) {
            return;
        }
        var view = runner.loop().view();
        if (view == null) {
            runner.error(ErrorCatalogue.noTopology());
        } else if (view.shards().size() > 1) {
            runner.error(ErrorCatalogue.unknownDatabase(database));
        } else if (view.shards().getFirst().state() != ShardState.Serving) {
            holdFor(view.shards().getFirst(), view);
        } else {
            // The session's database is named at the login to its server, which refuses what it does not have.
            Readying.start(runner, view.shards().getFirst(), Readying.Needs.NOTHING, this);
        }
    }

    @Override
    public void ready(SessionBackend backend) {
        if (!runner.isGone()) {
            // A connection that was there before may be in a database that has been dropped meanwhile.
            InternalCommand.useDatabase(backend, database, new Entering(backend));
        }
    }

    private final class Entering implements InternalCommand.Callback {
        private final SessionBackend backend;

        Entering(SessionBackend backend) {
            this.backend = backend;
        }

        @Override
        public void succeeded(ResponseScanner result) {
            runner.rests(backend);
            runner.entered();
        }

        @Override
        public void refused(ErrPacket error) {
            backend.connection().close();
            if (ErrorCatalogue.refusedUnrun(error)) {
                retryLater(error);
            } else {
                runner.error(error);
            }
        }

        @Override
        public void lost() {
            retryLater(ErrorCatalogue.connectionLost(backend.shard().name()));
        }
    }

    @Override
    public void refused(ErrPacket error) {
        runner.error(error);
    }

    @Override
    public void unavailable(ErrPacket error) {
        retryLater(error);
    }
}
