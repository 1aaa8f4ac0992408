package dev.shardwright.router.planner;

/** LIMIT's numbers at one execution: skip {@code offset} rows, then return at most {@code count}. */
public record RowLimit(long offset, long count) {
    public static final RowLimit NONE = new RowLimit(0, Long.MAX_VALUE);

    /** How many rows each of several shards has to return. */
    public long forEachShard() {
        return offset > Long.MAX_VALUE - count ? Long.MAX_VALUE : offset + count;
    }
}
