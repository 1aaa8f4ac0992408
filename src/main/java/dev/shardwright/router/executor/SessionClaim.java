package dev.shardwright.router.executor;

import dev.shardwright.router.pool.Claim;
import dev.shardwright.router.protocol.BackendConnector;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardEntry;

/** A client's session wants a connection, as the session's own user and with its database. */
abstract class SessionClaim implements Claim {
    final SessionRunner runner;
    final ShardEntry shard;

    SessionClaim(SessionRunner runner, ShardEntry shard) {
        this.runner = runner;
        this.shard = shard;
    }

    @Override
    public final ShardEntry shard() {
        return shard;
    }

    @Override
    public final SessionBackend.Owner owner() {
        return runner.backends();
    }

    @Override
    public final BackendConnector.Login login() {
        return runner.backendLogin(runner.session().database());
    }
}
