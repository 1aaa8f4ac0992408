package dev.shardwright.router.planner;

import dev.shardwright.api.VSchema.ShardKeyColumn;
import dev.shardwright.api.VSchema.TableSpec;
import java.util.List;
import java.util.Locale;

/**
 * A table of the vschema.
 *
 * @param vindex name of its primary vindex
 * @param key the columns that the primary vindex takes, in order
 */
record ShardedTable(String name, String vindex, List<ShardKeyColumn> key) {

    static ShardedTable of(TableSpec spec) {
        var primary = spec.columnVindexes().get(0);
        return new ShardedTable(spec.name(), primary.vindex(), primary.columns());
    }

    /** The one shard-key column's name as the vschema has it. */
    String keyColumn() {
        return key.get(0).name();
    }

    boolean isKey(String column) {
        return key.stream().anyMatch(part -> part.name().equalsIgnoreCase(column));
    }

    /** Rows of both with equal shard keys are on one shard. */
    boolean placesLike(ShardedTable other) {
        return vindex.equals(other.vindex)
                && key.size() == 1
                && other.key.size() == 1
                && typeOf(key.get(0)).equals(typeOf(other.key.get(0)));
    }

    private static String typeOf(ShardKeyColumn column) {
        return column.type()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("\\(.*?\\)", "")
                        .strip() + "/" + column.collation();
    }
}
