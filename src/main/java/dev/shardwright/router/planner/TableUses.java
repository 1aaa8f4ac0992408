package dev.shardwright.router.planner;

import dev.shardwright.router.planner.PlanningSchema.Kind;
import dev.shardwright.router.planner.parse.Names;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.IdentifierContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableRefContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables that a statement names, in order, and their placement. */
final class TableUses {
    private final PlanningSchema schema;
    private final @Nullable String database;
    private final List<TableUse> uses = new ArrayList<>();
    private final Placement placement = new Placement();
    private boolean derived;

    TableUses(PlanningSchema schema, @Nullable String database) {
        this.schema = schema;
        this.database = database;
    }

    TableUse table(TableRefContext ref, @Nullable IdentifierContext alias, Scope scope, Set<String> visible) {
        var name = Names.of(ref);
        var called = alias == null ? name.name() : Names.of(alias);
        if (name.database() == null && visible.contains(name.name())) {
            return derived(called, scope);
        }
        var kind = schema.kind(name, database);
        var sharded = kind instanceof Kind.Sharded found ? found.table() : null;
        if (sharded != null && sharded.key().size() > 1) {
            throw Refusal.unsupported(
                    "the multi-column vindex of table '" + sharded.name() + "'", "give it a shard key of one column");
        }
        return added(new TableUse(placement.add(), called, name.database(), kind, sharded), scope);
    }

    TableUse derived(String alias, Scope scope) {
        derived = true;
        return added(new TableUse(placement.add(), alias, null, null, null), scope);
    }

    private TableUse added(TableUse use, Scope scope) {
        uses.add(use);
        scope.add(use);
        return use;
    }

    void foundDerived() {
        derived = true;
    }

    /** There are derived tables or common table expressions. */
    boolean hasDerived() {
        return derived;
    }

    Placement placement() {
        return placement;
    }

    List<TableUse> sharded() {
        return uses.stream().filter(TableUse::sharded).toList();
    }

    boolean hasFirstShard() {
        return uses.stream().anyMatch(use -> use.kind() instanceof Kind.FirstShard);
    }

    boolean hasSystem() {
        return uses.stream().anyMatch(use -> use.kind() instanceof Kind.System);
    }

    boolean isEmpty() {
        return uses.stream().allMatch(use -> use.kind() == null);
    }

    /** One of each group of tables whose rows are joined on one shard. */
    List<TableUse> groups() {
        return sharded().stream()
                .filter(use -> sharded().stream()
                        .filter(other -> placement.group(other.id()) == placement.group(use.id()))
                        .findFirst()
                        .orElseThrow()
                        .equals(use))
                .toList();
    }
}
