package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.table.Column;
import dev.shardwright.reshard.table.Key;
import dev.shardwright.reshard.table.KeyEncoder;
import dev.shardwright.reshard.table.Sql;
import dev.shardwright.reshard.table.Table;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A part of a table that is walked on its own, chunk after chunk. The partitions of a table follow each
 * other without gap.
 *
 * @param from smallest value of the key's first column, inclusive; null: no bound
 * @param to largest value of the key's first column, exclusive; null: no bound
 */
public record Partition(
        int number, @Nullable BigInteger from, @Nullable BigInteger to) {

    /** Its part of a WHERE clause; "TRUE" when it is the whole table. */
    String where(Table table) {
        var name = Sql.name(first(table).name());
        var lower = from == null ? "" : name + " >= " + from;
        var upper = to == null ? "" : name + " < " + to;
        if (lower.isEmpty() && upper.isEmpty()) {
            return "TRUE";
        }
        return lower.isEmpty() || upper.isEmpty() ? lower + upper : lower + " AND " + upper;
    }

    /** Null when there is no bound; else all keys of this partition sort before it and all later ones after. */
    @Nullable
    Key end(Table table) {
        return to == null ? null : KeyEncoder.before(first(table), to);
    }

    private static Column first(Table table) {
        return table.keyColumns().getFirst();
    }
}
