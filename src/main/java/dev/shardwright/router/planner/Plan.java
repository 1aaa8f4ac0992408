package dev.shardwright.router.planner;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to do with a statement. Made once per normalised statement and cached; {@link Route} then turns
 * a plan and this execution's values into shards.
 */
public sealed interface Plan {

    /** Whether a statement writes; an autocommit read that runs when a shard is fenced may finish. */
    enum Access {
        READ,
        /** SELECT ... FOR UPDATE/SHARE, or any SELECT that may write: treated as a write by the fence. */
        LOCKING_READ,
        WRITE
    }

    /** The keyspace has one shard: every statement goes there as it came. */
    record PassThrough(Access access) implements Plan {}

    /** All tables are FirstShard tables: the statement goes as it came to the shard at the minimum. */
    record FirstShard(Access access) implements Plan {}

    /** Names no table (SELECT 1, SELECT @@x, SHOW VARIABLES ...): any shard will do, best the one in use. */
    record AnyShard(Access access) implements Plan {}

    /**
     * The primary vindex is given: by one value, by a list, or (multi-row INSERT) one for each row.
     * If all values map to one shard, the statement goes there as it came. If they map to several, a
     * READ runs on these under {@code merge} and a write is refused.
     *
     * @param table the sharded table, as in the vschema
     * @param keys one for each value, each with one operand for each column of the primary vindex
     * @param insert an INSERT: a value that is not stored exactly as given, or maps to no shard, is refused;
     *     otherwise such a comparison makes the statement go to all shards or match nothing
     */
    record Keyed(
            Access access,
            String table,
            List<List<Operand>> keys,
            boolean insert,
            @Nullable Merge merge) implements Plan {}

    /** All shards in parallel, reads only; merged as {@code merge} says. */
    record Scatter(Merge merge) implements Plan {}

    /** A DDL statement: runs on all shards; refused while a workflow is there. */
    record Ddl(boolean sharded) implements Plan {}

    /** The session itself answers; see {@link SessionStatement}. */
    record Session(SessionStatement statement) implements Plan {}

    /** Refused with this error; nothing is sent anywhere. */
    record Refused(int errno, String sqlState, String message) implements Plan {}

    /** Where a shard-key value is found when the statement runs. */
    sealed interface Operand {
        /** The n-th literal of the statement, counted as the scanner counts them, from 0. */
        record Literal(int index) implements Operand {}

        /** The n-th parameter of a prepared statement, from 0. */
        record Parameter(int index) implements Operand {}

        /** SQL NULL written in the statement. */
        record Null() implements Operand {}
    }

    /** How the answers of several shards become one. */
    sealed interface Merge {
        /** One after another, in shard order. */
        record Concatenate(@Nullable Limit limit) implements Merge {}

        /**
         * Each shard runs {@code sql} (sorted, with its own limit of offset + count, and with the sort
         * keys appended as hidden trailing columns); the streams are merged by these.
         */
        record Sort(
                String sql,
                int visibleColumns,
                List<SortKey> keys,
                @Nullable Limit limit) implements Merge {}

        /** COUNT/SUM/MIN/MAX without grouping: one row from each shard, folded column by column. */
        record Aggregate(String sql, List<Fold> folds, int visibleColumns) implements Merge {}
    }

    /** A sort key; {@code column} is the 0-based column of the rows as shards send them. */
    record SortKey(int column, boolean descending, Comparison comparison) {}

    enum Comparison {
        /** Bytes of WEIGHT_STRING or a binary column, as unsigned; NULL first. */
        BYTES,
        /** Numbers, compared exactly; NULL first. */
        NUMBER
    }

    enum Fold {
        SUM,
        COUNT,
        MIN,
        MAX
    }

    /** LIMIT with operands, as they may be parameters. */
    record Limit(@Nullable Operand offset, Operand count) {}
}
