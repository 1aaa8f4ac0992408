package dev.shardwright.router.pool;

import java.time.Duration;

/**
 * Limits of the connections to shards' servers.
 *
 * @param connections for each shard and user, of all event loops together
 * @param queue statements of one user that may wait for a connection to one shard, on each event loop
 * @param queueTimeout how long a statement waits for one
 * @param idleTimeout how long a connection that no session has is kept
 * @param failFastAfter a shard that could not be reached for so long is not waited for any more
 */
public record PoolSettings(
        int connections, int queue, Duration queueTimeout, Duration idleTimeout, Duration failFastAfter) {
    public static final int CONNECTIONS = 100;
    public static final int QUEUE = 10_000;
    public static final Duration QUEUE_TIMEOUT = Duration.ofSeconds(10);
    public static final Duration IDLE_TIMEOUT = Duration.ofMinutes(1);

    /** The share of one of so many event loops; at least one connection. */
    public PoolSettings forOneOf(int loops) {
        return new PoolSettings(Math.max(1, connections / loops), queue, queueTimeout, idleTimeout, failFastAfter);
    }
}
