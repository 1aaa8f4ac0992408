package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.scan.FirstWord;
import dev.shardwright.router.planner.scan.Scan;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.CreateTableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.DropTableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SelectStatementContext;
import java.util.Set;
import org.antlr.v4.runtime.tree.ParseTree;

/** Plans on a keyspace of one shard: every statement goes there as it came; only the session's own are looked at. */
final class OneShard {
    private static final Set<String> SHOWING = Set.of("SHOW", "EXPLAIN", "DESCRIBE", "DESC", "HELP");
    private static final Set<String> DEFINING = Set.of("CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE");

    private OneShard() {}

    /** For text that we can't read: MySQL says what it makes of it; whatever it does, the session may be changed. */
    static Planned unread(Scan scan) {
        var plan = byFirstWord(FirstWord.of(scan.statement()), Access.LOCKING_READ);
        return new Planned(plan, scan, SessionUse.unread(scan.statement(), plan instanceof Plan.Ddl));
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

    /** Temporary tables are the session's own: making and dropping them commits nothing. */
    private static boolean temporary(ParseTree node) {
        return Trees.outsideSubqueries(node, OneShard::isTemporary) != null;
    }

    private static boolean isTemporary(ParseTree part) {
        return part instanceof CreateTableContext create && create.TEMPORARY_SYMBOL() != null
                || part instanceof DropTableContext drop && drop.TEMPORARY_SYMBOL() != null;
    }
}
