package dev.shardwright.reshard.workflow;

import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.WorkflowEntry.Member;

/** Where shards' MySQL servers come from and go to. All calls are idempotent and return at once. */
public interface ShardHosts {

    /**
     * Makes sure that a server for this shard exists or is being made. A new server starts fenced
     * (offline_mode and read_only on), with the keyspace's database, our accounts, the application
     * users and its identity.
     */
    Provision provision(Member shard);

    /**
     * Stops a retired shard's server for good; its volume stays unless the keyspace says otherwise.
     * True once nothing of it runs any more.
     */
    boolean retire(Member shard);

    sealed interface Provision {
        /** The server answers at this address and its identity is the shard's uid. */
        record Ready(Endpoint endpoint) implements Provision {}

        /** Not yet; {@code reason} in words for the status. */
        record Pending(String reason) implements Provision {}
    }
}
