package dev.shardwright.router.pool;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts over all event loops.
 *
 * @param open connections
 * @param waiting statements that wait for one
 */
public record PoolCounters(AtomicInteger open, AtomicInteger waiting) {}
