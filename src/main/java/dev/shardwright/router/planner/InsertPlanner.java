package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.Plan.Keys;
import dev.shardwright.router.planner.Plan.Operand;
import dev.shardwright.router.planner.PlanningSchema.Kind;
import dev.shardwright.router.planner.parse.Names;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ExprContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.InsertFromConstructorContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.InsertStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ReplaceStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableRefContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.UpdateListContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ValuesContext;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.jspecify.annotations.Nullable;

/** Plans INSERT and REPLACE on a keyspace of several shards: every row says by a plain value where it belongs. */
final class InsertPlanner {
    private final Planning planning;
    private final Operands operands;

    InsertPlanner(Planning planning) {
        this.planning = planning;
        this.operands = planning.operands();
    }

    Plan plan(InsertStatementContext insert) {
        var table = target(insert.tableRef(), insert.insertQueryExpression(), insert);
        if (table == null) {
            return new Plan.FirstShard(Access.WRITE);
        }
        if (insert.insertUpdateList() != null) {
            checkKeyStays(insert.insertUpdateList().updateList(), table, "ON DUPLICATE KEY UPDATE");
        }
        return rows(table, insert.insertFromConstructor(), insert.updateList());
    }

    Plan plan(ReplaceStatementContext replace) {
        var table = target(replace.tableRef(), replace.insertQueryExpression(), replace);
        return table == null
                ? new Plan.FirstShard(Access.WRITE)
                : rows(table, replace.insertFromConstructor(), replace.updateList());
    }

    /** The sharded table that is written; null when all is on the first shard. */
    private @Nullable ShardedTable target(
            TableRefContext ref, @Nullable ParserRuleContext query, ParserRuleContext statement) {
        planning.checkForSeveralShards();
        planning.checkNotAboutLastStatement();
        var uses = planning.newUses();
        var scope = new Scope(null);
        var target = uses.table(ref, null, scope, Planning.NO_NAMES);
        if (target.kind() instanceof Kind.System) {
            throw Refusal.unsupported("writing to information_schema or performance_schema", "leave them alone");
        }
        var queries = new QueryAnalyzer(uses, operands);
        if (query != null) {
            queryIn(query, queries);
        } else {
            queries.subqueries(statement, scope, Planning.NO_NAMES);
        }
        if (target.table() != null && query != null) {
            throw Refusal.unsupported(
                    "INSERT ... SELECT into the sharded table '" + target.alias() + "'",
                    "read the rows in the client and insert them with VALUES");
        }
        if (target.table() != null && planning.features().subquery) {
            throw Refusal.unsupported(
                    "a subquery in an INSERT into the sharded table '" + target.alias() + "'",
                    "read the value first and insert it as a literal or a parameter");
        }
        if (target.table() == null && !uses.sharded().isEmpty()) {
            throw Refusal.unsupported(
                    "INSERT into '" + target.alias() + "', which lives on the first shard, from a sharded table",
                    "read the rows in the client and insert them with VALUES");
        }
        return target.table();
    }

    private static void queryIn(ParserRuleContext query, QueryAnalyzer queries) {
        for (var child : query.children) {
            if (child instanceof io.debezium.ddl.parser.mysql.generated.MySqlParser.QueryExpressionContext body) {
                queries.queryExpression(body, null, Planning.NO_NAMES);
            } else if (child instanceof ParserRuleContext deeper) {
                queryIn(deeper, queries);
            }
        }
    }

    private Plan rows(
            ShardedTable table, @Nullable InsertFromConstructorContext constructor, @Nullable UpdateListContext set) {
        var values = set != null ? List.of(List.of(assigned(table, set))) : constructed(table, constructor);
        return new Plan.Keyed(Access.WRITE, new Keys(table.name(), values), List.of(), true, null);
    }

    private Operand assigned(ShardedTable table, UpdateListContext set) {
        for (var element : set.updateElement()) {
            var column = Names.parts(element.columnRef().fieldIdentifier()).getLast();
            if (table.isKey(column)) {
                return operand(table, element.expr());
            }
        }
        throw Refusal.shardKeyMissing(table.name(), table.keyColumn());
    }

    private List<List<Operand>> constructed(ShardedTable table, @Nullable InsertFromConstructorContext constructor) {
        if (constructor == null || constructor.fields() == null) {
            throw Refusal.unsupported(
                    "INSERT into the sharded table '" + table.name() + "' without a list of columns",
                    "list the columns after the table's name");
        }
        var columns = constructor.fields().insertIdentifier();
        var position = -1;
        for (var i = 0; i < columns.size(); i++) {
            var column = columns.get(i).columnRef();
            if (column != null
                    && table.isKey(Names.parts(column.fieldIdentifier()).getLast())) {
                position = i;
            }
        }
        if (position < 0) {
            throw Refusal.shardKeyMissing(table.name(), table.keyColumn());
        }
        var rows = new ArrayList<List<Operand>>();
        for (var row : constructor.insertValues().valueList().values()) {
            rows.add(List.of(operand(table, valueAt(row, position))));
        }
        var plain = new PlainRowOperands(planning.parsed());
        for (var row = 0; row < plain.rows(); row++) {
            rows.add(List.of(required(table, plain.at(row, position))));
        }
        return rows;
    }

    /** Null for DEFAULT, and for a row that is too short. */
    private static @Nullable ExprContext valueAt(ValuesContext row, int position) {
        var at = 0;
        for (var child : row.children) {
            if (",".equals(child.getText())) {
                at++;
            } else if (at == position) {
                return child instanceof ExprContext expr ? expr : null;
            }
        }
        return null;
    }

    private Operand operand(ShardedTable table, @Nullable ExprContext expr) {
        return required(table, expr == null ? null : operands.of(expr));
    }

    private static Operand required(ShardedTable table, @Nullable Operand operand) {
        if (operand == null) {
            throw Refusal.unsupported(
                    "an expression or DEFAULT as the shard key '" + table.keyColumn() + "' of table '" + table.name()
                            + "'",
                    "give it as a literal or a parameter");
        }
        return operand;
    }

    static void checkKeyStays(UpdateListContext list, ShardedTable table, String where) {
        for (var element : list.updateElement()) {
            var column = Names.parts(element.columnRef().fieldIdentifier()).getLast();
            if (table.isKey(column)) {
                throw Refusal.unsupported(
                        "assigning the shard key '" + column + "' of table '" + table.name() + "' in " + where,
                        "delete the row and insert it with the new key");
            }
        }
    }
}
