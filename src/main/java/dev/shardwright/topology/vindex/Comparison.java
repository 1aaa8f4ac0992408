package dev.shardwright.topology.vindex;

/** Which values of a shard-key column are equal to a given value, as MySQL compares them. */
public sealed interface Comparison {

    /** This one and no other. */
    record Only(ShardKeyValue value) implements Comparison {}

    /** None that the column can hold. */
    record Nothing() implements Comparison {}

    /** MySQL compares by another type or character set, so rows on any shard may match. */
    record Unknown(String reason) implements Comparison {}
}
