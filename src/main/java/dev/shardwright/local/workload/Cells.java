package dev.shardwright.local.workload;

import dev.shardwright.topology.vindex.ShardKeyValue;
import dev.shardwright.topology.vindex.Vindex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Rows grouped by the first byte of their keyspace id. Rows of one cell are on one shard as long as
 * shards are cut at whole first bytes, before and after any split, so a client can know what belongs
 * together without asking where shards are.
 */
final class Cells {
    private final List<List<Long>> pairable;

    Cells(Vindex vindex, int accounts) {
        pairable = of(vindex, 1, accounts).values().stream()
                .filter(cell -> cell.size() > 1)
                .toList();
    }

    /** The ids {@code first} to {@code last} by cell. IllegalStateException if one maps to no shard. */
    static Map<Integer, List<Long>> of(Vindex vindex, long first, long last) {
        var cells = new TreeMap<Integer, List<Long>>();
        for (long id = first; id <= last; id++) {
            byte[] keyspaceId = vindex.keyspaceId(List.of(ShardKeyValue.Int.of(id)));
            if (keyspaceId == null || keyspaceId.length == 0) {
                throw new IllegalStateException(
                        "the vindex maps " + id + " to no shard; the workload needs one that takes a BIGINT");
            }
            cells.computeIfAbsent(keyspaceId[0] & 0xff, _ -> new ArrayList<>()).add(id);
        }
        return cells;
    }

    /** Whether there are two accounts that share a cell. */
    boolean hasPairs() {
        return !pairable.isEmpty();
    }

    /** Two different accounts of one cell. */
    long[] pair(RandomGenerator random) {
        var cell = pairable.get(random.nextInt(pairable.size()));
        int from = random.nextInt(cell.size());
        int to = (from + 1 + random.nextInt(cell.size() - 1)) % cell.size();
        return new long[] {cell.get(from), cell.get(to)};
    }
}
