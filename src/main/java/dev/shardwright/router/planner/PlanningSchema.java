package dev.shardwright.router.planner;

import dev.shardwright.api.VSchema;
import dev.shardwright.router.planner.parse.Names;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What planning knows of the keyspace: its tables and whether there is more than one shard. */
final class PlanningSchema {
    private static final Set<String> SYSTEM = Set.of("information_schema", "performance_schema");

    private final String keyspace;
    private final VSchema vschema;
    private final boolean oneShard;
    private final Map<String, ShardedTable> tables = new HashMap<>();

    PlanningSchema(String keyspace, VSchema vschema, boolean oneShard) {
        this.keyspace = keyspace;
        this.vschema = vschema;
        this.oneShard = oneShard;
        for (var table : vschema.tables()) {
            if (!table.columnVindexes().isEmpty()) {
                tables.put(table.name(), ShardedTable.of(table));
            }
        }
    }

    boolean plansLike(PlanningSchema other) {
        return keyspace.equals(other.keyspace) && vschema.equals(other.vschema) && oneShard == other.oneShard;
    }

    String keyspace() {
        return keyspace;
    }

    boolean oneShard() {
        return oneShard;
    }

    @Nullable
    ShardedTable sharded(String table) {
        return tables.get(table);
    }

    /** What a table name stands for; throws Refusal when it can't be reached. */
    Kind kind(Names.Qualified name, @Nullable String currentDatabase) {
        var database = name.database() == null ? currentDatabase : name.database();
        if (database == null) {
            throw Refusal.noDatabase();
        }
        checkDatabase(database);
        if (!database.equals(keyspace)) {
            return new Kind.System();
        }
        var table = tables.get(name.name());
        return table == null ? unlisted(name.name()) : new Kind.Sharded(table);
    }

    /** Refuses databases that are not the keyspace's; information_schema and performance_schema may be read. */
    void checkDatabase(String database) {
        if (!database.equals(keyspace) && !SYSTEM.contains(database.toLowerCase(Locale.ROOT))) {
            throw Refusal.otherDatabase(database, keyspace);
        }
    }

    private Kind unlisted(String table) {
        return switch (vschema.unlistedTables()) {
            case FirstShard -> new Kind.FirstShard();
            case Refuse -> throw Refusal.unlistedTable(table);
            case ByPrimaryKey ->
                throw Refusal.unsupported(
                        "unlistedTables: ByPrimaryKey (table '" + table + "')",
                        "list the table with its shard key in the vschema; this mode comes later");
        };
    }

    sealed interface Kind {
        record Sharded(ShardedTable table) implements Kind {}

        record FirstShard() implements Kind {}

        record System() implements Kind {}
    }
}
