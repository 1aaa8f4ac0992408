package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.SortKey;
import dev.shardwright.router.planner.parse.Names;
import dev.shardwright.router.planner.parse.ParsedStatement;
import dev.shardwright.router.planner.scan.LiteralKind;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ColumnRefContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ExprContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.OrderClauseContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.OrderExpressionContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QuerySpecificationContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SelectItemContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleExprColumnRefContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleExprLiteralContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SubqueryContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.UserVariableContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/**
 * Finds what ORDER BY sorts by, as MySQL resolves it (positions and aliases first), and adds it to the
 * select list. Throws Refusal wherever the resolution is not certain.
 */
final class OrderPlanner {
    private final ParsedStatement statement;
    private final QuerySpecificationContext block;
    private final RewriteBuilder rewrite;
    private final HiddenColumns hidden;
    private final boolean star;

    OrderPlanner(ParsedStatement statement, QuerySpecificationContext block, RewriteBuilder rewrite) {
        this.statement = statement;
        this.block = block;
        this.rewrite = rewrite;
        this.hidden = new HiddenColumns(rewrite);
        this.star = block.selectItemList().MULT_OPERATOR() != null
                || items().stream().anyMatch(item -> item.tableWild() != null);
    }

    int hiddenColumns() {
        return hidden.count();
    }

    List<SortKey> keys(OrderClauseContext order) {
        for (var item : items()) {
            checkName(item);
        }
        var keys = new ArrayList<SortKey>();
        for (var expression : order.orderList().orderExpression()) {
            keys.add(key(expression));
        }
        hidden.appendAfter(block.selectItemList());
        return keys;
    }

    private List<SelectItemContext> items() {
        return block.selectItemList().selectItem();
    }

    /** A text may be a column's name: as an alias, or because a column without an alias is called by its text. */
    private static void checkName(SelectItemContext item) {
        if (item.selectAlias() != null && item.selectAlias().identifier() == null) {
            throw MergePlanner.unsupported("ORDER BY beside an alias in string quotes");
        }
        if (item.selectAlias() == null
                && item.expr() != null
                && Operands.simple(item.expr()) instanceof SimpleExprLiteralContext literal
                && literal.getStart().getText().endsWith("'")) {
            throw MergePlanner.unsupported("ORDER BY beside a string without an alias");
        }
    }

    private SortKey key(OrderExpressionContext expression) {
        var sortedBy = resolve(expression.expr());
        check(sortedBy);
        var text = rewrite.slice(ParsedStatement.start(sortedBy), ParsedStatement.end(sortedBy));
        var descending =
                expression.direction() != null && expression.direction().DESC_SYMBOL() != null;
        return new SortKey(hidden.value(text), hidden.weight(text), hidden.collation(text), descending);
    }

    private ExprContext resolve(ExprContext expr) {
        var simple = Operands.simple(expr);
        var column = Operands.column(simple);
        if (column != null) {
            var parts = Names.parts(column.columnRef().fieldIdentifier());
            return parts.size() == 1 ? named(parts.get(0), expr) : expr;
        }
        if (simple instanceof SimpleExprLiteralContext literal) {
            return position(literal);
        }
        return expr;
    }

    private ExprContext position(SimpleExprLiteralContext literal) {
        var value = literal.literalOrNull().literal();
        var number = value == null || value.numLiteral() == null ? -1 : statement.literal(value.getStart());
        if (number < 0 || statement.scan().kind(number) != LiteralKind.INTEGER) {
            throw MergePlanner.unsupported("ORDER BY a constant");
        }
        var text = value == null ? "" : value.getText();
        if (star || text.length() > 4 || Integer.parseInt(text) < 1 || Integer.parseInt(text) > items().size()) {
            throw MergePlanner.unsupported("ORDER BY the position " + text);
        }
        return items().get(Integer.parseInt(text) - 1).expr();
    }

    private ExprContext named(String name, ExprContext expr) {
        var matching = items().stream()
                .filter(item -> name.equalsIgnoreCase(nameOf(item)))
                .toList();
        if (matching.isEmpty()) {
            checkNoText(name);
            return expr;
        }
        var aliased = matching.stream().anyMatch(item -> item.selectAlias() != null);
        if (matching.size() > 1 || (aliased && star)) {
            throw MergePlanner.unsupported("ORDER BY a name that several columns have ('" + name + "')");
        }
        return matching.get(0).expr();
    }

    /** An expression without an alias is called by its text, in `quotes`. */
    private void checkNoText(String name) {
        for (var item : items()) {
            if (item.expr() != null
                    && item.selectAlias() == null
                    && text(item.expr()).equalsIgnoreCase(name)) {
                throw MergePlanner.unsupported("ORDER BY the text of an expression without an alias");
            }
        }
    }

    private String text(ExprContext expr) {
        var start = ParsedStatement.start(expr);
        return new String(
                statement.scan().statement(), start, ParsedStatement.end(expr) - start, StandardCharsets.UTF_8);
    }

    /** The name that ORDER BY can call a select item by; null for expressions without an alias and for stars. */
    private static @Nullable String nameOf(SelectItemContext item) {
        if (item.selectAlias() != null) {
            return Names.of(item.selectAlias().identifier());
        }
        var column = item.expr() == null ? null : Operands.column(Operands.simple(item.expr()));
        return column == null
                ? null
                : Names.parts(column.columnRef().fieldIdentifier()).getLast();
    }

    private void check(ExprContext sortedBy) {
        var plain = Operands.column(Operands.simple(sortedBy)) != null;
        if (Trees.outsideSubqueries(sortedBy, node -> node instanceof SubqueryContext || isVariable(node)) != null
                || holdsSubquery(sortedBy)) {
            throw MergePlanner.unsupported("ORDER BY a subquery, a variable or a parameter");
        }
        var functions = Features.of(sortedBy).functions;
        if (functions.stream().anyMatch(Functions.UNSTEADY::contains)) {
            throw MergePlanner.unsupported("ORDER BY a function that changes from call to call");
        }
        if (!plain && Trees.outsideSubqueries(sortedBy, this::mayBeAlias) != null) {
            throw MergePlanner.unsupported("ORDER BY an expression with an alias in it");
        }
    }

    private static boolean holdsSubquery(ExprContext expr) {
        return Features.of(expr).subquery;
    }

    private static boolean isVariable(ParseTree node) {
        return node instanceof UserVariableContext
                || node instanceof TerminalNode terminal && "?".equals(terminal.getText());
    }

    private boolean mayBeAlias(ParseTree node) {
        if (!(node instanceof SimpleExprColumnRefContext column)) {
            return false;
        }
        var parts = parts(column.columnRef());
        return parts.size() == 1
                && items().stream()
                        .filter(item -> item.selectAlias() != null)
                        .anyMatch(item -> parts.get(0)
                                .equalsIgnoreCase(Names.of(item.selectAlias().identifier())));
    }

    private static List<String> parts(ColumnRefContext column) {
        return Names.parts(column.fieldIdentifier());
    }
}
