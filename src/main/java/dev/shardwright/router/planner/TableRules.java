package dev.shardwright.router.planner;

import dev.shardwright.router.planner.parse.Names;
import dev.shardwright.topology.vindex.ShardKeyType;
import io.debezium.ddl.parser.mysql.generated.MySqlParser;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.AlterListItemContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.AlterTableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ColumnAttributeContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.CreateTableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.CreateTableOptionContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.DataTypeContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.FieldDefinitionContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.KeyListWithExpressionContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableConstraintDefContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableElementContext;
import java.util.Locale;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;

/** What a sharded table's definition must be so that every row has one place and keys are unique over all shards. */
final class TableRules {
    private final ShardedTable table;

    TableRules(ShardedTable table) {
        this.table = table;
    }

    void checkCreate(CreateTableContext create) {
        checkOptions(create);
        if (create.tableElementList() == null) {
            throw refusal("CREATE TABLE without columns", "list the columns");
        }
        var found = false;
        for (var element : create.tableElementList().tableElement()) {
            found |= isShardKey(element);
            check(element);
        }
        if (!found) {
            throw refusal(
                    "a definition without the shard key '" + table.keyColumn() + "'",
                    "add the column " + table.keyColumn() + " "
                            + table.key().get(0).type());
        }
    }

    private boolean isShardKey(TableElementContext element) {
        return element.columnDefinition() != null
                && table.isKey(Names.of(element.columnDefinition().columnName()));
    }

    private void check(TableElementContext element) {
        if (element.columnDefinition() != null) {
            checkColumn(
                    Names.of(element.columnDefinition().columnName()),
                    element.columnDefinition().fieldDefinition());
        } else {
            checkConstraint(element.tableConstraintDef());
        }
    }

    void checkAlter(AlterTableContext alter) {
        checkOptions(alter);
        var actions = alter.alterTableActions();
        if (actions == null || actions.alterCommandList() == null || mentionsTablespace(alter)) {
            throw refusal("ALTER TABLE with tablespaces or partitions", "use plain ALTER TABLE");
        }
        for (var item : Trees.all(alter, AlterListItemContext.class)) {
            check(item);
        }
    }

    private static boolean mentionsTablespace(AlterTableContext alter) {
        return Trees.outsideSubqueries(
                        alter,
                        node -> node instanceof TerminalNode word
                                && word.getText().equalsIgnoreCase("TABLESPACE"))
                != null;
    }

    private void check(AlterListItemContext item) {
        if (item.RENAME_SYMBOL() != null) {
            checkRename(item);
        } else if (item.CONVERT_SYMBOL() != null) {
            if (table.key().get(0).collation() != null) {
                throw refusal("CONVERT TO CHARACTER SET", "it would change the shard key: convert the other columns");
            }
        } else if (item.ADD_SYMBOL() != null) {
            checkAdd(item);
        } else if (item.CHANGE_SYMBOL() != null) {
            var from = Names.of(item.columnInternalRef());
            var to = Names.of(item.identifier());
            if (table.isKey(from) != table.isKey(to)) {
                throw refusal("renaming the shard key, or a column to its name", "the vschema knows it by its name");
            }
            checkColumn(to, item.fieldDefinition());
        } else if (item.MODIFY_SYMBOL() != null) {
            checkColumn(Names.of(item.columnInternalRef()), item.fieldDefinition());
        } else if (item.DROP_SYMBOL() != null && item.columnInternalRef() != null) {
            if (item.FOREIGN_SYMBOL() == null && table.isKey(Names.of(item.columnInternalRef()))) {
                throw refusal("dropping the shard key '" + table.keyColumn() + "'", "rows have no place without it");
            }
        }
    }

    private void checkRename(AlterListItemContext item) {
        if (item.tableName() != null) {
            throw refusal("renaming a sharded table", "the vschema knows it by its name");
        }
        if (item.columnInternalRef() != null
                && (table.isKey(Names.of(item.columnInternalRef())) || table.isKey(Names.of(item.identifier())))) {
            throw refusal("renaming the shard key, or a column to its name", "the vschema knows it by its name");
        }
    }

    private void checkAdd(AlterListItemContext item) {
        if (item.tableConstraintDef() != null) {
            checkConstraint(item.tableConstraintDef());
        } else if (item.tableElementList() != null) {
            item.tableElementList().tableElement().forEach(this::check);
        } else {
            checkColumn(Names.of(item.identifier()), item.fieldDefinition());
        }
    }

    private void checkColumn(String name, FieldDefinitionContext definition) {
        var key = table.isKey(name);
        for (var attribute : definition.columnAttribute()) {
            checkAttribute(name, key, attribute);
        }
        if (definition.dataType().type != null && definition.dataType().type.getType() == MySqlParser.SERIAL_SYMBOL) {
            throw autoIncrement(name);
        }
        if (key) {
            checkKeyColumn(name, definition);
        }
    }

