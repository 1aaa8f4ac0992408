package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.table.Key;
import org.jspecify.annotations.Nullable;

/**
 * How far a partition has come: keys up to here are done.
 *
 * @param point null: nothing yet, or everything if {@code complete}
 */
public record Frontier(@Nullable KeyPoint point, boolean complete) {
    public static final Frontier NONE = new Frontier(null, false);
    public static final Frontier COMPLETE = new Frontier(null, true);

    public boolean covers(Key key) {
        return complete || (point != null && key.compareTo(point.key()) <= 0);
    }

    /** Whether everything up to {@code other} is done. */
    public boolean reaches(Frontier other) {
        return complete || (!other.complete && (other.point == null || covers(other.point.key())));
    }

    public static Frontier min(Frontier one, Frontier other) {
        return one.reaches(other) ? other : one;
    }

    public static Frontier max(Frontier one, Frontier other) {
        return one.reaches(other) ? one : other;
    }

    /** Where a chunk ends. */
    static Frontier of(Chunk chunk) {
        return chunk.end() == null ? COMPLETE : new Frontier(chunk.end(), false);
    }
}
