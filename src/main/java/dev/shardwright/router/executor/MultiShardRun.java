package dev.shardwright.router.executor;

/** A statement that runs on several shards at once. */
interface MultiShardRun {
    /** The client has caught up with what it was sent. */
    default void clientReadsAgain() {}
}
