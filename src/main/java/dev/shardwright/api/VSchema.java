package dev.shardwright.api;

import java.util.List;

/** How a keyspace's tables are spread over its shards. Null or absent lists mean empty. */
public record VSchema(UnlistedTables unlistedTables, List<VindexSpec> vindexes, List<TableSpec> tables) {

    public VSchema {
        unlistedTables = unlistedTables == null ? UnlistedTables.FirstShard : unlistedTables;
        vindexes = vindexes == null ? List.of() : List.copyOf(vindexes);
        tables = tables == null ? List.of() : List.copyOf(tables);
    }

    /** What becomes of a table that the vschema does not list. */
    public enum UnlistedTables {
        /** It lives whole on the shard that starts at the minimum of the key space. */
        FirstShard,
        /** It is sharded by the first column of its primary key. */
        ByPrimaryKey,
        /** Statements that name it are refused. */
        Refuse
    }

    /** A named function from column values to keyspace ids; {@code type} is one of the vindex types. */
    public record VindexSpec(String name, String type) {}

    /** A sharded table; the first column vindex is the primary one and decides where a row lives. */
    public record TableSpec(String name, List<ColumnVindex> columnVindexes) {
        public TableSpec {
            columnVindexes = columnVindexes == null ? List.of() : List.copyOf(columnVindexes);
        }
    }

    public record ColumnVindex(List<ShardKeyColumn> columns, String vindex) {
        public ColumnVindex {
            columns = columns == null ? List.of() : List.copyOf(columns);
        }
    }

    /**
     * A shard-key column as the vschema declares it.
     *
     * @param type MySQL column type in lower case, such as {@code bigint}, {@code bigint unsigned},
     *     {@code varbinary(64)}, {@code varchar(100)}; null means {@code bigint}
     * @param collation collation of a text column, null for other types
     */
    public record ShardKeyColumn(
            String name,
            String type,
            @org.jspecify.annotations.Nullable String collation) {
        public ShardKeyColumn {
            type = type == null ? "bigint" : type;
        }
    }
}
