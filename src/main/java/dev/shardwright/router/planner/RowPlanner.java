package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.Plan.Keys;
import dev.shardwright.router.planner.Plan.Merge;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** From the tables that a statement names, and what pins them, to its plan. */
final class RowPlanner {
    private final TableUses uses;

    RowPlanner(TableUses uses) {
        this.uses = uses;
    }

    /** Null when a sharded table is named; else the plan. */
    @Nullable
    Plan unsharded(Access access) {
        var sharded = uses.sharded();
        if (sharded.isEmpty()) {
            return uses.isEmpty() ? new Plan.AnyShard(access) : new Plan.FirstShard(access);
        }
        if (uses.hasFirstShard() || uses.hasSystem()) {
            throw Refusal.unsupported(
                    "a statement over the sharded table '" + sharded.get(0).alias()
                            + "' and a table that lives on the first shard only",
                    "split it into two statements");
        }
        return null;
    }

    /** {@code merge} throws Refusal when the statement can't run on several shards. */
    Plan read(Access access, Supplier<Merge> merge) {
        var groups = uses.groups();
        if (groups.size() == 1) {
            var pins = pins(groups.get(0));
            return pins.isEmpty()
                    ? new Plan.Scatter(merge.get())
                    : new Plan.Keyed(access, best(pins), List.of(), false, orNull(merge));
        }
        return new Plan.Keyed(access, keys(groups).get(0), keys(groups).subList(1, groups.size()), false, null);
    }

    private static @Nullable Merge orNull(Supplier<Merge> merge) {
        try {
            return merge.get();
        } catch (Refusal onlyOnOneShard) {
            return null;
        }
    }

    Plan write(String verb) {
        var groups = uses.groups();
        if (groups.size() == 1 && pins(groups.get(0)).isEmpty()) {
            throw Refusal.unsupported(
                    verb + " of the sharded table '" + groups.get(0).alias() + "' without its shard key",
                    "it would need several shards: add " + keyColumn(groups.get(0))
                            + " = value or IN (values) to WHERE");
        }
        var keys = keys(groups);
        return new Plan.Keyed(Access.WRITE, keys.get(0), keys.subList(1, keys.size()), false, null);
    }

    private List<Keys> keys(List<TableUse> groups) {
        for (var group : groups) {
            if (pins(group).isEmpty()) {
                throw Refusal.unsupported(
                        "a join or subquery of sharded tables that are not compared by their shard keys ('"
                                + groups.get(0).alias() + "' and '"
                                + groups.get(1).alias() + "')",
                        "join them by " + keyColumn(group) + ", or give the shard key of each by =");
            }
        }
        return groups.stream().map(group -> best(pins(group))).toList();
    }

    private List<Keys> pins(TableUse use) {
        return uses.placement().pins(use.id());
    }

    private static String keyColumn(TableUse use) {
        return use.table() == null ? "the shard key" : use.table().keyColumn();
    }

    private static Keys best(List<Keys> pins) {
        return pins.stream()
                .min(Comparator.comparingInt(keys -> keys.values().size()))
                .orElseThrow();
    }
}
