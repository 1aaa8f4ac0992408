package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Keys;
import dev.shardwright.router.planner.Plan.Operand;
import dev.shardwright.topology.vindex.Comparison;
import dev.shardwright.topology.vindex.Conversion;
import java.math.BigInteger;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * From a plan and one execution's values to shards. A value decides the shard only if the column's type
 * says for certain what MySQL stores for it, or what it matches.
 */
public final class RoutePlanner {
    private static final BigInteger MOST_ROWS = BigInteger.valueOf(Long.MAX_VALUE);

    private final Planned planned;
    private final LiteralValues literals;
    private final Parameters parameters;
    private final ShardMap map;

    private RoutePlanner(Planned planned, StatementContext context, Parameters parameters, ShardMap map) {
        this.planned = planned;
        this.literals = new LiteralValues(planned.scan(), context);
        this.parameters = parameters;
        this.map = map;
    }

    /**
     * Where this execution goes.
     *
     * @param context the one that the statement was planned in
     * @param map must be of a topology with the vschema that the plan was made for
     */
    public static Route route(Planned planned, StatementContext context, Parameters parameters, ShardMap map) {
        return new RoutePlanner(planned, context, parameters, map).route();
    }

    private Route route() {
        return switch (planned.plan()) {
            case Plan.PassThrough _ -> new Route.One(map.first());
            case Plan.FirstShard _ -> new Route.One(map.first());
            case Plan.AnyShard _ -> new Route.Any();
            case Plan.Keyed keyed when keyed.insert() -> insert(keyed);
            case Plan.Keyed keyed -> keyed(keyed);
            case Plan.Scatter scatter -> several(new TreeSet<>(map.all()), scatter.merge());
            case Plan.Ddl ddl -> ddl(ddl);
            case Plan.Session session -> new Route.InSession(session.statement());
            case Plan.Refused refused -> new Route.Refused(refused.errno(), refused.sqlState(), refused.message());
        };
    }

    private Route ddl(Plan.Ddl ddl) {
        var workflows = map.topology().workflows();
        if (!workflows.isEmpty()) {
            return refused("DDL is refused while the workflow '"
                    + workflows.get(0).name() + "' moves rows of this keyspace: complete or cancel it first");
        }
        return new Route.Each(ddl.sharded() ? map.all() : map.all().subList(0, 1));
    }

    private Route insert(Plan.Keyed keyed) {
        var table = map.table(keyed.keys().table());
        var shard = -1;
        for (var row : keyed.keys().values()) {
            var stored = stored(table, value(row.get(0)));
            if (stored instanceof Conversion.WouldBend bent) {
                return refused("The shard key '" + table.column() + "' of table '" + table.name()
                        + "' must be stored exactly as given: " + bent.reason());
            }
            var owner = stored instanceof Conversion.Stored exact ? map.shardOf(table, exact.value()) : -1;
            if (owner < 0) {
                return refused("The shard key '" + table.column() + "' of table '" + table.name()
                        + "' is NULL, which belongs to no shard: give it a value");
            }
            if (shard >= 0 && shard != owner) {
                return refused("INSERT of rows that belong to several shards into table '" + table.name()
                        + "': send one INSERT for each value of '" + table.column() + "'");
            }
            shard = owner;
        }
        return new Route.One(shard);
    }

    /** Null for SQL NULL. */
    private static @Nullable Conversion stored(ShardMap.Table table, SqlValue value) {
        return switch (value) {
            case SqlValue.Null _ -> null;
            case SqlValue.Int number -> table.type().stored(number.value());
            case SqlValue.Text text -> table.type().stored(text.bytes(), text.charset());
            case SqlValue.Binary binary -> table.type().stored(binary.bytes(), "binary");
            case SqlValue.Other other -> new Conversion.WouldBend("a value of type " + other.type());
        };
    }

    private Route keyed(Plan.Keyed keyed) {
        var shards = new TreeSet<Integer>();
        var certain = collect(keyed.keys(), shards);
        for (var more : keyed.alsoOn()) {
            certain &= collect(more, shards);
        }
        if (!certain) {
            shards.addAll(map.all());
        }
        if (shards.isEmpty()) {
            return new Route.Any();
        }
        if (shards.size() == 1) {
            return new Route.One(shards.first());
        }
        return keyed.merge() == null || !keyed.alsoOn().isEmpty()
                ? tooManyShards(keyed, certain)
                : several(shards, keyed.merge());
    }

    private Route tooManyShards(Plan.Keyed keyed, boolean certain) {
        var table = map.table(keyed.keys().table());
        var why = certain
                ? "Its values of the shard key '" + table.column() + "' are on several shards"
                : "A value is compared with the shard key '" + table.column()
                        + "' in another type, so that MySQL would have to look on every shard";
        return refused(why + ", and this statement can only run on one shard: give '" + table.column()
                + "' one value of type " + table.type().columnType());
    }

    /** Adds the shards where rows can match; false when they can match anywhere. */
    private boolean collect(Keys keys, TreeSet<Integer> shards) {
        var table = map.table(keys.table());
        for (var value : keys.values()) {
            switch (compared(table, value(value.get(0)))) {
                case Comparison.Only only -> {
                    var shard = map.shardOf(table, only.value());
                    if (shard >= 0) {
                        shards.add(shard);
                    }
                }
                case Comparison.Nothing _ -> {}
                case Comparison.Unknown _ -> {
                    return false;
                }
            }
        }
        return true;
    }

    private static Comparison compared(ShardMap.Table table, SqlValue value) {
        return switch (value) {
            case SqlValue.Null _ -> new Comparison.Nothing();
            case SqlValue.Int number -> table.type().equalTo(number.value());
            case SqlValue.Text text -> table.type().equalTo(text.bytes(), text.charset());
            case SqlValue.Binary binary -> table.type().equalTo(binary.bytes(), "binary");
            case SqlValue.Other other -> new Comparison.Unknown(other.type());
        };
    }

    private SqlValue value(Operand operand) {
        return switch (operand) {
            case Operand.Literal literal -> literals.of(literal);
            case Operand.Parameter parameter -> parameters.get(parameter.index());
            case Operand.Null _ -> new SqlValue.Null();
        };
    }

    private Route several(TreeSet<Integer> shards, Plan.Merge merge) {
        var limit = merge.limit();
        if (limit == null) {
            return new Route.Several(shards.stream().toList(), merge, RowLimit.NONE);
        }
        var count = rows(limit.count());
        var offset = limit.offset() == null ? 0 : rows(limit.offset());
        if (count < 0 || offset < 0) {
            return new Route.Refused(
                    1210, "HY000", "LIMIT takes whole numbers from 0: give its parameters as integers");
        }
        return new Route.Several(shards.stream().toList(), merge, new RowLimit(offset, count));
    }

    /** Negative when it is no number of rows. */
    private long rows(Operand operand) {
        return value(operand) instanceof SqlValue.Int number && number.value().signum() >= 0
                ? number.value().min(MOST_ROWS).longValueExact()
                : -1;
    }

    private static Route refused(String message) {
        return new Route.Refused(1235, "42000", message);
    }
}
