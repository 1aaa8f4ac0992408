package dev.shardwright.router.planner;

import dev.shardwright.router.planner.parse.Names;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ColumnRefContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QuerySpecificationContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SingleTableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SubqueryContext;
import java.util.HashSet;
import java.util.Set;
import org.antlr.v4.runtime.tree.ParseTree;

/**
 * Finds aggregates that stand in a subquery but are of the query around it: SQL gives an aggregate to the block
 * whose columns it is over. Such a query has one row for all shards.
 */
final class OuterAggregates {
    private OuterAggregates() {}

    static void check(QuerySpecificationContext block) {
        for (var subquery : Trees.all(block, SubqueryContext.class)) {
            for (var inner : Trees.all(subquery, QuerySpecificationContext.class)) {
                checkInner(inner, aliases(inner));
            }
        }
    }

    private static Set<String> aliases(QuerySpecificationContext block) {
        var aliases = new HashSet<String>();
        if (block.fromClause() != null) {
            for (var table : Trees.all(block.fromClause(), SingleTableContext.class)) {
                aliases.add(
                        table.tableAlias() == null
                                ? Names.of(table.tableRef()).name()
                                : Names.of(table.tableAlias().identifier()));
            }
        }
        return aliases;
    }

    private static void checkInner(ParseTree part, Set<String> aliases) {
        if (Features.isAggregate(part)) {
            for (var column : Trees.all(part, ColumnRefContext.class)) {
                checkOwn(Names.parts(column.fieldIdentifier()), aliases);
            }
        }
        for (var i = 0; i < part.getChildCount(); i++) {
            if (!(part.getChild(i) instanceof SubqueryContext)) {
                checkInner(part.getChild(i), aliases);
            }
        }
    }

    /** Which table has a column that is not qualified, only the shards know. */
    private static void checkOwn(java.util.List<String> parts, Set<String> aliases) {
        if (parts.size() < 2 || !aliases.contains(parts.get(parts.size() - 2))) {
            throw Refusal.unsupported(
                    "in a SELECT over several shards, an aggregate in a subquery over '" + String.join(".", parts)
                            + "', which may be a column of the query around it",
                    "write the column as alias.column, with the alias of a table in the subquery's own FROM");
        }
    }
}
