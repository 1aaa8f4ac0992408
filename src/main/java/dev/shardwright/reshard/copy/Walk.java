package dev.shardwright.reshard.copy;

import java.util.ArrayList;
import java.util.List;

/** A partition of which all after {@code from} is to be read. */
public record Walk(PartitionState state, Frontier from) {
    /** By MySQL's estimate, for which no table has less than a page of 16 KiB. */
    private static final long SMALL_BYTES = 64 << 10;

    private static final int MOST_TOGETHER = 32;

    /** In the same order, with as many small tables together as one chunk easily holds, but some for each reader. */
    public static List<List<Walk>> grouped(List<Walk> walks, int readers) {
        var small = walks.stream().filter(Walk::isSmall).toList();
        var together = Math.clamp(Math.ceilDiv(small.size(), readers), 1, MOST_TOGETHER);
        var groups = new ArrayList<List<Walk>>();
        walks.stream().filter(walk -> !walk.isSmall()).forEach(walk -> groups.add(List.of(walk)));
        for (int at = 0; at < small.size(); at += together) {
            groups.add(small.subList(at, Math.min(small.size(), at + together)));
        }
        return groups;
    }

    private boolean isSmall() {
        var table = state.table();
        return table.rowsEstimated() * table.averageRowBytes() <= SMALL_BYTES;
    }
}
