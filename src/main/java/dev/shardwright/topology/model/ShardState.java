package dev.shardwright.topology.model;

/** Whether routers may send statements to a shard. */
public enum ShardState {
    Serving,
    /** A switchover has begun: routers hold new statements and transactions. */
    Fenced,
    /** A switchover is being undone: MySQL is opened again; routers still hold. */
    Unfencing
}
