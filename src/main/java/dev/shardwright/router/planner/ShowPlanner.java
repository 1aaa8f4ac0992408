package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.parse.Names;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.InDbContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowCharacterSetStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowCollationStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowColumnsStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowCreateDatabaseStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowCreateTableStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowDatabasesStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowEnginesStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowEventsStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowGrantsStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowKeysStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowPluginsStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowPrivilegesStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowProcessListStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowStatusStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowTableStatusStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowTablesStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowTriggersStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ShowVariablesStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableRefContext;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/** Plans SHOW on a keyspace of several shards; the first shard has every table of the keyspace. */
final class ShowPlanner {
    private final Planning planning;

    ShowPlanner(Planning planning) {
        this.planning = planning;
    }

    Plan plan(ParseTree statement, String firstWord) {
        return switch (statement) {
            case ShowVariablesStatementContext _ -> any();
            case ShowStatusStatementContext _ -> any();
            case ShowEnginesStatementContext _ -> any();
            case ShowCharacterSetStatementContext _ -> any();
            case ShowCollationStatementContext _ -> any();
            case ShowPrivilegesStatementContext _ -> any();
            case ShowPluginsStatementContext _ -> any();
            case ShowProcessListStatementContext _ -> any();
            case ShowGrantsStatementContext _ -> any();
            case ShowDatabasesStatementContext _ -> any();
            case ShowCreateDatabaseStatementContext show -> schema(Names.of(show.schemaRef()));
            case ShowTablesStatementContext show -> schema(show.inDb());
            case ShowTableStatusStatementContext show -> schema(show.inDb());
            case ShowTriggersStatementContext show -> schema(show.inDb());
            case ShowEventsStatementContext show -> schema(show.inDb());
            case ShowColumnsStatementContext show -> table(show.tableRef(), show.inDb());
            case ShowKeysStatementContext show -> table(show.tableRef(), show.inDb());
            case ShowCreateTableStatementContext show -> table(show.tableRef(), null);
            default ->
                throw Refusal.unsupported(
                        "the statement " + firstWord + " (" + kind(statement) + ")",
                        "ask the shard's MySQL server directly");
        };
    }

    /** The grammar's name of the statement, in words. */
    private static String kind(ParseTree statement) {
        return statement
                .getClass()
                .getSimpleName()
                .replaceAll("(Statement)?Context$", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toLowerCase(java.util.Locale.ROOT);
    }

    private static Plan any() {
        return new Plan.AnyShard(Access.READ);
    }

    private Plan schema(@Nullable InDbContext in) {
        return in == null ? new Plan.FirstShard(Access.READ) : schema(Names.of(in.identifier()));
    }

    private Plan schema(String database) {
        planning.schema().checkDatabase(database);
        return new Plan.FirstShard(Access.READ);
    }

    private Plan table(TableRefContext table, @Nullable InDbContext in) {
        var name = Names.of(table);
        planning.schema()
                .kind(
                        in == null ? name : new Names.Qualified(Names.of(in.identifier()), name.name()),
                        planning.context().database());
        return new Plan.FirstShard(Access.READ);
    }
}
