package dev.shardwright.reshard.workflow;

import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Finds and changes one workflow's entry in a topology. */
public final class Entries {
    private Entries() {}

    public static Optional<WorkflowEntry> find(Topology topology, String uid) {
        return topology.workflows().stream()
                .filter(entry -> entry.uid().equals(uid))
                .findFirst();
    }

    /** Impossible when it is not there. */
    public static WorkflowEntry get(Topology topology, String uid) {
        return find(topology, uid)
                .orElseThrow(() -> new TopologyWriter.Impossible("workflow " + uid + " has no entry in the topology"));
    }

    /** All workflows, with this one changed. */
    public static List<WorkflowEntry> replaced(Topology topology, String uid, UnaryOperator<WorkflowEntry> change) {
        return topology.workflows().stream()
                .map(entry -> entry.uid().equals(uid) ? change.apply(entry) : entry)
                .toList();
    }

    public static List<WorkflowEntry> without(Topology topology, String uid) {
        return topology.workflows().stream()
                .filter(entry -> !entry.uid().equals(uid))
                .toList();
    }

    /** The edit that brings a workflow from one phase to another, and nothing else. */
    public static TopologyWriter.Edit toPhase(String uid, Phase from, Phase to) {
        if (!from.leadsTo(to)) {
            throw new IllegalArgumentException(from.name() + " does not lead to " + to.name());
        }
        return topology -> {
            var entry = get(topology, uid);
            if (entry.phase().equals(to.name())) {
                return topology;
            }
            if (!entry.phase().equals(from.name())) {
                throw new TopologyWriter.Impossible(
                        "workflow " + entry.name() + " is " + entry.phase() + ", not " + from.name());
            }
            return TopologyWriter.with(
                    topology, topology.shards(), replaced(topology, uid, found -> withPhase(found, to)));
        };
    }

    public static WorkflowEntry withPhase(WorkflowEntry entry, Phase phase) {
        return with(entry, phase, entry.attempt(), entry.token(), entry.g(), entry.reverseFrom());
    }

    public static WorkflowEntry withTargets(WorkflowEntry entry, List<Member> targets) {
        return new WorkflowEntry(
                entry.uid(),
                entry.name(),
                entry.sources(),
                targets,
                entry.phase(),
                entry.attempt(),
                entry.token(),
                entry.g(),
                entry.reverseFrom());
    }

    public static WorkflowEntry with(
            WorkflowEntry entry,
            Phase phase,
            int attempt,
            long token,
            Map<String, String> g,
            Map<String, String> reverseFrom) {
        return new WorkflowEntry(
                entry.uid(),
                entry.name(),
                entry.sources(),
                entry.targets(),
                phase.name(),
                attempt,
                token,
                g,
                reverseFrom);
    }

    /** The shard with its fence entry taken away. */
    public static ShardEntry served(ShardEntry shard) {
        return new ShardEntry(
                shard.range(),
                shard.uid(),
                shard.name(),
                ShardState.Serving,
                null,
                0,
                shard.primary(),
                shard.replicas());
    }
}
