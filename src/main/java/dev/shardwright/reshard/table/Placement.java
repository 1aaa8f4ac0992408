package dev.shardwright.reshard.table;

import dev.shardwright.api.VSchema;
import dev.shardwright.mysql.binlog.ColumnKind;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.vindex.ShardKeyValue;
import dev.shardwright.topology.vindex.Vindex;
import dev.shardwright.topology.vindex.Vindexes;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which target a row of the source belongs to. Immutable, thread-safe. */
public final class Placement {
    private record ShardKey(Vindex vindex, List<Integer> columns) {}

    /** Any integer of so many digits is in a long's range. */
    private static final int LONG_DIGITS = 18;

    private final KeyRange source;
    private final List<KeyRange> targets;
    private final Map<String, ShardKey> shardKeys = new HashMap<>();

    /** @param tables the source's, checked against the vschema before */
    public Placement(VSchema vschema, KeyRange source, List<KeyRange> targets, List<Table> tables) {
        this.source = source;
        this.targets = List.copyOf(targets);
        for (var table : tables) {
            primaryVindex(vschema, table.name())
                    .ifPresent(key -> shardKeys.put(table.name(), shardKey(vschema, table, key)));
        }
    }

    public static java.util.Optional<VSchema.ColumnVindex> primaryVindex(VSchema vschema, String table) {
        return vschema.tables().stream()
                .filter(spec ->
                        spec.name().equals(table) && !spec.columnVindexes().isEmpty())
                .map(spec -> spec.columnVindexes().getFirst())
                .findFirst();
    }

    private static ShardKey shardKey(VSchema vschema, Table table, VSchema.ColumnVindex key) {
        var type = vschema.vindexes().stream()
                .filter(vindex -> vindex.name().equals(key.vindex()))
                .findFirst()
                .orElseThrow(() -> new MoveException(
                        "table " + table.name() + " uses vindex " + key.vindex() + ", which the vschema does not have"))
                .type();
        var names = table.columns().stream().map(Column::name).toList();
        return new ShardKey(
                Vindexes.of(type),
                key.columns().stream()
                        .map(column -> names.indexOf(column.name()))
                        .toList());
    }

    public boolean isSharded(Table table) {
        return shardKeys.containsKey(table.name());
    }

    /** Indexes of the columns that decide where a row lives; empty for a table that lives whole on one shard. */
    public List<Integer> shardKeyColumns(Table table) {
        var key = shardKeys.get(table.name());
        return key == null ? List.of() : key.columns;
    }

    /** Index of the target that owns the row; MoveException when it should not be on the source at all. */
    public int target(Table table, Row row) {
        var id = keyspaceId(table, row);
        if (id == null && isSharded(table)) {
            throw misplaced(table, row, "its shard key maps to no shard");
        }
        if (id == null ? !source.startsAtMinimum() : !source.contains(id)) {
            throw misplaced(
                    table,
                    row,
                    id == null
                            ? "tables that are not in the vschema live on the first shard"
                            : "its keyspace id is " + HexFormat.of().formatHex(id));
        }
        for (int i = 0; i < targets.size(); i++) {
            if (id == null ? targets.get(i).startsAtMinimum() : targets.get(i).contains(id)) {
                return i;
            }
        }
        throw misplaced(table, row, "no target covers it");
    }

    private MoveException misplaced(Table table, Row row, String why) {
        return new MoveException("misplaced row on the source: " + table.rowName(row) + " does not belong to shard "
                + source + ": " + why + "; move or delete it, then start the workflow again");
    }

    /**
     * Whether a row that is on a target, and is not among those of this source, must not be there. Another
     * mover's rows may be: those that the target owns and this source does not.
     */
    public boolean isForeign(int target, Table table, Row row) {
        var id = keyspaceId(table, row);
        if (id == null) {
            return isSharded(table)
                    || source.startsAtMinimum()
                    || !targets.get(target).startsAtMinimum();
        }
        return source.contains(id) || !targets.get(target).contains(id);
    }

    /** Null for a table that is not sharded, and for values that map to no shard. */
    private byte @Nullable [] keyspaceId(Table table, Row row) {
        var key = shardKeys.get(table.name());
        if (key == null) {
            return null;
        }
        var values = new ArrayList<@Nullable ShardKeyValue>();
        for (var index : key.columns) {
            values.add(value(table.columns().get(index), row, index));
        }
        return key.vindex.keyspaceId(values);
    }

    private static @Nullable ShardKeyValue value(Column column, Row row, int index) {
        if (column.kind() == ColumnKind.INTEGER) {
            var packed = row.at(index);
            if (!packed.isNull() && packed.length() <= LONG_DIGITS) {
                return new ShardKeyValue.Int(
                        BigInteger.valueOf(AsciiNumber.parse(packed.memory(), packed.start(), packed.length())));
            }
        }
        var value = row.value(index);
        if (value == null) {
            return null;
        }
        return column.kind() == ColumnKind.INTEGER
                ? new ShardKeyValue.Int(new BigInteger(new String(value, StandardCharsets.US_ASCII)))
                : new ShardKeyValue.Bytes(value);
    }
}
