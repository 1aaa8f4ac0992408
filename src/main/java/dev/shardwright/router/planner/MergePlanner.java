package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Fold;
import dev.shardwright.router.planner.Plan.Limit;
import dev.shardwright.router.planner.Plan.Merge;
import dev.shardwright.router.planner.Plan.Operand;
import dev.shardwright.router.planner.parse.ParsedStatement;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.LimitClauseContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.LimitOptionContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QueryExpressionContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QuerySpecificationContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SelectItemContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SelectStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleExprSumContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SumExprContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides how the answers of several shards to one SELECT become the answer of one MySQL. The tables of
 * the SELECT are known to be joined on their shard keys. Throws Refusal for what does not merge exactly.
 */
final class MergePlanner {
    private final ParsedStatement statement;
    private final Features features;
    private final boolean hasDerived;
    private final RewriteBuilder rewrite;

    MergePlanner(ParsedStatement statement, Features features, boolean hasDerived) {
        this.statement = statement;
        this.features = features;
        this.hasDerived = hasDerived;
        this.rewrite = new RewriteBuilder(statement.scan());
    }

    Merge merge(SelectStatementContext select) {
        if (select.queryExpression() == null || features.into) {
            throw unsupported("SELECT ... INTO");
        }
        if (features.locking) {
            throw unsupported("FOR UPDATE, FOR SHARE or LOCK IN SHARE MODE");
        }
        if (hasDerived) {
            throw unsupported("a derived table or a common table expression");
        }
        if (features.callsUnknownFunction()) {
            throw unsupported("a function that is not built into MySQL");
        }
        if (!features.systemVariables.isEmpty()) {
            throw unsupported("a system variable beside a table");
        }
        if (setsVariables()) {
            throw unsupported("the hint SET_VAR");
        }
        var query = select.queryExpression();
        var block = onlyBlock(query);
        checkBlock(block);
        OuterAggregates.check(block);
        return Trees.outsideSubqueries(query, Features::isAggregate) == null
                ? rows(query, block)
                : aggregate(query, block);
    }

    private boolean setsVariables() {
        var text = new String(statement.scan().statement(), StandardCharsets.ISO_8859_1).toUpperCase(Locale.ROOT);
        return text.contains("/*+") && text.contains("SET_VAR");
    }

    private static QuerySpecificationContext onlyBlock(QueryExpressionContext query) {
        var body = query.queryExpressionBody();
        if (body.getChildCount() > 1) {
            throw unsupported("UNION, EXCEPT or INTERSECT");
        }
        if (body.queryPrimary() == null || body.queryPrimary().querySpecification() == null) {
            throw unsupported("a SELECT in parentheses, TABLE or VALUES");
        }
        return body.queryPrimary().querySpecification();
    }

    private void checkBlock(QuerySpecificationContext block) {
        // Without a table of its own, the block would answer once for each shard.
        if (block.fromClause() == null || block.fromClause().tableReferenceList() == null) {
            throw unsupported("a subquery on a sharded table in a SELECT without FROM");
        }
        if (block.groupByClause() != null) {
            throw unsupported("GROUP BY");
        }
        if (block.havingClause() != null || block.qualifyClause() != null) {
            throw unsupported("HAVING");
        }
        if (block.windowClause() != null || features.window) {
            throw unsupported("a window function");
        }
        if (features.calcFoundRows) {
            throw unsupported("SQL_CALC_FOUND_ROWS");
        }
        for (var option : block.selectOption()) {
            if (option.querySpecOption() != null && option.querySpecOption().DISTINCT_SYMBOL() != null) {
                throw unsupported("DISTINCT");
            }
        }
        if (features.grouping && Trees.outsideSubqueries(block, MergePlanner::groups) != null) {
            throw unsupported("GROUPING()");
        }
    }

    private static boolean groups(org.antlr.v4.runtime.tree.ParseTree node) {
        return node instanceof io.debezium.ddl.parser.mysql.generated.MySqlParser.GroupingOperationContext;
    }

