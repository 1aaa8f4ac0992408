package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.SessionStatement.AccessMode;
import dev.shardwright.router.planner.scan.FirstWord;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.AlterStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.CreateStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.DeleteStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.DoStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.DropStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ExplainStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.InsertStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.LoadStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.LockStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.RenameTableStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ReplaceStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SelectStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TransactionOrLockingStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TruncateTableStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.UpdateStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.UtilityStatementContext;
import org.antlr.v4.runtime.tree.ParseTree;

/** Sends each kind of statement to its planner; what has none is refused. */
final class Dispatcher {
    private final Planning planning;

    Dispatcher(Planning planning) {
        this.planning = planning;
    }

    Plan plan() {
        var session = new SessionPlanner(planning);
        if (planning.parsed().tree().beginWork() != null) {
            return new Plan.Session(new SessionStatement.Begin(AccessMode.UNNAMED));
        }
        var statement = Planning.statementOf(planning.parsed()).getChild(0);
        if (statement instanceof LoadStatementContext load) {
            return new LoadPlanner(planning).plan(load);
        }
        if (planning.schema().oneShard()) {
            var plan = session.planOrNull(statement);
            return plan == null ? OneShard.plan(planning) : plan;
        }
        var plan = session.plan(statement);
        return plan == null ? overSeveral(statement) : plan;
    }

    private Plan overSeveral(ParseTree statement) {
        return switch (statement) {
            case SelectStatementContext select -> new SelectPlanner(planning).plan(select);
            case InsertStatementContext insert -> new InsertPlanner(planning).plan(insert);
            case ReplaceStatementContext replace -> new InsertPlanner(planning).plan(replace);
            case UpdateStatementContext update -> new ChangePlanner(planning).plan(update);
            case DeleteStatementContext delete -> new ChangePlanner(planning).plan(delete);
            case CreateStatementContext create -> new DdlPlanner(planning).plan(create);
            case AlterStatementContext alter -> new DdlPlanner(planning).plan(alter);
            case DropStatementContext drop -> new DdlPlanner(planning).plan(drop);
            case RenameTableStatementContext rename -> new DdlPlanner(planning).plan(rename);
            case TruncateTableStatementContext truncate -> new DdlPlanner(planning).plan(truncate);
            case DoStatementContext todo -> todo(todo);
            case UtilityStatementContext utility -> utility(utility);
            case TransactionOrLockingStatementContext lock
            when lock.lockStatement() != null -> lock(lock.lockStatement());
            default ->
                new ShowPlanner(planning)
                        .plan(statement, FirstWord.of(planning.parsed().scan().statement()));
        };
    }

    private Plan todo(DoStatementContext statement) {
        planning.checkForSeveralShards();
        if (planning.features().subquery || planning.features().aboutLastStatement()) {
            throw Refusal.unsupported("DO with a subquery or about the last statement", "use SELECT");
        }
        return new Plan.AnyShard(planning.readAccess());
    }

    private Plan utility(UtilityStatementContext utility) {
        if (utility.describeStatement() != null) {
            planning.schema()
                    .kind(
                            dev.shardwright.router.planner.parse.Names.of(
                                    utility.describeStatement().tableRef()),
                            planning.context().database());
            return new Plan.FirstShard(Access.READ);
        }
        if (utility.explainStatement() != null) {
            return explain(utility.explainStatement());
        }
        if (utility.helpCommand() != null) {
            return new Plan.AnyShard(Access.READ);
        }
        throw Refusal.unsupported("RESTART", "restart servers through their Shard resource");
    }

    private Plan explain(ExplainStatementContext explain) {
        var options = explain.explainOptions();
        if (options != null && options.explainInto() != null) {
            throw Refusal.unsupported("EXPLAIN ... INTO", "read its answer in the client");
        }
        if (explain.explainableStatement().CONNECTION_SYMBOL() != null || explain.DATABASE_SYMBOL() != null) {
            throw Refusal.unsupported("EXPLAIN FOR", "explain the statement itself");
        }
        return switch (overSeveral(explain.explainableStatement().getChild(0))) {
            case Plan.Keyed keyed -> new Plan.Keyed(Access.READ, keyed.keys(), keyed.alsoOn(), keyed.insert(), null);
            case Plan.FirstShard _ -> new Plan.FirstShard(Access.READ);
            case Plan.AnyShard _ -> new Plan.AnyShard(Access.READ);
            default ->
                throw Refusal.unsupported(
                        "EXPLAIN of a statement that runs on several shards", "give the shard key by =");
        };
    }

    private static Plan lock(LockStatementContext lock) {
        if (lock.UNLOCK_SYMBOL() != null && lock.INSTANCE_SYMBOL() == null) {
            return new Plan.AnyShard(Access.READ);
        }
        throw Refusal.unsupported("LOCK TABLES and LOCK INSTANCE", "lock rows with SELECT ... FOR UPDATE");
    }
}
