package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Residue.Plain;
import dev.shardwright.router.planner.parse.Names;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.AlterListItemContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.CallStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.CreateTableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.DropTableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.DuplicateAsQeContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.FlushTablesContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.FunctionCallContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.HandlerStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.LoadStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.LockStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.PreparedStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QuerySpecificationContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SelectItemContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SelectItemListContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SetResourceGroupContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SetStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TransactionStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.UserVariableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.XaStatementContext;
import java.util.Objects;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/** Finds out what statements leave on their connection; what is not sure counts as {@link Plain#ANYTHING}. */
final class Residues {
    private Residues() {}

    /** Of a statement that goes to a server as it came. */
    static Residue of(Planning planning) {
        var features = planning.features();
        if (features.userVariableAssigned
                || features.into && !features.userVariables.isEmpty()
                || features.callsStoredFunction()) {
            return Plain.ANYTHING;
        }
        var tree = planning.parsed().tree();
        var stated = Trees.outsideSubqueries(tree, node -> ofKind(node) != null);
        if (stated != null) {
            return features.functions.contains("GET_LOCK") ? Plain.ANYTHING : Objects.requireNonNull(ofKind(stated));
        }
        if (features.calcFoundRows) {
            return features.takesLock() ? Plain.ANYTHING : Plain.FOUND_ROWS;
        }
        return ofLocks(tree, features);
    }

    /** Whether it is CREATE TABLE ... SELECT. */
    static boolean selects(Planning planning) {
        return Trees.outsideSubqueries(planning.parsed().tree(), node -> node instanceof DuplicateAsQeContext) != null;
    }

    /** Of DDL whose tables are all that matters. */
    static Residue ofDdl(Planning planning) {
        var tree = planning.parsed().tree();
        var stated = Trees.outsideSubqueries(
                tree, node -> node instanceof DropTableContext || node instanceof AlterListItemContext);
        var residue = stated == null ? null : ofKind(stated);
        if (residue != null) {
            return residue;
        }
        return Trees.all(tree, AlterListItemContext.class).stream().anyMatch(Residues::renames)
                ? Plain.RENAMED_TABLE
                : Plain.NOTHING;
    }

    private static @Nullable Residue ofKind(ParseTree node) {
        return switch (node) {
            case LockStatementContext lock -> ofLock(lock);
            case FlushTablesContext flush -> locks(flush) ? Plain.READ_LOCK : null;
            case XaStatementContext xa -> ofXa(xa);
            case TransactionStatementContext begin -> begin.COMMIT_SYMBOL() == null ? Plain.BEGINS : Plain.ANYTHING;
            case CreateTableContext create -> ofTable(create);
            case DropTableContext drop ->
                new Residue.NoTables(
                        drop.tableRefList().tableRef().stream().map(Names::of).toList());
            case LoadStatementContext load -> assigns(load) ? Plain.ANYTHING : null;
            case CallStatementContext _ -> Plain.ANYTHING;
            case HandlerStatementContext _ -> Plain.ANYTHING;
            case PreparedStatementContext _ -> Plain.ANYTHING;
            case SetStatementContext _ -> Plain.ANYTHING;
            case SetResourceGroupContext _ -> Plain.ANYTHING;
            default -> null;
        };
    }

    private static Residue ofLock(LockStatementContext lock) {
        if (lock.INSTANCE_SYMBOL() != null) {
            return Plain.ANYTHING;
        }
        return lock.UNLOCK_SYMBOL() != null ? Plain.NO_TABLE_LOCKS : Plain.TABLE_LOCKS;
    }

    private static @Nullable Residue ofXa(XaStatementContext xa) {
        if (xa.COMMIT_SYMBOL() != null || xa.ROLLBACK_SYMBOL() != null) {
            return Plain.NO_XA_BRANCH;
        }
        return xa.START_SYMBOL() != null || xa.BEGIN_SYMBOL() != null ? Plain.XA_BRANCH : null;
    }

    private static @Nullable Residue ofTable(CreateTableContext create) {
        return create.TEMPORARY_SYMBOL() == null ? null : new Residue.TemporaryTable(Names.of(create.tableName()));
    }

    private static boolean locks(FlushTablesContext flush) {
        return flush.LOCK_SYMBOL() != null || flush.flushTablesOptions() != null;
    }

    /** Whether columns of the file go to user variables. */
    private static boolean assigns(ParseTree load) {
        return Trees.outsideSubqueries(load, part -> part instanceof UserVariableContext) != null;
    }

    private static boolean renames(AlterListItemContext item) {
        return item.RENAME_SYMBOL() != null && item.tableName() != null;
    }

    private static Residue ofLocks(ParseTree tree, Features features) {
        if (!features.takesLock()) {
            return Plain.NOTHING;
        }
        boolean takes = features.functions.contains("GET_LOCK");
        var unsure = takes ? Plain.USER_LOCKS : Plain.NOTHING;
        var calls = Trees.all(tree, FunctionCallContext.class).stream()
                .filter(call -> isUserLock(Features.nameOf(call)))
                .toList();
        if (calls.size() != 1) {
            return unsure;
        }
        var call = calls.getFirst();
        var asks = onlyAsks(call);
        return switch (Objects.requireNonNull(Features.nameOf(call))) {
            case "GET_LOCK" -> asks instanceof QuerySpecificationContext ? Plain.USER_LOCK : unsure;
            case "RELEASE_LOCK" -> asks instanceof QuerySpecificationContext ? Plain.ONE_USER_LOCK_LESS : unsure;
            case "RELEASE_ALL_LOCKS" -> asks != null ? Plain.NO_USER_LOCKS : unsure;
            default -> unsure;
        };
    }

    private static boolean isUserLock(@Nullable String function) {
        return function != null && Functions.USER_LOCKS.contains(function);
    }

    /** The SELECT or DO that is the whole statement and calls just this, once; null for any other statement. */
    private static @Nullable ParseTree onlyAsks(FunctionCallContext call) {
        ParseTree node = call;
        while (!(node.getParent() instanceof SelectItemContext)) {
            node = node.getParent();
            if (node == null || node.getChildCount() != 1) {
                return null;
            }
        }
        if (!(node.getParent().getParent() instanceof SelectItemListContext list) || list.getChildCount() != 1) {
            return null;
        }
        var asks = list.getParent();
        return asks.getChildCount() == 2 && isWhole(asks) ? asks : null;
    }

    private static boolean isWhole(ParseTree part) {
        var node = part.getParent();
        while (node.getChildCount() == 1 && !(node instanceof SimpleStatementContext)) {
            node = node.getParent();
        }
        return node instanceof SimpleStatementContext;
    }
}
