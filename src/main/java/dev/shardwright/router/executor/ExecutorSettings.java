package dev.shardwright.router.executor;

import java.time.Duration;

/**
 * Limits of the execution of statements.
 *
 * @param bufferTimeout how long a statement waits for a shard that is being moved or can't be reached
 * @param drainTimeout how long a transaction on a fenced shard may go on
 * @param statementTimeout how long a statement may run; zero: as long as it takes
 * @param maxPacketBytes largest statement of a client, and all that it may send ahead for one
 */
public record ExecutorSettings(
        String keyspace,
        Duration bufferTimeout,
        Duration drainTimeout,
        Duration statementTimeout,
        int maxPacketBytes) {}
