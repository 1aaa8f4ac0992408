package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a keyspace's tables are spread over its shards. Null or absent lists mean empty. */
@ValidationRule(
        value = "self.tables.all(t, t.columnVindexes.all(c, self.vindexes.exists(v, v.name == c.vindex)))",
        message = "a table uses a vindex that vschema.vindexes does not declare: add it there, or correct the name")
public record VSchema(
        @JsonPropertyDescription("What becomes of a table that is not listed: FirstShard (it lives whole on the first"
                + " shard), ByPrimaryKey (sharded by the first column of its primary key) or Refuse (statements that"
                + " name it are refused).")
        @Default("FirstShard")
        UnlistedTables unlistedTables,

        @JsonPropertyDescription("Named functions from column values to places in the key space.")
        @Default("[]")
        @Size(max = 50)
        List<VindexSpec> vindexes,

        @JsonPropertyDescription("The sharded tables.") @Default("[]") @Size(max = 1000)
        List<TableSpec> tables) {

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
    public record VindexSpec(
            @JsonPropertyDescription("The vindex's name, for the tables that use it.")
            @Required
            @Size(max = 64)
            @Pattern("^[A-Za-z][A-Za-z0-9_]*$")
            String name,

            @JsonPropertyDescription("The function: hash, xxhash, numeric, binary, binary_md5 or reverse_bits.")
            @Default("xxhash")
            @Size(max = 32)
            @ValidationRule(
                    value = "self in ['hash', 'xxhash', 'numeric', 'binary', 'binary_md5', 'reverse_bits']",
                    message = "unknown vindex type: use hash, xxhash, numeric, binary, binary_md5 or reverse_bits")
            String type) {
        public VindexSpec {
            type = type == null ? "xxhash" : type;
        }
    }

    /** A sharded table; the first column vindex is the primary one and decides where a row lives. */
    public record TableSpec(
            @JsonPropertyDescription("The table's name.") @Required @Size(min = 1, max = 64) @Pattern(NAME)
            String name,

            @JsonPropertyDescription("What the table is sharded by; the first decides where a row lives.")
            @Required
            @Size(min = 1, max = 4)
            List<ColumnVindex> columnVindexes) {
        public TableSpec {
            columnVindexes = columnVindexes == null ? List.of() : List.copyOf(columnVindexes);
        }
    }

    /** Columns and the vindex over them. */
    public record ColumnVindex(
            @JsonPropertyDescription("The columns, in the vindex's order.") @Required @Size(min = 1, max = 4)
            List<ShardKeyColumn> columns,

            @JsonPropertyDescription("The name of a vindex in vschema.vindexes.") @Required @Size(max = 64)
            String vindex) {
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
            @JsonPropertyDescription("The column's name.") @Required @Size(min = 1, max = 64) @Pattern(NAME)
            String name,

            @JsonPropertyDescription(
                    "The column's MySQL type in lower case, such as bigint, int unsigned, varbinary(64)"
                            + " or varchar(100).")
            @Default("bigint")
            @Size(max = 32)
            @Pattern("^((tiny|small|medium|big)?int( unsigned)?|(var)?(binary|char)[(][0-9]{1,5}[)])$")
            String type,

            @JsonPropertyDescription("The collation of a text column; absent for other types.")
            @Size(max = 64)
            @Pattern("^[a-z0-9_]+$")
            @Nullable
            String collation) {
        public ShardKeyColumn {
            type = type == null ? "bigint" : type;
        }
    }

    static final String NAME = "^[0-9A-Za-z_$]+$";
}
