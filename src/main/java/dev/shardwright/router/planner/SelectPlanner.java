package dev.shardwright.router.planner;

import io.debezium.ddl.parser.mysql.generated.MySqlParser.SelectStatementContext;

/** Plans SELECT, TABLE, VALUES and WITH ... SELECT on a keyspace of several shards. */
final class SelectPlanner {
    private final Planning planning;

    SelectPlanner(Planning planning) {
        this.planning = planning;
    }

    Plan plan(SelectStatementContext select) {
        planning.checkForSeveralShards();
        var uses = planning.newUses();
        var queries = new QueryAnalyzer(uses, planning.operands());
        if (select.queryExpression() == null) {
            throw Refusal.unsupported("SELECT ... INTO", "read the rows in the client");
        }
        queries.queryExpression(select.queryExpression(), null, Planning.NO_NAMES);
        if (planning.features().functions.contains("FOUND_ROWS")) {
            // It is about the last SELECT, which several shards may have run, or another than ran the last statement.
            throw Refusal.unsupported("FOUND_ROWS()", "count the rows that came, or run SELECT COUNT(*)");
        }
        if (planning.features().aboutLastStatement() && uses.isEmpty() && !uses.hasDerived()) {
            return new Plan.Session(new SessionStatement.AboutLastStatement());
        }
        planning.checkNotAboutLastStatement();
        var rows = new RowPlanner(uses);
        var unsharded = rows.unsharded(planning.readAccess());
        return unsharded != null
                ? unsharded
                : rows.read(
                        planning.readAccess(),
                        () -> new MergePlanner(planning.parsed(), planning.features(), uses.hasDerived())
                                .merge(select));
    }
}
