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
     * read with a {@code merge} runs on these, and anything else is refused.
     *
     * @param keys the values that decide the shard
     * @param alsoOn further tables of the statement, pinned by values of their own; all of these must map
     *     to the same one shard as {@code keys}, else the statement is refused
     * @param insert an INSERT: a value that is not stored exactly as given, or maps to no shard, is refused;
     *     otherwise such a comparison makes the statement go to all shards or match nothing
     * @param merge null when the statement can only run on one shard
     */
    record Keyed(
            Access access,
            Keys keys,
            List<Keys> alsoOn,
            boolean insert,
            @Nullable Merge merge) implements Plan {
        public Keyed {
            alsoOn = List.copyOf(alsoOn);
        }
    }

    /**
     * Values for a table's primary vindex.
     *
     * @param table the sharded table, as in the vschema
     * @param values one for each value, each with one operand for each column of the primary vindex
     */
    record Keys(String table, List<List<Operand>> values) {
        public Keys {
            values = List.copyOf(values);
        }
    }

    /** All shards in parallel, reads only; merged as {@code merge} says. */
    record Scatter(Merge merge) implements Plan {}

    /**
     * A DDL statement; refused while a workflow is there.
     *
     * @param sharded true: runs on all shards; false: on the shard at the minimum only
     */
    record Ddl(boolean sharded) implements Plan {}

    /** The session itself answers; see {@link SessionStatement}. */
    record Session(SessionStatement statement) implements Plan {}

    /** Refused with this error; nothing is sent anywhere. */
    record Refused(int errno, String sqlState, String message) implements Plan {}

    /** Where a shard-key value is found when the statement runs. */
    sealed interface Operand {
        /**
         * The n-th literal of the statement, counted as the scanner counts them, from 0.
         *
         * @param negative a minus sign stands before it
         * @param introducer the character set named before it, such as {@code _binary}, in lower case
         */
        record Literal(
                int index, boolean negative, @Nullable String introducer) implements Operand {}

        /** The n-th parameter of a prepared statement, from 0. */
        record Parameter(int index) implements Operand {}

        /** SQL NULL written in the statement. */
        record Null() implements Operand {}
    }

    /**
     * How the answers of several shards become one. {@code rewrite} is what each shard is sent instead of
     * the client's text; null: the text as it came.
     */
    sealed interface Merge {
        @Nullable
        Rewrite rewrite();

        /** Null: no LIMIT. Each shard is asked for offset + count rows from its first, see {@link Rewrite}. */
        @Nullable
        Limit limit();

        /** One after another, in shard order. */
        record Concatenate(
                @Nullable Rewrite rewrite, @Nullable Limit limit) implements Merge {}

        /**
         * Each shard sorts, with the sort keys appended as the last {@code hiddenColumns} columns; the
         * streams are merged by these.
         */
        record Sort(
                @Nullable Rewrite rewrite,
                int hiddenColumns,
                List<SortKey> keys,
                @Nullable Limit limit) implements Merge {
            public Sort {
                keys = List.copyOf(keys);
            }
        }

        /** COUNT/SUM/MIN/MAX without grouping: at most one row from each shard, folded column by column. */
        record Aggregate(@Nullable Rewrite rewrite, int hiddenColumns, List<Fold> folds) implements Merge {
            public Aggregate {
                folds = List.copyOf(folds);
            }

            @Override
            public @Nullable Limit limit() {
                return null;
            }
        }
    }

    /**
     * A sort key, in hidden columns counted from the first hidden one. Which of these is compared is
     * decided by the type that the shards report: text by its weight, anything else by its value.
     *
     * @param value the sort expression itself
     * @param weight WEIGHT_STRING of it
     * @param collation COLLATION of it
     */
    record SortKey(int value, int weight, int collation, boolean descending) {}

    /** How one visible column is folded. */
    sealed interface Fold {
        record Sum() implements Fold {}

        record Count() implements Fold {}

        /** {@code weight} and {@code collation}: hidden columns of the value, as in {@link SortKey}. */
        record Extreme(boolean max, int weight, int collation) implements Fold {}
    }

    /** LIMIT with operands, as they may be parameters. */
    record Limit(@Nullable Operand offset, Operand count) {}
}
