package dev.shardwright.router.planner.parse;

import dev.shardwright.router.planner.scan.Scan;
import dev.shardwright.router.planner.scan.TamedText;
import io.debezium.ddl.parser.mysql.generated.MySqlLexer;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QueryContext;
import java.util.Arrays;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/** A parse tree whose literals are known to be the scanner's, one by one. Offsets are bytes of the statement. */
public final class ParsedStatement {
    private final Scan scan;
    private final TamedText text;
    private final QueryContext tree;
    private final int[] parameters;

    private ParsedStatement(Scan scan, TamedText text, QueryContext tree, int[] parameters) {
        this.scan = scan;
        this.text = text;
        this.tree = tree;
        this.parameters = parameters;
    }

    /** SyntaxException when scanner and parser cut the text into different literals. */
    static ParsedStatement of(Scan scan, TamedText text, QueryContext tree, CommonTokenStream tokens)
            throws SyntaxException {
        var parameters = new int[scan.parameters()];
        var rows = text.rows();
        var run = 0;
        var literal = 0;
        var parameter = 0;
        for (var token : tokens.getTokens()) {
            if (token.getChannel() != Token.DEFAULT_CHANNEL) {
                continue;
            }
            if (run < rows.runs() && rows.runEnd(run) <= token.getStartIndex()) {
                require(literal == rows.literalsFrom(run) && parameter == rows.parametersFrom(run), token);
                literal = rows.literalsTo(run);
                while (parameter < rows.parametersTo(run)) {
                    // No token is there, but the order must be right.
                    parameters[parameter] = rows.runStart(run) + parameter - rows.parametersFrom(run);
                    parameter++;
                }
                run++;
            }
            if (token.getType() == MySqlLexer.PARAM_MARKER) {
                require(parameter < parameters.length, token);
                parameters[parameter++] = token.getStartIndex();
            } else if (isLiteral(token.getType())) {
                require(
                        literal < scan.literals()
                                && scan.start(literal) == token.getStartIndex()
                                && scan.end(literal) == token.getStopIndex() + 1,
                        token);
                literal++;
            }
        }
        if (run != rows.runs() || literal != scan.literals() || parameter != parameters.length) {
            throw new SyntaxException("a literal that can't be told from the text around it");
        }
        return new ParsedStatement(scan, text, tree, parameters);
    }

    private static void require(boolean agrees, Token token) throws SyntaxException {
        if (!agrees) {
            throw new SyntaxException("near '" + token.getText() + "'");
        }
    }

    private static boolean isLiteral(int type) {
        return switch (type) {
            case MySqlLexer.INT_NUMBER,
                    MySqlLexer.LONG_NUMBER,
                    MySqlLexer.ULONGLONG_NUMBER,
                    MySqlLexer.DECIMAL_NUMBER,
                    MySqlLexer.FLOAT_NUMBER,
                    MySqlLexer.HEX_NUMBER,
                    MySqlLexer.BIN_NUMBER,
                    MySqlLexer.SINGLE_QUOTED_TEXT,
                    MySqlLexer.DOUBLE_QUOTED_TEXT,
                    MySqlLexer.DOLLAR_QUOTED_STRING_TEXT,
                    MySqlLexer.NCHAR_TEXT -> true;
            default -> false;
        };
    }

    public QueryContext tree() {
        return tree;
    }

    public Scan scan() {
        return scan;
    }

    /** What the parser has read. */
    public TamedText text() {
        return text;
    }

    /** The scanner's number of the literal that this token is. */
    public int literal(Token token) {
        var low = 0;
        var high = scan.literals() - 1;
        while (low < high) {
            var middle = (low + high) >>> 1;
            if (scan.start(middle) < token.getStartIndex()) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (scan.literals() == 0 || scan.start(low) != token.getStartIndex()) {
            throw new IllegalArgumentException("no literal at " + token.getStartIndex());
        }
        return low;
    }

    /** The number of the parameter that this marker is, from 0. */
    public int parameter(Token marker) {
        var index = Arrays.binarySearch(parameters, marker.getStartIndex());
        if (index < 0) {
            throw new IllegalArgumentException("no parameter at " + marker.getStartIndex());
        }
        return index;
    }

    /** Offset of the first byte of this part of the statement. */
    public static int start(ParserRuleContext part) {
        return part.getStart().getStartIndex();
    }

    /** Offset after the last byte of this part of the statement. */
    public static int end(ParserRuleContext part) {
        return part.getStop().getStopIndex() + 1;
    }
}
