package dev.shardwright.router.planner;

import dev.shardwright.router.planner.PlanningSchema.Kind;
import dev.shardwright.router.planner.parse.Names;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.AlterStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.CreateIndexContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.CreateStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.CreateTableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.DropStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.DuplicateAsQeContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ReferencesContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.RenameTableStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableRefContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TruncateTableStatementContext;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.ParseTree;

/** Plans CREATE, ALTER, DROP, RENAME and TRUNCATE on a keyspace of several shards. */
final class DdlPlanner {
    private static final String LATER = "it comes in a later version; keep it in the application until then";

    private final Planning planning;

    DdlPlanner(Planning planning) {
        this.planning = planning;
    }

    Plan plan(CreateStatementContext create) {
        if (create.createTable() != null) {
            return table(create.createTable());
        }
        if (create.createIndex() != null) {
            return index(create.createIndex());
        }
        throw object("CREATE", create);
    }

    Plan plan(AlterStatementContext alter) {
        if (alter.alterTable() == null) {
            throw object("ALTER", alter);
        }
        refuseForeignKeys(alter);
        var kind = kind(Names.of(alter.alterTable().tableRef()));
        if (kind instanceof Kind.Sharded sharded) {
            new TableRules(sharded.table()).checkAlter(alter.alterTable());
        }
        return ddl(kind);
    }

    Plan plan(DropStatementContext drop) {
        if (drop.dropTable() != null) {
            if (drop.dropTable().TEMPORARY_SYMBOL() != null) {
                throw Refusal.unsupported("a temporary table", LATER);
            }
            return ddl(sameKind(drop.dropTable().tableRefList().tableRef()));
        }
        if (drop.dropIndex() != null) {
            return ddl(kind(Names.of(drop.dropIndex().tableRef())));
        }
        throw object("DROP", drop);
    }

    Plan plan(RenameTableStatementContext rename) {
        for (var pair : rename.renamePair()) {
            var from = kind(Names.of(pair.tableRef()));
            var to = kind(Names.of(pair.tableName()));
            if (from instanceof Kind.Sharded || to instanceof Kind.Sharded) {
                throw Refusal.unsupported(
                        "renaming a sharded table, or a table to a sharded table's name",
                        "the vschema knows the table by its name: create the new one and copy the rows");
            }
        }
        return new Plan.Ddl(false);
    }

    Plan plan(TruncateTableStatementContext truncate) {
        return ddl(kind(Names.of(truncate.tableRef())));
    }

    private Plan table(CreateTableContext create) {
        if (create.TEMPORARY_SYMBOL() != null) {
            throw Refusal.unsupported("CREATE TEMPORARY TABLE", LATER);
        }
        if (Trees.outsideSubqueries(create, node -> node instanceof DuplicateAsQeContext) != null) {
            throw Refusal.unsupported("CREATE TABLE ... SELECT", "create the table first and insert the rows after");
        }
        refuseForeignKeys(create);
        var kind = kind(Names.of(create.tableName()));
        if (create.tableRef() != null) {
            var like = kind(Names.of(create.tableRef()));
            if (kind instanceof Kind.Sharded || like instanceof Kind.Sharded) {
                throw Refusal.unsupported(
                        "CREATE TABLE ... LIKE with a sharded table", "write out its columns and keys");
            }
        } else if (kind instanceof Kind.Sharded sharded) {
            new TableRules(sharded.table()).checkCreate(create);
        }
        return ddl(kind);
    }

    private Plan index(CreateIndexContext create) {
        var kind = kind(Names.of(create.createIndexTarget().tableRef()));
        if (kind instanceof Kind.Sharded sharded && create.UNIQUE_SYMBOL() != null) {
            new TableRules(sharded.table())
                    .checkUnique(create.createIndexTarget().keyListWithExpression(), "the UNIQUE index");
        }
        return ddl(kind);
    }

    private Kind kind(Names.Qualified name) {
        var kind = planning.schema().kind(name, planning.context().database());
        if (kind instanceof Kind.System) {
            throw Refusal.unsupported("DDL on information_schema or performance_schema", "leave them alone");
        }
        return kind;
    }

    private Kind sameKind(List<TableRefContext> tables) {
        var kinds = tables.stream().map(table -> kind(Names.of(table))).toList();
        var sharded =
                kinds.stream().filter(kind -> kind instanceof Kind.Sharded).count();
        if (sharded != 0 && sharded != kinds.size()) {
            throw Refusal.unsupported(
                    "one statement for sharded tables and tables that live on the first shard",
                    "use one statement for each table");
        }
        return kinds.get(0);
    }

    private static Plan ddl(Kind kind) {
        return new Plan.Ddl(kind instanceof Kind.Sharded);
    }

    private static void refuseForeignKeys(ParserRuleContext statement) {
        if (Trees.outsideSubqueries(statement, node -> node instanceof ReferencesContext) != null) {
            throw Refusal.unsupported("a foreign key", LATER);
        }
    }

    private static final Set<String> OBJECTS = Set.of(
            "VIEW",
            "TRIGGER",
            "PROCEDURE",
            "FUNCTION",
            "EVENT",
            "DATABASE",
            "SCHEMA",
            "SERVER",
            "TABLESPACE",
            "ROLE",
            "LOGFILE",
            "UNDO",
            "SPATIAL",
            "INSTANCE");

    private static Refusal object(String verb, ParserRuleContext statement) {
        var words = words(statement);
        var object = words.stream().filter(OBJECTS::contains).findFirst().orElse(words.size() > 1 ? words.get(1) : "");
        return Refusal.unsupported(
                verb + " " + object,
                object.equals("DATABASE") || object.equals("SCHEMA") ? "a keyspace is one database" : LATER);
    }

    /** The first words of a statement. */
    private static List<String> words(ParseTree statement) {
        return java.util.stream.Stream.of(statement)
                .flatMap(DdlPlanner::leaves)
                .limit(12)
                .map(leaf -> leaf.getText().toUpperCase(Locale.ROOT))
                .collect(Collectors.toList());
    }

    private static java.util.stream.Stream<ParseTree> leaves(ParseTree node) {
        return node.getChildCount() == 0
                ? java.util.stream.Stream.of(node)
                : java.util.stream.IntStream.range(0, node.getChildCount())
                        .mapToObj(node::getChild)
                        .flatMap(DdlPlanner::leaves);
    }
}
