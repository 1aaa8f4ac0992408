package dev.shardwright.router.planner.parse;

import dev.shardwright.router.planner.scan.Introducers;
import dev.shardwright.router.planner.scan.Scan;
import dev.shardwright.router.planner.scan.SqlModes;
import dev.shardwright.router.planner.scan.TamedText;
import io.debezium.antlr.mysql.SqlMode;
import io.debezium.ddl.parser.mysql.generated.MySqlLexer;
import io.debezium.ddl.parser.mysql.generated.MySqlParser;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QueryContext;
import java.util.EnumSet;
import java.util.Set;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.jspecify.annotations.Nullable;

/** Parses a scanned statement by the grammar that MySQL's makers publish. Slow beside the scanner: for plan misses. */
public final class StatementParser {
    /** The newest grammar version that the parser tells apart. */
    private static final int SERVER_VERSION = 90000;

    private StatementParser() {}

    public static ParsedStatement parse(Scan scan, TamedText text, SqlModes modes) throws SyntaxException {
        if (text.odd()) {
            throw new SyntaxException("a quoted name with a backtick, a backslash or a control character in it");
        }
        var members = members(modes);
        var lexer = new MySqlLexer(new TamedStream(text));
        lexer.serverVersion = SERVER_VERSION;
        lexer.sqlModes = members;
        lexer.charSets = Introducers.KNOWN;
        lexer.removeErrorListeners();
        var failure = new FirstError();
        lexer.addErrorListener(failure);
        var tokens = new CommonTokenStream(lexer);
        tokens.fill();
        failure.check();
        return ParsedStatement.of(scan, text, tree(tokens, members), tokens);
    }

    private static Set<SqlMode> members(SqlModes modes) {
        var members = EnumSet.noneOf(SqlMode.class);
        // Quotes and escapes are plain already: the text is tamed.
        if (modes.pipesAsConcat()) {
            members.add(SqlMode.PipesAsConcat);
        }
        if (modes.highNotPrecedence()) {
            members.add(SqlMode.HighNotPrecedence);
        }
        // Not IGNORE_SPACE: the lexer would lose the function's name. Without it, "SUM (x)" is a call of an unknown
        // function, which is the careful reading.
        return members;
    }

    /** First the fast way, which fails on some valid text; then the thorough one. */
    private static QueryContext tree(CommonTokenStream tokens, Set<SqlMode> members) throws SyntaxException {
        var parser = parser(tokens, members);
        parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
        parser.setErrorHandler(new BailErrorStrategy());
        try {
            return wholeText(parser);
        } catch (ParseCancellationException fastFailed) {
            tokens.seek(0);
        }
        var thorough = parser(tokens, members);
        thorough.getInterpreter().setPredictionMode(PredictionMode.LL);
        thorough.setErrorHandler(new DefaultErrorStrategy());
        var failure = new FirstError();
        thorough.addErrorListener(failure);
        var tree = thorough.query();
        failure.check();
        requireEnd(thorough);
        return tree;
    }

    private static QueryContext wholeText(MySqlParser parser) {
        var tree = parser.query();
        if (parser.getCurrentToken().getType() != Token.EOF) {
            throw new ParseCancellationException("more text");
        }
        return tree;
    }

    private static void requireEnd(MySqlParser parser) throws SyntaxException {
        var token = parser.getCurrentToken();
        if (token.getType() != Token.EOF) {
            throw new SyntaxException("near '" + token.getText() + "'");
        }
    }

    private static MySqlParser parser(CommonTokenStream tokens, Set<SqlMode> members) {
        var parser = new MySqlParser(tokens);
        parser.serverVersion = SERVER_VERSION;
        parser.sqlModes = members;
        parser.removeErrorListeners();
        return parser;
    }

    private static final class FirstError extends BaseErrorListener {
        private @Nullable String first;

        @Override
        public void syntaxError(
                Recognizer<?, ?> recognizer,
                @Nullable Object symbol,
                int line,
                int column,
                String message,
                @Nullable RecognitionException cause) {
            if (first == null) {
                first = symbol instanceof Token token ? "near '" + token.getText() + "'" : message;
            }
        }

        void check() throws SyntaxException {
            if (first != null) {
                throw new SyntaxException(first);
            }
        }
    }
}
