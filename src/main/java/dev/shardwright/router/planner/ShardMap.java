package dev.shardwright.router.planner;

import dev.shardwright.api.VSchema.VindexSpec;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.vindex.ShardKeyType;
import dev.shardwright.topology.vindex.ShardKeyValue;
import dev.shardwright.topology.vindex.Vindex;
import dev.shardwright.topology.vindex.Vindexes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A topology made ready for look-ups; made once for each epoch, thread-safe. */
public final class ShardMap {
    private final Topology topology;
    private final byte[][] starts;
    private final List<Integer> all;
    private final Map<String, Table> tables = new HashMap<>();

    /** How a table's rows find their shard. */
    record Table(String name, String column, ShardKeyType type, Vindex vindex) {}

    private ShardMap(Topology topology) {
        this.topology = topology;
        this.starts =
                topology.shards().stream().map(shard -> shard.range().start()).toArray(byte[][]::new);
        this.all = IntStream.range(0, starts.length).boxed().toList();
        var types = new HashMap<String, String>();
        for (VindexSpec vindex : topology.vschema().vindexes()) {
            types.put(vindex.name(), vindex.type());
        }
        for (var spec : topology.vschema().tables()) {
            if (!spec.columnVindexes().isEmpty()) {
                var table = ShardedTable.of(spec);
                var column = table.key().get(0);
                tables.put(
                        spec.name(),
                        new Table(
                                spec.name(),
                                column.name(),
                                ShardKeyType.of(column),
                                Vindexes.of(types.getOrDefault(table.vindex(), table.vindex()))));
            }
        }
    }

    /** The topology must be valid; IllegalArgumentException when its vschema is not. */
    public static ShardMap of(Topology topology) {
        return new ShardMap(topology);
    }

    public Topology topology() {
        return topology;
    }

    /** All shards, as indexes into {@code topology().shards()}. */
    public List<Integer> all() {
        return all;
    }

    /** The shard at the minimum of the key space: the shards are in order. */
    public int first() {
        return 0;
    }

    /** The shard that owns this keyspace id. */
    public int shardOf(byte[] keyspaceId) {
        var low = 0;
        var high = starts.length - 1;
        while (low < high) {
            var middle = (low + high + 1) >>> 1;
            if (Arrays.compareUnsigned(starts[middle], keyspaceId) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    Table table(String name) {
        var table = tables.get(name);
        if (table == null) {
            throw new IllegalStateException("table " + name + " is not in this topology's vschema");
        }
        return table;
    }

    /** The shard of a row with this shard key, or -1 when it maps to none. */
    int shardOf(Table table, @Nullable ShardKeyValue value) {
        var id = table.vindex().keyspaceId(Arrays.asList(value));
        return id == null ? -1 : shardOf(id);
    }
}
