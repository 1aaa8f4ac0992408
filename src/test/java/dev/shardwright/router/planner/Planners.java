package dev.shardwright.router.planner;

import dev.shardwright.api.VSchema;
import dev.shardwright.api.VSchema.ColumnVindex;
import dev.shardwright.api.VSchema.ShardKeyColumn;
import dev.shardwright.api.VSchema.TableSpec;
import dev.shardwright.api.VSchema.UnlistedTables;
import dev.shardwright.api.VSchema.VindexSpec;
import dev.shardwright.router.planner.scan.SqlModes;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import java.util.List;
import java.util.stream.Stream;

/** A keyspace `chat` for planner tests. */
final class Planners {
    private static final VindexSpec BY_CHANNEL = new VindexSpec("by_channel", "xxhash");
    private static final VindexSpec BY_USER = new VindexSpec("by_user", "hash");
    static final StatementContext TEXT = new StatementContext("chat", "utf8mb4", SqlModes.DEFAULT, false);
    static final StatementContext PREPARED = new StatementContext("chat", "utf8mb4", SqlModes.DEFAULT, true);

    private Planners() {}

    static VSchema vschema(UnlistedTables unlisted) {
        return new VSchema(
                unlisted,
                List.of(BY_CHANNEL, BY_USER),
                List.of(
                        table("messages", "channel_id", "bigint", null, "by_channel"),
                        table("channels", "channel_id", "bigint", null, "by_channel"),
                        table("reactions", "channel_id", "bigint", null, "by_channel"),
                        table("small_channels", "channel_id", "int", null, "by_channel"),
                        table("accounts", "user_id", "bigint unsigned", null, "by_user"),
                        table("tokens", "token", "varbinary(32)", null, "by_channel"),
                        table("names", "name", "varchar(20)", "utf8mb4_0900_bin", "by_channel")));
    }

    private static TableSpec table(
            String name,
            String column,
            String type,
            @org.jspecify.annotations.Nullable String collation,
            String vindex) {
        return new TableSpec(
                name, List.of(new ColumnVindex(List.of(new ShardKeyColumn(column, type, collation)), vindex)));
    }

    static Topology topology(VSchema vschema, String... ranges) {
        var shards = Stream.of(ranges)
                .map(range -> new ShardEntry(
                        KeyRange.parse(range),
                        "uid" + range,
                        "chat-" + range,
                        ShardState.Serving,
                        null,
                        0,
                        new Endpoint("localhost", 3306),
                        List.of()))
                .toList();
        return new Topology(1, "chat", 1, shards, List.of(), vschema);
    }

    static Topology fourShards() {
        return topology(vschema(UnlistedTables.FirstShard), "-40", "40-80", "80-c0", "c0-");
    }

    static StatementPlanner planner(Topology topology) {
        return StatementPlanner.forTopology(topology, List.of(), 1 << 20);
    }
}
