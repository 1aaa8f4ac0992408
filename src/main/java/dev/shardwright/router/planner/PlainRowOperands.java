package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Operand;
import dev.shardwright.router.planner.parse.ParsedStatement;
import dev.shardwright.router.planner.scan.PlainRows;
import dev.shardwright.router.planner.scan.Scan;
import dev.shardwright.router.planner.scan.TamedText;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The values in rows that no parser has read, see {@link PlainRows}. */
final class PlainRowOperands {
    private final Scan scan;
    private final TamedText text;
    private final PlainRows plain;
    private int at;
    private int literal;
    private int parameter;

    PlainRowOperands(ParsedStatement statement) {
        this.scan = statement.scan();
        this.text = statement.text();
        this.plain = text.rows();
    }

    int rows() {
        return plain.count();
    }

    /** The value in this column, counted from 0; null for a keyword other than NULL, and when the row is too short. */
    @Nullable
    Operand at(int row, int column) {
        at = plain.start(row) + 1;
        literal = plain.firstLiteral(row);
        parameter = plain.firstParameter(row);
        for (var i = 0; ; i++) {
            var value = value();
            if (i == column) {
                return value;
            }
            var end = text.at(at++);
            if (end == ')') {
                return null;
            }
        }
    }

    /** Reads a value, up to the comma or parenthesis behind it. */
    private @Nullable Operand value() {
        Operand value = null;
        var negative = false;
        String introducer = null;
        for (var c = text.at(at); c != ',' && c != ')'; c = text.at(at)) {
            if (literal < scan.literals() && scan.start(literal) == at) {
                value = new Operand.Literal(literal, negative, introducer);
                at = scan.end(literal++);
            } else if (c == '?') {
                value = new Operand.Parameter(parameter++);
                at++;
            } else if (c == ' ' || c == '-') {
                negative |= c == '-';
                at++;
            } else {
                var word = word();
                introducer = word.startsWith("_") ? word : null;
                value = word.equals("null") ? new Operand.Null() : null;
            }
        }
        return value;
    }

    private String word() {
        var word = new StringBuilder();
        for (var c = text.at(at); c != ',' && c != ')' && c != ' ' && c != '\''; c = text.at(at)) {
            word.append(c);
            at++;
        }
        return word.toString().toLowerCase(Locale.ROOT);
    }
}
