package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Access;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.DeleteStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.UpdateStatementContext;
import java.util.Set;
import org.antlr.v4.runtime.ParserRuleContext;

/** Plans UPDATE and DELETE on a keyspace of several shards: on the shard that the shard key names. */
final class ChangePlanner {
    private final Planning planning;
    private final TableUses uses;
    private final QueryAnalyzer queries;

    ChangePlanner(Planning planning) {
        this.planning = planning;
        this.uses = planning.newUses();
        this.queries = new QueryAnalyzer(uses, planning.operands());
        planning.checkForSeveralShards();
        planning.checkNotAboutLastStatement();
    }

    Plan plan(UpdateStatementContext update) {
        var names = queries.with(update.withClause(), null, Planning.NO_NAMES);
        var scope = queries.rows(update.tableReferenceList(), update.whereClause(), null, names);
        rest(update, scope, names);
        for (var use : uses.sharded()) {
            if (use.table() != null) {
                InsertPlanner.checkKeyStays(update.updateList(), use.table(), "UPDATE");
            }
        }
        return plan("UPDATE");
    }

    Plan plan(DeleteStatementContext delete) {
        var names = queries.with(delete.withClause(), null, Planning.NO_NAMES);
        if (delete.tableRef() == null) {
            var scope = queries.rows(delete.tableReferenceList(), delete.whereClause(), null, names);
            rest(delete, scope, names);
        } else {
            single(delete, names);
        }
        return plan("DELETE");
    }

    private void single(DeleteStatementContext delete, Set<String> names) {
        var scope = new Scope(null);
        var alias = delete.tableAlias() == null ? null : delete.tableAlias().identifier();
        var table = uses.table(delete.tableRef(), alias, scope, names);
        if (delete.whereClause() != null) {
            queries.filter(delete.whereClause().expr(), scope, Set.of(table.id()));
        }
        rest(delete, scope, names);
    }

    /** Subqueries in all parts but those that have been analysed with the tables. */
    private void rest(ParserRuleContext statement, Scope scope, Set<String> names) {
        for (var child : statement.children) {
            if (!(child instanceof io.debezium.ddl.parser.mysql.generated.MySqlParser.WithClauseContext)
                    && !(child
                            instanceof io.debezium.ddl.parser.mysql.generated.MySqlParser.TableReferenceListContext)) {
                queries.subqueries(child, scope, names);
            }
        }
    }

    private Plan plan(String verb) {
        if (uses.hasSystem()) {
            throw Refusal.unsupported(
                    verb + " with a table of information_schema or performance_schema", "read it in a SELECT first");
        }
        var rows = new RowPlanner(uses);
        var unsharded = rows.unsharded(Access.WRITE);
        return unsharded != null ? unsharded : rows.write(verb);
    }
}
