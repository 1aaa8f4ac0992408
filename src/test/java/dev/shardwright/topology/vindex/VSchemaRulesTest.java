package dev.shardwright.topology.vindex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.api.VSchema;
import dev.shardwright.api.VSchema.ColumnVindex;
import dev.shardwright.api.VSchema.ShardKeyColumn;
import dev.shardwright.api.VSchema.TableSpec;
import dev.shardwright.api.VSchema.UnlistedTables;
import dev.shardwright.api.VSchema.VindexSpec;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VSchemaRulesTest {

    @ParameterizedTest
    @CsvSource({
        "hash,bigint,",
        "numeric,int unsigned,",
        "reverse_bits,tinyint,",
        "xxhash,bigint,",
        "xxhash,varbinary(64),",
        "xxhash,varchar(64),utf8mb4_0900_bin",
        "binary_md5,char(8),utf8mb4_0900_bin",
        "binary,binary(16),"
    })
    void eachVindexTakesItsColumns(String vindex, String type, @Nullable String collation) {
        assertThat(VSchemaRules.problems(of(vindex, type, collation))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hash | varchar(9) | utf8mb4_0900_bin | takes integers",
                "numeric | varbinary(9) | | takes integers",
                "xxhash | varchar(9) | utf8mb4_0900_ai_ci | equal in this collation",
                "binary | varchar(9) | utf8mb4_bin | equal in this collation",
                "binary_md5 | char(9) | latin1_bin | equal in this collation",
                "xxhash | decimal(9) | | can't be a shard key",
                "xxhash | varchar(9) | | collation must be declared",
                "sha1 | bigint | | unknown type 'sha1'"
            })
    void whatWouldSplitEqualKeysIsRefused(String vindex, String type, @Nullable String collation, String problem) {
        assertThat(VSchemaRules.problems(of(vindex, type, collation)))
                .singleElement()
                .asString()
                .contains(problem);
    }

    @Test
    void namesMustBeThereAndBeUnique() {
        var column = new ColumnVindex(List.of(new ShardKeyColumn("id", "bigint", null)), "v");
        var schema = new VSchema(
                UnlistedTables.FirstShard,
                List.of(new VindexSpec("v", "hash"), new VindexSpec("v", "xxhash")),
                List.of(
                        new TableSpec("t", List.of(column)),
                        new TableSpec("T", List.of(column)),
                        new TableSpec("u", List.of()),
                        new TableSpec("w", List.of(new ColumnVindex(column.columns(), "x"))),
                        new TableSpec("y", List.of(new ColumnVindex(List.of(), "v")))));

        assertThat(VSchemaRules.problems(schema))
                .satisfiesExactly(
                        p -> assertThat(p).contains("vindex v is declared twice"),
                        p -> assertThat(p).contains("table T is listed twice"),
                        p -> assertThat(p).contains("table u has no columnVindexes"),
                        p -> assertThat(p)
                                .contains("uses vindex 'x', which is not declared")
                                .contains("[v]"),
                        p -> assertThat(p).contains("takes 1 column, but 0 are given"));
    }

    @Test
    void aTopologyMustFitIntoAConfigMap() {
        var table =
                new TableSpec("t", List.of(new ColumnVindex(List.of(new ShardKeyColumn("id", "bigint", null)), "v")));
        var schema = new VSchema(
                UnlistedTables.FirstShard, List.of(new VindexSpec("v", "hash")), Collections.nCopies(1_001, table));

        assertThat(VSchemaRules.problems(schema)).anySatisfy(p -> assertThat(p).contains("at most 1000"));
    }

    private static VSchema of(String vindex, String type, @Nullable String collation) {
        return new VSchema(
                UnlistedTables.FirstShard,
                List.of(new VindexSpec("v", vindex)),
                List.of(new TableSpec(
                        "t", List.of(new ColumnVindex(List.of(new ShardKeyColumn("id", type, collation)), "v")))));
    }
}
