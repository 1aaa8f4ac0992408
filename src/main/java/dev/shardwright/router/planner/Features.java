package dev.shardwright.router.planner;

import dev.shardwright.router.planner.parse.Names;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.FunctionCallContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.GroupByClauseContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.GroupingOperationContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.InExpressionUserVariableAssignmentContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.IntoClauseContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.LockingClauseContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QuerySpecOptionContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.RuntimeFunctionCallContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.RvalueSystemVariableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SubqueryContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SumExprContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.UserVariableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.WindowFunctionCallContext;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/** What a statement uses, anywhere in it, that decides whether it may run on several shards, or change the session. */
final class Features {
    final Set<String> functions = new LinkedHashSet<>();
    final Set<String> systemVariables = new LinkedHashSet<>();
    boolean aggregate;
    boolean window;
    boolean grouping;
    final Set<String> userVariables = new LinkedHashSet<>();
    boolean userVariableAssigned;
    boolean into;
    boolean locking;
    boolean subquery;
    boolean calcFoundRows;
    boolean storedFunction;

    static Features of(ParseTree tree) {
        var features = new Features();
        features.visit(tree);
        return features;
    }

    private void visit(ParseTree node) {
        note(node);
        for (var i = 0; i < node.getChildCount(); i++) {
            visit(node.getChild(i));
        }
    }

    private void note(ParseTree node) {
        switch (node) {
            case FunctionCallContext call -> function(call);
            case RuntimeFunctionCallContext call ->
                functions.add(upper(call.getStart().getText()));
            case SumExprContext sum -> {
                aggregate = true;
                window |= sum.windowingClause() != null;
            }
            case WindowFunctionCallContext _ -> window = true;
            case GroupByClauseContext _ -> grouping = true;
            case GroupingOperationContext _ -> grouping = true;
            case InExpressionUserVariableAssignmentContext _ -> userVariableAssigned = true;
            case UserVariableContext variable -> userVariables.add(Names.of(variable));
            case RvalueSystemVariableContext variable -> systemVariables.add(lastName(variable));
            case IntoClauseContext _ -> into = true;
            case LockingClauseContext _ -> locking = true;
            case SubqueryContext _ -> subquery = true;
            case QuerySpecOptionContext option -> calcFoundRows |= option.SQL_CALC_FOUND_ROWS_SYMBOL() != null;
            default -> {}
        }
    }

    private void function(FunctionCallContext call) {
        var name = nameOf(call);
        if (name == null) {
            storedFunction = true;
        } else if (Functions.AGGREGATES.contains(name)) {
            aggregate = true;
        } else {
            functions.add(name);
        }
    }

    /** Null for a function of a database. */
    static @Nullable String nameOf(FunctionCallContext call) {
        if (call.pureIdentifier() != null) {
            return upper(Names.of(call.pureIdentifier()));
        }
        return call.qualifiedIdentifier() != null && call.qualifiedIdentifier().dotIdentifier() == null
                ? upper(Names.of(call.qualifiedIdentifier().identifier()))
                : null;
    }

    /** Whether this node is an aggregate, or a window function made of one. */
    static boolean isAggregate(ParseTree node) {
        return node instanceof SumExprContext
                || node instanceof FunctionCallContext call
                        && nameOf(call) instanceof String name
                        && Functions.AGGREGATES.contains(name);
    }

    private static String lastName(RvalueSystemVariableContext variable) {
        var last = variable.dotIdentifier() == null
                ? variable.textOrIdentifier()
                : variable.dotIdentifier().identifier();
        return Names.of(last).toLowerCase(Locale.ROOT);
    }

    private static String upper(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    /** Functions that the server does not have built in may do anything. */
    boolean callsUnknownFunction() {
        return storedFunction || !Functions.BUILT_IN.containsAll(functions);
    }

    /** As {@link #callsUnknownFunction}, but those about earlier statements and about locks are known too. */
    boolean callsStoredFunction() {
        return storedFunction
                || functions.stream()
                        .anyMatch(name -> !Functions.BUILT_IN.contains(name)
                                && !Functions.ABOUT_LAST_STATEMENT.contains(name)
                                && !Functions.USER_LOCKS.contains(name)
                                && !name.equals("LAST_INSERT_ID"));
    }

    /** LAST_INSERT_ID(), ROW_COUNT() and the like: what it answers depends on the session's earlier statements. */
    boolean aboutLastStatement() {
        return asksLastStatement() || asksInsertId();
    }

    boolean asksLastStatement() {
        return functions.stream().anyMatch(Functions.ABOUT_LAST_STATEMENT::contains)
                || systemVariables.stream().anyMatch(Functions.VARIABLES_ABOUT_LAST_STATEMENT::contains);
    }

    boolean asksInsertId() {
        return functions.contains("LAST_INSERT_ID")
                || systemVariables.contains("last_insert_id")
                || systemVariables.contains("identity");
    }

    boolean takesLock() {
        return functions.stream().anyMatch(Functions.USER_LOCKS::contains);
    }

    /** Leaves something on the connection that the router can't put on another one. */
    boolean changesSession() {
        return userVariableAssigned || takesLock() || calcFoundRows || into && !userVariables.isEmpty();
    }
}
