package dev.shardwright.reshard.workflow;

import dev.shardwright.mysql.admin.MysqlAccount;
import dev.shardwright.mysql.admin.ShardAdmin;
import dev.shardwright.topology.model.Endpoint;
import java.sql.SQLException;

/** Opens admin connections to shards' servers. */
@FunctionalInterface
public interface Admins {

    /**
     * A new connection to the server of this shard. It is opened first, then leadership is checked, then
     * the server's identity; only then may it be used.
     */
    ShardAdmin open(String shardUid, Endpoint endpoint) throws SQLException;

    /** By the operator's account on all servers of a keyspace. */
    static Admins of(String keyspace, MysqlAccount account, Leadership leadership) {
        return (uid, endpoint) ->
                ShardAdmin.open(endpoint.host(), endpoint.port(), account, keyspace, uid, leadership::ensure);
    }
}
