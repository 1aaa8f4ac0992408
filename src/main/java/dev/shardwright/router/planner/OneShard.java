package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.scan.FirstWord;
import dev.shardwright.router.planner.scan.Scan;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.CallStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.CreateTableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.FlushTablesContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.HandlerStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.LoadStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.LockStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.PreparedStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SelectStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SetResourceGroupContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SetRoleStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SetStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TransactionStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.UserVariableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.XaStatementContext;
import java.util.Set;
import org.antlr.v4.runtime.tree.ParseTree;

/** Plans on a keyspace of one shard: every statement goes there as it came; only the session's own are looked at. */
final class OneShard {
    private static final Set<String> SHOWING = Set.of("SHOW", "EXPLAIN", "DESCRIBE", "DESC", "HELP");
    private static final Set<String> DEFINING = Set.of("CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE");

    private OneShard() {}

    /** For text that we can't read: MySQL says what it makes of it; whatever it does, the session may be changed. */
    static Planned unread(Scan scan) {
        return new Planned(
                byFirstWord(FirstWord.of(scan.statement()), Access.LOCKING_READ),
                scan,
                SessionUse.unread(scan.statement()));
    }

    static Plan plan(Planning planning) {
        var word = FirstWord.of(planning.parsed().scan().statement());
        var statement = Planning.statementOf(planning.parsed());
        if (statement != null && statement.getChild(0) instanceof SelectStatementContext) {
            return planning.features().aboutLastStatement() && !reads(statement)
                    ? new Plan.Session(new SessionStatement.AboutLastStatement())
                    : new Plan.PassThrough(planning.readAccess());
        }
        return temporary(statement) ? new Plan.PassThrough(Access.WRITE) : byFirstWord(word, Access.WRITE);
    }

    private static boolean reads(ParseTree statement) {
        return Trees.outsideSubqueries(
                        statement,
                        node -> node instanceof io.debezium.ddl.parser.mysql.generated.MySqlParser.FromClauseContext)
                != null;
    }

    private static Plan byFirstWord(String word, Access select) {
        if (DEFINING.contains(word)) {
            return new Plan.Ddl(true);
        }
        if (SHOWING.contains(word)) {
            return new Plan.PassThrough(Access.READ);
        }
        return new Plan.PassThrough(word.equals("SELECT") || word.equals("WITH") ? select : Access.WRITE);
    }

    /** Whether the statement leaves something on the connection that is not tracked. */
    static boolean pins(Planning planning) {
        return planning.features().changesSession()
                || planning.features().callsStoredFunction()
                || Trees.outsideSubqueries(planning.parsed().tree(), OneShard::pins) != null;
    }

    private static boolean pins(ParseTree node) {
        return node instanceof LockStatementContext
                || node instanceof CallStatementContext
                || node instanceof FlushTablesContext
                || node instanceof XaStatementContext
                || node instanceof HandlerStatementContext
                || node instanceof PreparedStatementContext
                || node instanceof SetStatementContext
                || node instanceof SetResourceGroupContext
                || node instanceof SetRoleStatementContext
                || node instanceof TransactionStatementContext
                || (node instanceof LoadStatementContext && assigns(node))
                || temporary(node);
    }

    /** Whether columns of the file go to user variables. */
    private static boolean assigns(ParseTree load) {
        return Trees.outsideSubqueries(load, part -> part instanceof UserVariableContext) != null;
    }

    private static boolean temporary(ParseTree node) {
        return Trees.outsideSubqueries(
                        node, part -> part instanceof CreateTableContext create && create.TEMPORARY_SYMBOL() != null)
                != null;
    }
}
