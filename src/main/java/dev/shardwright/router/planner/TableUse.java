package dev.shardwright.router.planner;

import org.jspecify.annotations.Nullable;

/**
 * One appearance of a table (or of a derived table) in a statement.
 *
 * @param id its number within the statement
 * @param alias the name that columns are qualified by
 * @param table null for a derived table
 */
record TableUse(
        int id,
        String alias,
        @Nullable String database,
        PlanningSchema.@Nullable Kind kind,
        @Nullable ShardedTable table) {

    boolean sharded() {
        return table != null;
    }
}
