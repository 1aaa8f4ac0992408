package dev.shardwright.router.planner;

import dev.shardwright.router.planner.SessionStatement.AccessMode;
import dev.shardwright.router.planner.SessionStatement.Assignment;
import dev.shardwright.router.planner.SessionStatement.Savepoint;
import dev.shardwright.router.planner.SessionStatement.SavepointAction;
import dev.shardwright.router.planner.parse.Names;
import dev.shardwright.router.planner.parse.ParsedStatement;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.AccountManagementStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.OtherAdministrativeStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SavepointStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SetStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowCountErrorsStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowCountWarningsStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowErrorsStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowWarningsStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TransactionOrLockingStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TransactionStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.UtilityStatementContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/** Plans the statements that are about the client's session. */
final class SessionPlanner {
    private final Planning planning;

    SessionPlanner(Planning planning) {
        this.planning = planning;
    }

    /** Null when it is another kind of statement, or when it is more than the router can keep track of. */
    @Nullable
    Plan planOrNull(ParseTree statement) {
        try {
            return plan(statement);
        } catch (Refusal untracked) {
            return null;
        }
    }

    /** Null when it is another kind of statement. */
    @Nullable
    Plan plan(ParseTree statement) {
        var session = session(statement);
        return session == null ? null : new Plan.Session(session);
    }

    private @Nullable SessionStatement session(ParseTree statement) {
        return switch (statement) {
            case UtilityStatementContext utility
            when utility.useCommand() != null ->
                new SessionStatement.Use(Names.of(utility.useCommand().schemaRef()));
            case TransactionOrLockingStatementContext transaction
            when transaction.transactionStatement() != null -> transaction(transaction.transactionStatement());
            case TransactionOrLockingStatementContext transaction
            when transaction.savepointStatement() != null -> savepoint(transaction.savepointStatement());
            case SetStatementContext set -> new SetPlanner(planning, this).plan(set.startOptionValueList());
            case AccountManagementStatementContext account
            when account.setRoleStatement() != null
                    && account.setRoleStatement().TO_SYMBOL() == null ->
                new SessionStatement.SetVariables(List.of(new Assignment(Assignment.ROLE, text(account))));
            case OtherAdministrativeStatementContext other
            when other.KILL_SYMBOL() != null -> new SessionStatement.Kill();
            case ShowWarningsStatementContext _ -> new SessionStatement.AboutLastStatement();
            case ShowErrorsStatementContext _ -> new SessionStatement.AboutLastStatement();
            case ShowCountWarningsStatementContext _ -> new SessionStatement.AboutLastStatement();
            case ShowCountErrorsStatementContext _ -> new SessionStatement.AboutLastStatement();
            default -> null;
        };
    }

    private static SessionStatement transaction(TransactionStatementContext transaction) {
        if (transaction.COMMIT_SYMBOL() != null) {
            return new SessionStatement.Commit(
                    chains(transaction.getText(), transaction.CHAIN_SYMBOL() != null),
                    releases(transaction.getText(), transaction.RELEASE_SYMBOL() != null));
        }
        var mode = AccessMode.UNNAMED;
        for (var option : transaction.startTransactionOptionList()) {
            if (option.SNAPSHOT_SYMBOL() != null) {
                throw Refusal.unsupported(
                        "START TRANSACTION WITH CONSISTENT SNAPSHOT", "use START TRANSACTION and read first");
            }
            if (option.READ_SYMBOL() != null) {
                mode = option.ONLY_SYMBOL() != null ? AccessMode.READ_ONLY : AccessMode.READ_WRITE;
            }
        }
        return new SessionStatement.Begin(mode);
    }

    private static boolean chains(String text, boolean named) {
        return named && !text.toUpperCase(java.util.Locale.ROOT).contains("ANDNOCHAIN");
    }

    private static boolean releases(String text, boolean named) {
        return named && !text.toUpperCase(java.util.Locale.ROOT).contains("NORELEASE");
    }

    private SessionStatement savepoint(SavepointStatementContext statement) {
        if (statement.ROLLBACK_SYMBOL() == null || statement.TO_SYMBOL() != null) {
            var action = statement.ROLLBACK_SYMBOL() != null
                    ? SavepointAction.ROLL_BACK_TO
                    : statement.RELEASE_SYMBOL() == null ? SavepointAction.SET : SavepointAction.RELEASE;
            return new Savepoint(text(statement), Names.of(statement.identifier()), action);
        }
        return new SessionStatement.Rollback(
                chains(statement.getText(), statement.CHAIN_SYMBOL() != null),
                releases(statement.getText(), statement.RELEASE_SYMBOL() != null));
    }

    /** The client's text of this part, to be replayed; refused when that could change its characters. */
    String text(ParserRuleContext part) {
        var start = ParsedStatement.start(part);
        var end = ParsedStatement.end(part);
        var bytes = planning.parsed().scan().statement();
        for (var i = start; i < end; i++) {
            if (bytes[i] < 0 && !planning.context().charset().startsWith("utf8")) {
                throw Refusal.unsupported(
                        "characters beyond ASCII in a SET or SAVEPOINT in character set "
                                + planning.context().charset(),
                        "SET NAMES utf8mb4 first");
            }
        }
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }
}