    private Merge rows(QueryExpressionContext query, QuerySpecificationContext block) {
        var limit = query.limitClause() == null ? null : limit(query.limitClause());
        var end = ParsedStatement.end(query);
        if (query.orderClause() == null) {
            return new Merge.Concatenate(rewrite.build(end), limit);
        }
        var order = new OrderPlanner(statement, block, rewrite);
        var keys = order.keys(query.orderClause());
        return new Merge.Sort(rewrite.build(end), order.hiddenColumns(), keys, limit);
    }

    private Limit limit(LimitClauseContext clause) {
        var options = clause.limitOptions();
        var numbers = options.limitOption();
        var count = numbers.size() == 2 && options.COMMA_SYMBOL() != null ? numbers.get(1) : numbers.get(0);
        var offset = numbers.size() < 2 ? null : count == numbers.get(0) ? numbers.get(1) : numbers.get(0);
        if (offset != null) {
            replace(offset, new Rewrite.Piece.Offset());
            replace(count, new Rewrite.Piece.Count());
        }
        return new Limit(offset == null ? null : operand(offset), operand(count));
    }

    private void replace(LimitOptionContext number, Rewrite.Piece by) {
        if (number.PARAM_MARKER() == null) {
            rewrite.replace(ParsedStatement.start(number), ParsedStatement.end(number), by);
        }
    }

    private Operand operand(LimitOptionContext number) {
        if (number.identifier() != null) {
            throw unsupported("LIMIT with a name");
        }
        return number.PARAM_MARKER() != null
                ? new Operand.Parameter(statement.parameter(number.getStart()))
                : new Operand.Literal(statement.literal(number.getStart()), false, null);
    }

    private Merge aggregate(QueryExpressionContext query, QuerySpecificationContext block) {
        var folds = new ArrayList<Fold>();
        var hidden = new HiddenColumns(rewrite);
        if (block.selectItemList().MULT_OPERATOR() != null) {
            throw unsupported("an aggregate beside other columns");
        }
        for (var item : block.selectItemList().selectItem()) {
            folds.add(fold(item, hidden));
        }
        hidden.appendAfter(block.selectItemList());
        return new Merge.Aggregate(rewrite.build(ParsedStatement.end(query)), hidden.count(), folds);
    }

    private Fold fold(SelectItemContext item, HiddenColumns hidden) {
        var sum = item.expr() == null ? null : onlyAggregate(item);
        if (sum == null) {
            throw unsupported("an aggregate beside other columns or inside an expression");
        }
        if (sum.name == null || sum.windowingClause() != null) {
            throw unsupported("an aggregate other than COUNT, SUM, MIN and MAX");
        }
        var distinct = sum.DISTINCT_SYMBOL() != null;
        return switch (sum.name.getText().toUpperCase(Locale.ROOT)) {
            case "COUNT" -> distinct ? refuseDistinct("COUNT") : new Fold.Count();
            case "SUM" -> distinct ? refuseDistinct("SUM") : new Fold.Sum();
            case "MIN" -> extreme(sum, false, hidden);
            case "MAX" -> extreme(sum, true, hidden);
            default -> throw unsupported("an aggregate other than COUNT, SUM, MIN and MAX");
        };
    }

    private static @Nullable SumExprContext onlyAggregate(SelectItemContext item) {
        return Operands.simple(item.expr()) instanceof SimpleExprSumContext sum ? sum.sumExpr() : null;
    }

    private static Fold refuseDistinct(String aggregate) {
        throw unsupported(aggregate + "(DISTINCT ...)");
    }

    private Fold extreme(SumExprContext sum, boolean max, HiddenColumns hidden) {
        if (Trees.outsideSubqueries(
                        sum,
                        node -> node instanceof org.antlr.v4.runtime.tree.TerminalNode terminal
                                && "?".equals(terminal.getText()))
                != null) {
            throw unsupported("MIN or MAX of an expression with a parameter");
        }
        var text = rewrite.slice(ParsedStatement.start(sum), ParsedStatement.end(sum));
        return new Fold.Extreme(max, hidden.weight(text), hidden.collation(text));
    }

    static Refusal unsupported(String construct) {
        return Refusal.unsupported(
                construct + " in a SELECT over several shards", "give the shard key by = so that it runs on one shard");
    }
}
