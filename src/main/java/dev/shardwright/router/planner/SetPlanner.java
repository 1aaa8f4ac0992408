package dev.shardwright.router.planner;

import dev.shardwright.router.planner.SessionStatement.Assignment;
import dev.shardwright.router.planner.parse.Names;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ExprContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.LvalueVariableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.OptionTypeContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.OptionValueContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.OptionValueListContinuedContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.OptionValueNoOptionTypeContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SetExprOrDefaultContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleExprLiteralContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.StartOptionValueListContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.antlr.v4.runtime.ParserRuleContext;
import org.jspecify.annotations.Nullable;

/**
 * Plans SET. The assignments are replayed on every backend connection of the session, so each must mean
 * the same wherever and whenever it runs: constants only.
 */
final class SetPlanner {
    /** They would make a shard's part of an answer incomplete, or tell a shard what only MySQL itself may know. */
    private static final Set<String> UNTOUCHABLE = Set.of(
            "sql_select_limit",
            "sql_log_bin",
            "gtid_next",
            "last_insert_id",
            "insert_id",
            "identity",
            "timestamp",
            "rand_seed1",
            "rand_seed2",
            "pseudo_thread_id",
            "pseudo_replica_mode",
            "pseudo_slave_mode",
            "proxy_user",
            "max_statement_time",
            "default_storage_engine",
            "default_tmp_storage_engine",
            // No variables at all, though the grammar takes them for some.
            "names",
            "charset",
            "password",
            "role",
            "transaction",
            "global",
            "session",
            "local",
            "persist");

    private final Planning planning;
    private final SessionPlanner session;
    private final List<Assignment> assignments = new ArrayList<>();

    SetPlanner(Planning planning, SessionPlanner session) {
        this.planning = planning;
        this.session = session;
    }

    SessionStatement plan(StartOptionValueListContext set) {
        if (!set.PASSWORD_SYMBOL().isEmpty()) {
            throw Refusal.unsupported("SET PASSWORD", "change the user's Secret");
        }
        if (set.TRANSACTION_SYMBOL() != null) {
            return new SessionStatement.SetNextTransaction("SET " + session.text(set));
        }
        if (set.optionType() == null) {
            single(set.optionValueNoOptionType());
            more(set.optionValueListContinued());
        } else {
            var following = set.startOptionValueListFollowingOptionType();
            checkSession(set.optionType());
            if (following.TRANSACTION_SYMBOL() != null) {
                transaction(following);
            } else {
                var first = following.optionValueFollowingOptionType();
                variable(first.lvalueVariable(), first.setExprOrDefault(), first);
                more(following.optionValueListContinued());
            }
        }
        return new SessionStatement.SetVariables(List.copyOf(assignments));
    }

    private static void checkSession(OptionTypeContext type) {
        if (type.SESSION_SYMBOL() == null && type.LOCAL_SYMBOL() == null) {
            throw Refusal.unsupported(
                    "SET " + type.getText().toUpperCase(Locale.ROOT),
                    "put the setting into the Keyspace's mysql.config");
        }
    }

    private void transaction(ParserRuleContext following) {
        var text = session.text(following);
        var upper = text.toUpperCase(Locale.ROOT);
        if (upper.contains("ISOLATION") && upper.contains(",")) {
            throw Refusal.unsupported(
                    "SET SESSION TRANSACTION with both an isolation level and an access mode", "use two statements");
        }
        var name = upper.contains("ISOLATION") ? "transaction_isolation" : "transaction_read_only";
        assignments.add(new Assignment(name, "SET SESSION " + text));
    }

    private void more(@Nullable OptionValueListContinuedContext list) {
        if (list != null) {
            list.optionValue().forEach(this::typed);
        }
    }

    private void typed(OptionValueContext value) {
        if (value.optionType() == null) {
            single(value.optionValueNoOptionType());
        } else {
            checkSession(value.optionType());
            variable(value.lvalueVariable(), value.setExprOrDefault(), value);
        }
    }

    private void single(OptionValueNoOptionTypeContext value) {
        if (value.NAMES_SYMBOL() != null) {
            if (value.expr() != null) {
                throw Refusal.unsupported("SET NAMES = value", "write SET NAMES utf8mb4");
            }
            add("names", value);
        } else if (value.charset() != null) {
            add("charset", value);
        } else if (value.userVariable() != null) {
            constant(value.expr());
            add(Names.of(value.userVariable()), value);
        } else {
            if (value.setVarIdentType() != null
                    && value.setVarIdentType().SESSION_SYMBOL() == null
                    && value.setVarIdentType().LOCAL_SYMBOL() == null) {
                throw Refusal.unsupported(
                        "SET @@GLOBAL and SET @@PERSIST", "put the setting into the Keyspace's mysql.config");
            }
            variable(value.lvalueVariable(), value.setExprOrDefault(), value);
        }
    }

    private void variable(LvalueVariableContext variable, SetExprOrDefaultContext value, ParserRuleContext assignment) {
        if (variable.dotIdentifier() != null) {
            throw Refusal.unsupported("SET of a variable with a dot in its name", "set system variables by their name");
        }
        var name = Names.of(variable).toLowerCase(Locale.ROOT);
        if (UNTOUCHABLE.contains(name) || name.startsWith("session_track_")) {
            throw Refusal.unsupported("SET " + name, "leave it at its default");
        }
        if (name.equals("sql_auto_is_null")
                && !Set.of("0", "off", "false").contains(value.getText().toLowerCase(Locale.ROOT))) {
            throw Refusal.unsupported("SET sql_auto_is_null = ON", "leave it off");
        }
        if (value.expr() != null) {
            constant(value.expr());
        }
        add(name, assignment);
    }

    /** A literal, TRUE, NULL, or a bare word such as utf8mb4 or OFF. */
    private void constant(ExprContext expr) {
        var simple = Operands.simple(expr);
        var plain = planning.operands().of(expr) instanceof Plan.Operand.Literal
                || simple instanceof SimpleExprLiteralContext
                || Operands.column(simple) != null && !expr.getText().contains(".");
        if (!plain) {
            throw Refusal.unsupported("SET of a variable to an expression", "give it a literal value");
        }
    }

    private void add(String name, ParserRuleContext assignment) {
        var keyword = assignment instanceof OptionValueNoOptionTypeContext ? "SET " : "SET SESSION ";
        var text = session.text(assignment);
        var typed = assignment instanceof OptionValueContext;
        assignments.add(new Assignment(name, (typed ? "SET " : keyword) + text));
    }
}
