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
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One epoch of the topology with what is derived from it. Immutable. */
public final class TopologyView {
    private static final long PLAN_CACHE_BYTES = 16 << 20;

    private final Topology topology;
    private final StatementPlanner planner;
    private final @Nullable ForeseenPlans foreseen;
    private final ShardMap map;
    private final Map<String, ShardEntry> byUid = new HashMap<>();

    private TopologyView(Topology topology, StatementPlanner planner, @Nullable ForeseenPlans foreseen, ShardMap map) {
        this.topology = topology;
        this.planner = planner;
        this.foreseen = foreseen;
        this.map = map;
        topology.shards().forEach(shard -> byUid.put(shard.uid(), shard));
    }

    /** IllegalArgumentException when the vschema can't be used. {@code previous}: its plans are kept if they hold. */
    public static TopologyView of(Topology topology, @Nullable TopologyView previous) {
        var map = ShardMap.of(topology);
        var earlier = previous == null ? List.<StatementPlanner>of() : previous.planners();
        var planner = StatementPlanner.forTopology(topology, earlier, PLAN_CACHE_BYTES);
        var foreseen = topology.workflows().stream().anyMatch(workflow -> changesPlans(topology, workflow))
                ? new ForeseenPlans(StatementPlanner.forOtherShards(topology, earlier, PLAN_CACHE_BYTES))
                : null;
        return new TopologyView(topology, planner, foreseen, map);
    }

    private List<StatementPlanner> planners() {
        return foreseen == null ? List.of(planner) : List.of(planner, foreseen.planner());
    }

    /** Whether there is one shard before it and several after it, or the other way round. */
    private static boolean changesPlans(Topology topology, WorkflowEntry workflow) {
        long serving = workflow.members()
                .filter(member ->
                        topology.shards().stream().anyMatch(shard -> shard.uid().equals(member.uid())))
                .count();
        long after = topology.shards().size() - serving + workflow.members().count() - serving;
        return (after == 1) != (topology.shards().size() == 1);
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

    /** The plans that will hold once a workflow of this topology has changed the shards; null: the same. */
    @Nullable
    ForeseenPlans foreseen() {
        return foreseen;
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

    /** Whether a workflow has to do with the shard. */
    boolean takesPart(ShardEntry shard) {
        return topology.workflows().stream().anyMatch(workflow -> workflow.claims(shard.uid()));
    }

    /** Whether the shard has no place in it. */
    boolean lacks(ShardEntry shard) {
        return !byUid.containsKey(shard.uid());
    }

    /** Whether a workflow is to hand part of the key space to this server of this shard, or has taken it away. */
    boolean expects(ShardEntry shard) {
        return lacks(shard)
                && topology.workflows().stream()
                        .flatMap(WorkflowEntry::members)
                        .anyMatch(member -> member.uid().equals(shard.uid())
                                && shard.primary().equals(member.primary()));
    }

    /** The shards of this workflow that do not serve; none when it is not there. */
    List<ShardEntry> waiting(String workflowUid) {
        return topology.workflows().stream()
                .filter(workflow -> workflow.uid().equals(workflowUid))
                .flatMap(WorkflowEntry::members)
                .filter(member -> !byUid.containsKey(member.uid()))
                .flatMap(member -> Stream.ofNullable(member.primary()).map(member::serving))
                .toList();
    }

    /** The shards of this workflow that serve, and so will be relieved by those that wait. */
    Set<String> relieved(String workflowUid) {
        return topology.workflows().stream()
                .filter(workflow -> workflow.uid().equals(workflowUid))
                .flatMap(WorkflowEntry::members)
                .map(Member::uid)
                .filter(byUid::containsKey)
                .collect(Collectors.toSet());
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
