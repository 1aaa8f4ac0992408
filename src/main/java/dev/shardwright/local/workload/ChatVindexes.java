package dev.shardwright.local.workload;

import dev.shardwright.api.VSchema;
import dev.shardwright.api.VSchema.ColumnVindex;
import dev.shardwright.api.VSchema.ShardKeyColumn;
import dev.shardwright.api.VSchema.TableSpec;
import dev.shardwright.api.VSchema.VindexSpec;
import dev.shardwright.topology.vindex.Vindex;
import dev.shardwright.topology.vindex.Vindexes;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How a keyspace places the chat's tables. */
public final class ChatVindexes {
    private ChatVindexes() {}

    /** The vschema that spreads all of the chat's tables by xxhash. */
    public static VSchema vschema() {
        var tables = ChatTable.all().stream()
                .map(table -> new TableSpec(
                        table.tableName(),
                        List.of(new ColumnVindex(
                                List.of(new ShardKeyColumn(table.shardKey(), "bigint", null)), "by_id"))))
                .toList();
        return new VSchema(VSchema.UnlistedTables.FirstShard, List.of(new VindexSpec("by_id", "xxhash")), tables);
    }

    /** The vindex of each table; IllegalArgumentException if the vschema does not spread it by the column that it must. */
    public static Map<ChatTable, Vindex> of(VSchema vschema) {
        var vindexes = new EnumMap<ChatTable, Vindex>(ChatTable.class);
        ChatTable.all().forEach(table -> vindexes.put(table, of(vschema, table)));
        return vindexes;
    }

    private static Vindex of(VSchema vschema, ChatTable table) {
        for (var spec : vschema.tables()) {
            if (spec.name().equals(table.tableName()) && isBy(spec, table.shardKey())) {
                String name = spec.columnVindexes().getFirst().vindex();
                return vschema.vindexes().stream()
                        .filter(vindex -> vindex.name().equals(name))
                        .map(vindex -> Vindexes.of(vindex.type()))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("the vschema has no vindex " + name));
            }
        }
        throw new IllegalArgumentException("the workload needs table " + table.tableName()
                + " in the keyspace's vschema," + " with a vindex on its bigint column " + table.shardKey());
    }

    private static boolean isBy(TableSpec spec, String column) {
        return !spec.columnVindexes().isEmpty()
                && spec.columnVindexes().getFirst().columns().stream()
                        .map(ShardKeyColumn::name)
                        .toList()
                        .equals(List.of(column));
    }
}