    private void checkAttribute(String name, boolean key, ColumnAttributeContext attribute) {
        if (attribute.AUTO_INCREMENT_SYMBOL() != null || attribute.SERIAL_SYMBOL() != null) {
            throw autoIncrement(name);
        }
        if (!key && (attribute.UNIQUE_SYMBOL() != null || attribute.KEY_SYMBOL() != null)) {
            throw notUnique("the key on column '" + name + "'");
        }
    }

    private Refusal autoIncrement(String column) {
        return refusal(
                "AUTO_INCREMENT (column '" + column + "')",
                "each shard would count for itself: have the application make the ids");
    }

    private void checkKeyColumn(String name, FieldDefinitionContext definition) {
        if (definition.AS_SYMBOL() != null) {
            throw refusal("a generated column as the shard key '" + name + "'", "make it an ordinary column");
        }
        var declared = table.key().stream()
                .filter(column -> column.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow();
        var wanted = ShardKeyType.of(declared).columnType();
        var given = type(definition.dataType());
        if (!given.equals(wanted)) {
            throw refusal(
                    "the shard key '" + name + "' as " + given,
                    "the vschema declares it as " + wanted + ": make both the same");
        }
        if (declared.collation() != null && !declared.collation().equals(collation(definition))) {
            throw refusal(
                    "the shard key '" + name + "' in another collation than the vschema's, or in the table's default",
                    "write CHARACTER SET utf8mb4 COLLATE " + declared.collation() + " at the column");
        }
    }

    private static String collation(FieldDefinitionContext definition) {
        var collation = definition.columnAttribute().stream()
                .filter(attribute -> attribute.collate() != null)
                .map(attribute -> attribute.collate().getText())
                .findFirst()
                .orElse("");
        return collation.toLowerCase(Locale.ROOT).replaceFirst("^collate", "").replace("`", "");
    }

    /** The type as MySQL shows it: without a display width, with unsigned. */
    private static String type(DataTypeContext type) {
        if (type.type == null) {
            return type.getText().toLowerCase(Locale.ROOT);
        }
        var name = MySqlParser.VOCABULARY
                .getSymbolicName(type.type.getType())
                .replace("_SYMBOL", "")
                .toLowerCase(Locale.ROOT);
        return switch (name) {
            case "tinyint", "smallint", "mediumint", "int", "bigint" -> name + (unsigned(type) ? " unsigned" : "");
            case "char" -> (type.VARYING_SYMBOL() == null ? "char" : "varchar") + length(type);
            case "varchar", "varbinary", "binary" -> name + length(type);
            default -> type.getText().toLowerCase(Locale.ROOT);
        };
    }

    private static boolean unsigned(DataTypeContext type) {
        return type.fieldOptions() != null
                && !(type.fieldOptions().UNSIGNED_SYMBOL().isEmpty()
                        && type.fieldOptions().ZEROFILL_SYMBOL().isEmpty());
    }

    private static String length(DataTypeContext type) {
        return type.fieldLength() == null ? "(1)" : type.fieldLength().getText();
    }

    private void checkConstraint(TableConstraintDefContext constraint) {
        if (constraint.UNIQUE_SYMBOL() != null) {
            checkUnique(constraint.keyListWithExpression(), "a UNIQUE key");
        } else if (constraint.PRIMARY_SYMBOL() != null) {
            checkUnique(constraint.keyListWithExpression(), "the PRIMARY KEY");
        }
    }

    /** Servers check uniqueness among their own rows only: equal keys must meet on one server. */
    void checkUnique(KeyListWithExpressionContext parts, String what) {
        for (var column : table.key()) {
            var whole = parts.keyPartOrExpression().stream()
                    .anyMatch(part -> part.keyPart() != null
                            && part.keyPart().fieldLength() == null
                            && Names.of(part.keyPart().identifier()).equalsIgnoreCase(column.name()));
            if (!whole) {
                throw notUnique(what);
            }
        }
    }

    private Refusal notUnique(String what) {
        return refusal(
                what + " without the shard key in it",
                "no server could see all rows of the table: add '" + table.keyColumn() + "' to the key");
    }

    private void checkOptions(ParseTree statement) {
        for (var option : Trees.all(statement, CreateTableOptionContext.class)) {
            if (option.ENGINE_SYMBOL() != null && !option.engineRef().getText().equalsIgnoreCase("innodb")) {
                throw refusal("ENGINE = " + option.engineRef().getText(), "use InnoDB");
            }
        }
    }

    private Refusal refusal(String what, String instead) {
        return Refusal.unsupported("the sharded table '" + table.name() + "' with " + what, instead);
    }
}
