package dev.shardwright.router.pool;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.protocol.BackendConnector.Login;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardEntry;

/** A session's wish for a connection to a shard. Answered once, by {@link #granted} or {@link #failed}. */
public interface Claim {
    ShardEntry shard();

    SessionBackend.Owner owner();

    Login login();

    /** There is a place for it: it waits for no other session any more. Called once, before {@link #granted}. */
    void reserved();

    /** The claim's owner has it now. */
    void granted(SessionBackend backend);

    /** Whether its owner still has a use for a connection that has come. If not the claim fails, and others get it. */
    default boolean isWanted() {
        return true;
    }

    /** @param mayComeBack the same may work soon; nothing was run */
    void failed(ErrPacket error, boolean mayComeBack);
}
