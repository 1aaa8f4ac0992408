package dev.shardwright.router.planner;

import dev.shardwright.topology.model.Topology;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Lets tests of other packages plan against the keyspace of {@link Planners}. */
public final class TestPlans {
    private final ShardMap map;
    private final StatementPlanner planner;

    private TestPlans(Topology topology) {
        this.map = ShardMap.of(topology);
        this.planner = Planners.planner(topology);
    }

    public static TestPlans fourShards() {
        return new TestPlans(Planners.fourShards());
    }

    public Planned plan(String sql, boolean prepared) {
        return planner.plan(bytes(sql), context(prepared));
    }

    public Route route(String sql, boolean prepared, List<SqlValue> parameters) {
        return RoutePlanner.route(plan(sql, prepared), context(prepared), parameters::get, map);
    }

    public int shardOfChannel(long channel) {
        var sql = "SELECT * FROM messages WHERE channel_id = " + channel;
        return ((Route.One) route(sql, false, List.of())).shard();
    }

    private static StatementContext context(boolean prepared) {
        return prepared ? Planners.PREPARED : Planners.TEXT;
    }

    private static byte[] bytes(String sql) {
        return sql.getBytes(StandardCharsets.UTF_8);
    }
}
