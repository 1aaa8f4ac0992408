package dev.shardwright.router.executor;

import dev.shardwright.router.planner.Parameters;
import dev.shardwright.router.planner.Planned;
import dev.shardwright.router.planner.Route;
import dev.shardwright.router.planner.RoutePlanner;
import dev.shardwright.router.planner.ShardMap;
import dev.shardwright.router.planner.StatementContext;
import dev.shardwright.router.planner.StatementPlanner;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One epoch of the topology with what is derived from it. Immutable. */
public final class TopologyView {
    private static final long PLAN_CACHE_BYTES = 16 << 20;

    private final Topology topology;
    private final StatementPlanner planner;
    private final ShardMap map;
    private final Map<String, ShardEntry> byUid = new HashMap<>();

    private TopologyView(Topology topology, StatementPlanner planner, ShardMap map) {
        this.topology = topology;
        this.planner = planner;
        this.map = map;
        topology.shards().forEach(shard -> byUid.put(shard.uid(), shard));
    }

    /** IllegalArgumentException when the vschema can't be used. {@code previous}: its plans are kept if they hold. */
    public static TopologyView of(Topology topology, @Nullable TopologyView previous) {
        var map = ShardMap.of(topology);
        var planner =
                StatementPlanner.forTopology(topology, previous == null ? null : previous.planner, PLAN_CACHE_BYTES);
        return new TopologyView(topology, planner, map);
    }

    /** Takes up to a few seconds in a process that has not parsed yet, so that its first clients need not wait for it. */
    public void warmUp() {
        planner.warmUp();
    }

    public long epoch() {
        return topology.epoch();
    }

    public Topology topology() {
        return topology;
    }

    public List<ShardEntry> shards() {
        return topology.shards();
    }

    /** The planner whose plans hold under this topology. */
    StatementPlanner planner() {
        return planner;
    }

    /** Where this execution of a planned statement goes. */
    Route route(Planned planned, StatementContext context, Parameters parameters) {
        return RoutePlanner.route(planned, context, parameters, map);
    }

    /** Whether new statements may be sent to this server of this shard. */
    public boolean serves(ShardEntry shard) {
        var now = byUid.get(shard.uid());
        return now != null && now.state() == ShardState.Serving && now.primary().equals(shard.primary());
    }

    /** A shard that takes statements, or else the first. */
    public ShardEntry anyShard() {
        return topology.shards().stream()
                .filter(shard -> shard.state() == ShardState.Serving)
                .findFirst()
                .orElse(topology.shards().getFirst());
    }

    /** The workflow that fenced the shard, for people. */
    public String fencedBy(ShardEntry shard) {
        var by = shard.by();
        return by == null ? "(none)" : workflowName(by);
    }

    private String workflowName(String uid) {
        return topology.workflows().stream()
                .filter(workflow -> workflow.uid().equals(uid))
                .map(workflow -> workflow.name() + " (" + uid + ")")
                .findFirst()
                .orElse(uid);
    }

    /** A workflow that is there, or null. */
    public @Nullable String anyWorkflow() {
        return topology.workflows().isEmpty()
                ? null
                : topology.workflows().getFirst().name();
    }
}
