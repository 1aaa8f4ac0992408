package dev.shardwright.local.bench;

import dev.shardwright.local.workload.Address;

/** A keyspace of one shard that is split into two while applications use it: what is measured. */
interface Contender extends AutoCloseable {

    /** A stretch of time, in milliseconds since 1970. */
    record Span(long fromMillis, long toMillis) {
        double seconds() {
            return (toMillis - fromMillis) / 1e3;
        }
    }

    /** When rows were copied, and when they were compared. */
    record Moved(Span copy, Span verify) {}

    /** Where applications connect. */
    Address address();

    /** The MySQL server that has all rows until the split, for loading many at once. */
    Address source();

    /** Copies all rows to two new shards and compares them. IllegalStateException if that does not succeed. */
    Moved move() throws InterruptedException;

    /**
     * Lets the new shards serve, or the old one again. IllegalStateException if that does not succeed.
     *
     * @return what is known about its steps, in words; may be empty
     */
    String serve(boolean newShards) throws InterruptedException;

    @Override
    void close();
}
