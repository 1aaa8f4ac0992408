package dev.shardwright.reshard.mover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.api.VSchema;
import dev.shardwright.api.VSchema.ColumnVindex;
import dev.shardwright.api.VSchema.ShardKeyColumn;
import dev.shardwright.api.VSchema.TableSpec;
import dev.shardwright.api.VSchema.UnlistedTables;
import dev.shardwright.api.VSchema.VindexSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForeignKeyTest {
    private static final VSchema VSCHEMA = new VSchema(
            UnlistedTables.FirstShard,
            List.of(new VindexSpec("h", "xxhash"), new VindexSpec("g", "hash")),
            List.of(
                    table("channels", "id", "bigint", "h"),
                    table("messages", "channel_id", "bigint", "h"),
                    table("users", "id", "bigint", "g"),
                    table("narrow", "channel_id", "int", "h")));

    private static TableSpec table(String name, String column, String type, String vindex) {
        return new TableSpec(name, List.of(new ColumnVindex(List.of(new ShardKeyColumn(column, type, null)), vindex)));
    }

    private static ForeignKey key(String table, String column, String parent, String parentColumn) {
        return new ForeignKey("fk", table, "chat", parent, List.of("n", column), List.of("n", parentColumn), true);
    }

    private static String problem(ForeignKey key) {
        return key.problem("chat", VSCHEMA, true).orElse("");
    }

    @Test
    void staysWhereChildAndParentAreAlwaysTogether() {
        assertThat(problem(key("messages", "Channel_ID", "channels", "id"))).isEmpty();
        assertThat(problem(key("messages", "channel_id", "messages", "channel_id")))
                .isEmpty();
        assertThat(problem(key("a", "x", "b", "y"))).isEmpty();
    }

    @Test
    void isRefusedWhereTheyMayBeOnTwoShards() {
        assertThat(problem(key("messages", "author", "channels", "id")))
                .as("not by the shard key")
                .contains("foreign key fk of table messages", "across shards", "messages is sharded by channel_id");
        assertThat(problem(key("messages", "channel_id", "channels", "other"))).contains("across shards");
        assertThat(problem(key("messages", "channel_id", "users", "id")))
                .as("another vindex")
                .contains("across shards");
        assertThat(problem(key("narrow", "channel_id", "channels", "id")))
                .as("another type")
                .contains("across shards");
        assertThat(problem(key("messages", "channel_id", "b", "y"))).contains("b lives on the first shard");
        assertThat(problem(key("a", "x", "channels", "id"))).contains("a lives on the first shard");
    }

    @Test
    void isRefusedWhereItsEffectsAreNotSeen() {
        var cascading = key("messages", "channel_id", "channels", "id");
        assertThat(cascading.problem("chat", VSCHEMA, false)).get().asString().contains("9.6");
        var elsewhere = new ForeignKey("fk", "a", "other", "b", List.of("x"), List.of("y"), false);
        assertThat(problem(elsewhere)).contains("database other");
    }
}
