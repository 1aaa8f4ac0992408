package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.PlanningSchema.Kind;
import dev.shardwright.router.planner.parse.Names;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.LoadStatementContext;

/** Plans LOAD DATA and LOAD XML: only with LOCAL, and only where the whole file belongs to one shard. */
final class LoadPlanner {
    private final Planning planning;

    LoadPlanner(Planning planning) {
        this.planning = planning;
    }

    Plan plan(LoadStatementContext load) {
        if (load.LOCAL_SYMBOL() == null) {
            throw Refusal.fileOfServer();
        }
        if (planning.schema().oneShard()) {
            return new Plan.PassThrough(Access.WRITE);
        }
        var kind = planning.schema()
                .kind(Names.of(load.tableRef()), planning.context().database());
        if (!(kind instanceof Kind.FirstShard)) {
            throw Refusal.unsupported(
                    "LOAD DATA into a sharded or system table", "insert the rows in batches of INSERT statements");
        }
        checkExpressions();
        return new Plan.FirstShard(Access.WRITE);
    }

    /** SET expressions are worked out on the first shard. */
    private void checkExpressions() {
        planning.checkForSeveralShards();
        planning.checkNotAboutLastStatement();
        if (planning.features().subquery
                || !planning.features().userVariables.isEmpty()
                || planning.features().callsUnknownFunction()) {
            throw Refusal.unsupported(
                    "LOAD DATA with subqueries, user variables or stored functions",
                    "convert the values before they are loaded");
        }
    }
}
