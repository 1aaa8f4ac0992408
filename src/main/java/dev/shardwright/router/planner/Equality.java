package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Operand;
import dev.shardwright.router.planner.parse.Names;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.BitExprContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.BoolPriContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ExprAndContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ExprContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ExprIsContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.PredicateContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.PredicateExprInContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.PrimaryExprCompareContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.PrimaryExprPredicateContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleExprContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleExprListContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A condition that a row must meet in any case, of the few kinds that say where the row is. */
sealed interface Equality {
    /** Column = column; both as written. */
    record Columns(List<String> left, List<String> right) implements Equality {}

    /** Column = value, or column IN (values). */
    record Values(List<String> column, List<Operand> values) implements Equality {}

    /** The equalities among the conditions that this expression joins by AND. */
    static List<Equality> in(ExprContext expr, Operands operands) {
        var found = new ArrayList<Equality>();
        collect(expr, operands, found);
        return found;
    }

    private static void collect(ExprContext expr, Operands operands, List<Equality> found) {
        if (expr instanceof ExprAndContext and) {
            and.expr().forEach(part -> collect(part, operands, found));
        } else if (expr instanceof ExprIsContext is && is.IS_SYMBOL() == null) {
            condition(is.boolPri(), operands, found);
        }
    }

    private static void condition(BoolPriContext condition, Operands operands, List<Equality> found) {
        if (condition instanceof PrimaryExprCompareContext compare) {
            compared(compare, operands, found);
        } else if (condition instanceof PrimaryExprPredicateContext primary) {
            predicate(primary.predicate(), operands, found);
        }
    }

    private static void predicate(PredicateContext predicate, Operands operands, List<Equality> found) {
        if (predicate.predicateOperations() instanceof PredicateExprInContext in && predicate.notRule() == null) {
            var values = in(predicate.bitExpr(0), in, operands);
            if (values != null) {
                found.add(values);
            }
            return;
        }
        var parenthesised = parenthesised(predicate);
        if (parenthesised != null) {
            collect(parenthesised, operands, found);
        }
    }

    private static @Nullable ExprContext parenthesised(PredicateContext predicate) {
        if (predicate.getChildCount() != 1
                || !(predicate.bitExpr(0).simpleExpr() instanceof SimpleExprListContext list)) {
            return null;
        }
        var one = predicate.bitExpr(0).getChildCount() == 1
                && list.ROW_SYMBOL() == null
                && list.exprList().expr().size() == 1;
        return one ? list.exprList().expr(0) : null;
    }

    private static @Nullable Values in(BitExprContext tested, PredicateExprInContext in, Operands operands) {
        var column = Operands.column(Operands.simple(tested));
        if (column == null || in.exprList() == null) {
            return null;
        }
        var values = new ArrayList<Operand>();
        for (var expr : in.exprList().expr()) {
            var operand = operands.of(expr);
            if (operand == null) {
                return null;
            }
            values.add(operand);
        }
        return new Values(Names.parts(column.columnRef().fieldIdentifier()), values);
    }

    private static void compared(PrimaryExprCompareContext compare, Operands operands, List<Equality> found) {
        if (compare.compOp().EQUAL_OPERATOR() == null
                || !(compare.boolPri() instanceof PrimaryExprPredicateContext primary)) {
            return;
        }
        var left = Operands.simple(primary.predicate());
        var right = Operands.simple(compare.predicate());
        if (left != null && right != null) {
            equal(left, right, operands, found);
        }
    }

    private static void equal(
            SimpleExprContext left, SimpleExprContext right, Operands operands, List<Equality> found) {
        var leftColumn = Operands.column(left);
        var rightColumn = Operands.column(right);
        if (leftColumn != null && rightColumn != null) {
            found.add(new Columns(
                    Names.parts(leftColumn.columnRef().fieldIdentifier()),
                    Names.parts(rightColumn.columnRef().fieldIdentifier())));
        } else if (leftColumn != null || rightColumn != null) {
            var column = leftColumn != null ? leftColumn : rightColumn;
            var operand = operands.of(leftColumn != null ? right : left);
            if (column != null && operand != null) {
                found.add(new Values(Names.parts(column.columnRef().fieldIdentifier()), List.of(operand)));
            }
        }
    }
}
