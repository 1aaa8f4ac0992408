package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Operand;
import dev.shardwright.router.planner.parse.ParsedStatement;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.BitExprContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ExprContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ExprIsContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.LiteralContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.PredicateContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.PrimaryExprPredicateContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleExprColumnRefContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleExprContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleExprListContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleExprLiteralContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleExprParamMarkerContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleExprUnaryContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TextLiteralContext;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Finds the plain values in expressions: a literal, a parameter, NULL; never anything that is computed. */
final class Operands {
    private final ParsedStatement statement;

    Operands(ParsedStatement statement) {
        this.statement = statement;
    }

    /** Null when the expression is more than a plain value. */
    @Nullable
    Operand of(ExprContext expr) {
        var simple = simple(expr);
        return simple == null ? null : of(simple);
    }

    @Nullable
    Operand of(SimpleExprContext simple) {
        return switch (simple) {
            case SimpleExprLiteralContext literal
            when literal.literalOrNull().literal() != null ->
                literal(literal.literalOrNull().literal());
            case SimpleExprLiteralContext _ -> new Operand.Null();
            case SimpleExprParamMarkerContext marker -> new Operand.Parameter(statement.parameter(marker.getStart()));
            case SimpleExprUnaryContext unary when "-".equals(unary.op.getText()) -> negated(of(unary.simpleExpr()));
            default -> null;
        };
    }

    private static @Nullable Operand negated(@Nullable Operand operand) {
        return operand instanceof Operand.Literal literal && !literal.negative() && literal.introducer() == null
                ? new Operand.Literal(literal.index(), true, null)
                : null;
    }

    private @Nullable Operand literal(LiteralContext literal) {
        if (literal.nullLiteral() != null) {
            return new Operand.Null();
        }
        if (literal.numLiteral() != null) {
            return plain(literal.getStart(), null);
        }
        if (literal.HEX_NUMBER() != null || literal.BIN_NUMBER() != null) {
            var introducer = literal.UNDERSCORE_CHARSET();
            return plain(literal.getStop(), introducer == null ? null : introducer.getText());
        }
        return literal.textLiteral() == null ? null : text(literal.textLiteral());
    }

    private @Nullable Operand text(TextLiteralContext text) {
        var strings = text.textStringLiteral();
        if (text.NCHAR_TEXT() != null) {
            return strings.isEmpty() ? plain(text.getStart(), null) : null;
        }
        var introducer = text.UNDERSCORE_CHARSET();
        return strings.size() == 1
                ? plain(strings.get(0).getStart(), introducer == null ? null : introducer.getText())
                : null;
    }

    private Operand plain(Token token, @Nullable String introducer) {
        return new Operand.Literal(statement.literal(token), false, introducer);
    }

    /** The only simple expression that this expression consists of, parentheses taken off; else null. */
    static @Nullable SimpleExprContext simple(ExprContext expr) {
        if (!(expr instanceof ExprIsContext is)
                || is.IS_SYMBOL() != null
                || !(is.boolPri() instanceof PrimaryExprPredicateContext primary)) {
            return null;
        }
        return simple(primary.predicate());
    }

    static @Nullable SimpleExprContext simple(PredicateContext predicate) {
        return predicate.getChildCount() == 1 ? simple(predicate.bitExpr(0)) : null;
    }

    static @Nullable SimpleExprContext simple(BitExprContext bits) {
        if (bits.getChildCount() != 1 || bits.simpleExpr() == null) {
            return null;
        }
        return withoutParentheses(bits.simpleExpr());
    }

    static @Nullable SimpleExprContext withoutParentheses(SimpleExprContext simple) {
        if (simple instanceof SimpleExprListContext list) {
            return list.ROW_SYMBOL() == null && list.exprList().expr().size() == 1
                    ? simple(list.exprList().expr(0))
                    : null;
        }
        return simple;
    }

    /** The column that this expression is, without anything around it; else null. */
    static @Nullable SimpleExprColumnRefContext column(@Nullable SimpleExprContext simple) {
        return simple instanceof SimpleExprColumnRefContext column && column.jsonOperator() == null ? column : null;
    }
}
