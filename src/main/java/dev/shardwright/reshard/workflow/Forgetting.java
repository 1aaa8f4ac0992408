package dev.shardwright.reshard.workflow;

import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.util.List;

/**
 * What becomes of a workflow whose resource is deleted. Only the compare-and-sets must succeed, so a finalizer
 * ends without a healthy cluster; stopping movers and retiring shards is asked for and not waited for.
 *
 * <ul>
 *   <li>The sources serve: as Cancelled.
 *   <li>A switchover is under way: it is undone in the topology; shard reconciliation opens the servers. Then as
 *       the phase before.
 *   <li>The targets serve: the claim goes, the movers are stopped. The sources stay fenced, with their data; they are
 *       retired only if the goal was Completed (or retiring had begun).
 * </ul>
 */
final class Forgetting {
    private final TopologyWriter writer;
    private final Endings endings;

    Forgetting(TopologyWriter writer, Endings endings) {
        this.writer = writer;
        this.endings = endings;
    }

    /** Returns the shards that stay behind, fenced and with their data. TopologyStoreException: try again. */
    List<Member> forget(String uid, Goal goal) {
        var read = writer.read().topology();
        var found = Entries.find(read, uid);
        if (found.isEmpty()) {
            return List.of();
        }
        writer.apply(current -> unfencing(current, uid));
        var topology = writer.apply(current -> unfenced(current, uid));
        var entry = Entries.get(topology, uid);
        var kept = wind(topology, entry, goal);
        writer.apply(current -> Entries.find(current, uid).isEmpty()
                ? current
                : TopologyWriter.with(current, current.shards(), Entries.without(current, uid)));
        return kept;
    }

    private List<Member> wind(Topology topology, WorkflowEntry entry, Goal goal) {
        quietly(() -> endings.stopAll(topology, entry));
        var phase = Phase.of(entry.phase());
        if (phase.sourcesServe()) {
            quietly(() -> endings.retire(entry.targets()));
            return List.of();
        }
        boolean retire = goal == Goal.Completed || phase instanceof Phase.Completing || phase instanceof Phase.Retiring;
        if (retire) {
            quietly(() -> endings.retire(entry.sources()));
            return List.of();
        }
        return entry.sources();
    }

    private interface Ask {
        boolean ask();
    }

    private static void quietly(Ask ask) {
        try {
            ask.ask();
        } catch (RuntimeException e) {
            System.getLogger(Forgetting.class.getName())
                    .log(System.Logger.Level.WARNING, "left to the keyspace's own reconciliation: " + e.getMessage());
        }
    }

    /** First half, so that no switchover that sleeps can still flip: what this workflow has Fenced is Unfencing. */
    private static Topology unfencing(Topology topology, String uid) {
        if (topology.shards().stream().noneMatch(shard -> holds(uid, shard) && shard.state() == ShardState.Fenced)) {
            return topology;
        }
        return TopologyWriter.with(
                topology,
                topology.shards().stream()
                        .map(shard -> holds(uid, shard) ? unfencing(shard) : shard)
                        .toList(),
                topology.workflows());
    }

    /** Second half: the shards serve again, and the phase is one in which their side serves. */
    private static Topology unfenced(Topology topology, String uid) {
        var entry = Entries.find(topology, uid);
        if (entry.isEmpty() || topology.shards().stream().noneMatch(shard -> holds(uid, shard))) {
            return topology;
        }
        var before = Phase.of(entry.get().phase()).sourcesServe() ? new Phase.Cancelling() : new Phase.Switched();
        return TopologyWriter.with(
                topology,
                topology.shards().stream()
                        .map(shard -> holds(uid, shard) ? Entries.served(shard) : shard)
                        .toList(),
                Entries.replaced(topology, uid, found -> Entries.withPhase(found, before)));
    }

    private static boolean holds(String uid, ShardEntry shard) {
        return uid.equals(shard.by());
    }

    private static ShardEntry unfencing(ShardEntry shard) {
        return new ShardEntry(
                shard.range(),
                shard.uid(),
                shard.name(),
                ShardState.Unfencing,
                shard.by(),
                shard.attempt(),
                shard.primary(),
                shard.replicas());
    }
}
