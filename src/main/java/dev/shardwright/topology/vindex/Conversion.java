package dev.shardwright.topology.vindex;

/** What a shard-key column stores when it is given a value. */
public sealed interface Conversion {

    /** Exactly what was given. */
    record Stored(ShardKeyValue value) implements Conversion {}

    /** Something else, or nothing: cut, padded, rounded, converted or refused by MySQL; {@code reason} names it. */
    record WouldBend(String reason) implements Conversion {}
}
