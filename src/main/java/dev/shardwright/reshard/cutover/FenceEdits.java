package dev.shardwright.reshard.cutover;

import dev.shardwright.reshard.workflow.Entries;
import dev.shardwright.reshard.workflow.Streams;
import dev.shardwright.reshard.workflow.TopologyWriter;
import dev.shardwright.reshard.workflow.TopologyWriter.Edit;
import dev.shardwright.reshard.workflow.TopologyWriter.Impossible;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The changes that a switchover makes to the topology: each one compare-and-set, pure, safe to ask twice. */
final class FenceEdits {
    private final Sides sides;

    FenceEdits(Sides sides) {
        this.sides = sides;
    }

    /** Step 1: {@code from} Serving -> Fenced, as attempt k; the token grows for the movers that step 4 shuts out. */
    Edit fence(int attempt) {
        return topology -> {
            var entry = Entries.get(topology, sides.workflowUid());
            if (inForce(topology, entry, ShardState.Fenced, attempt)) {
                return topology;
            }
            require(entry.attempt() == attempt - 1, "attempt " + entry.attempt() + " has been made meanwhile");
            require(entry.phase().equals(sides.before(entry).name()), "the workflow is " + entry.phase());
            require(states(topology, entry).equals(Set.of(ShardState.Serving)), "not all shards are Serving");
            return changed(
                    topology,
                    entry,
                    shard -> marked(shard, ShardState.Fenced, attempt),
                    found -> Entries.with(
                            found, sides.during(), attempt, found.token() + 1, Map.of(), found.reverseFrom()));
        };
    }

    /** After a crash in steps 1 to 4: the same fence under a new attempt, so that nobody flips by the old one. */
    Edit takeOver(int attempt) {
        return topology -> {
            var entry = Entries.get(topology, sides.workflowUid());
            if (inForce(topology, entry, ShardState.Fenced, attempt)) {
                return topology;
            }
            requireInForce(topology, entry, ShardState.Fenced, attempt - 1);
            return changed(
                    topology,
                    entry,
                    shard -> marked(shard, ShardState.Fenced, attempt),
                    found -> Entries.with(
                            found, sides.during(), attempt, found.token() + 1, Map.of(), found.reverseFrom()));
        };
    }

    /** Undo, first half: Fenced(k) -> Unfencing(k). From here on attempt k can't flip any more. */
    Edit unfencing(int attempt) {
        return topology -> {
            var entry = Entries.get(topology, sides.workflowUid());
            if (inForce(topology, entry, ShardState.Unfencing, attempt)) {
                return topology;
            }
            requireInForce(topology, entry, ShardState.Fenced, attempt);
            return changed(topology, entry, shard -> marked(shard, ShardState.Unfencing, attempt), found -> found);
        };
    }

    /** Undo, second half, once MySQL is open: Unfencing(k) -> Serving, back to the phase before. */
    Edit serving(int attempt, long token) {
        return topology -> {
            var entry = Entries.get(topology, sides.workflowUid());
            if (entry.phase().equals(sides.before(entry).name()) && entry.attempt() == attempt) {
                return topology;
            }
            requireInForce(topology, entry, ShardState.Unfencing, attempt);
            return changed(
                    topology,
                    entry,
                    Entries::served,
                    found -> Entries.with(found, sides.before(found), attempt, token, Map.of(), found.reverseFrom()));
        };
    }

    /** Step 5, the point of no return: Fenced(k) leaves, {@code to} serves. */
    Edit flip(int attempt, Map<String, String> g, Map<String, String> positions) {
        return topology -> {
            var entry = Entries.get(topology, sides.workflowUid());
            if (flipped(entry) && entry.attempt() == attempt) {
                return topology;
            }
            requireInForce(topology, entry, ShardState.Fenced, attempt);
            var reverseFrom = new HashMap<>(entry.reverseFrom());
            reverseFrom.putAll(positions);
            var leaving = uids(sides.from(entry));
            var shards = new ArrayList<>(topology.shards());
            shards.removeIf(shard -> leaving.contains(shard.uid()));
            sides.to(entry).forEach(member -> shards.add(member.serving(Streams.endpoint(member))));
            shards.sort(Comparator.comparing(shard -> shard.range().start(), java.util.Arrays::compareUnsigned));
            return TopologyWriter.with(
                    topology,
                    shards,
                    Entries.replaced(
                            topology,
                            entry.uid(),
                            found -> Entries.with(found, sides.after(), attempt, found.token(), g, reverseFrom)));
        };
    }

    boolean flipped(WorkflowEntry entry) {
        return entry.phase().equals(sides.after().name());
    }

    /** What state {@code from} is in; Impossible when its shards are not there or not all in the same state. */
    ShardState state(Topology topology, WorkflowEntry entry) {
        var states = states(topology, entry);
        require(states.size() == 1, "its shards are not all in the same state: " + states);
        return states.iterator().next();
    }

    private boolean inForce(Topology topology, WorkflowEntry entry, ShardState state, int attempt) {
        var shards = fromShards(topology, entry);
        return entry.attempt() == attempt
                && entry.phase().equals(sides.during().name())
                && shards.size() == sides.from(entry).size()
                && shards.stream()
                        .allMatch(shard -> shard.state() == state
                                && shard.attempt() == attempt
                                && entry.uid().equals(shard.by()));
    }

    private void requireInForce(Topology topology, WorkflowEntry entry, ShardState state, int attempt) {
        require(
                inForce(topology, entry, state, attempt),
                "its shards are not " + state + " by attempt " + attempt + " any more (the workflow is " + entry.phase()
                        + ", attempt " + entry.attempt() + ")");
    }

    private Set<ShardState> states(Topology topology, WorkflowEntry entry) {
        var shards = fromShards(topology, entry);
        require(shards.size() == sides.from(entry).size(), "not all of its shards are in the topology");
        return shards.stream().map(ShardEntry::state).collect(Collectors.toSet());
    }

    private List<ShardEntry> fromShards(Topology topology, WorkflowEntry entry) {
        var uids = uids(sides.from(entry));
        return topology.shards().stream()
                .filter(shard -> uids.contains(shard.uid()))
                .toList();
    }

    private Topology changed(
            Topology topology,
            WorkflowEntry entry,
            UnaryOperator<ShardEntry> shardChange,
            UnaryOperator<WorkflowEntry> entryChange) {
        var uids = uids(sides.from(entry));
        return TopologyWriter.with(
                topology,
                topology.shards().stream()
                        .map(shard -> uids.contains(shard.uid()) ? shardChange.apply(shard) : shard)
                        .toList(),
                Entries.replaced(topology, entry.uid(), entryChange));
    }

    private ShardEntry marked(ShardEntry shard, ShardState state, int attempt) {
        return new ShardEntry(
                shard.range(),
                shard.uid(),
                shard.name(),
                state,
                sides.workflowUid(),
                attempt,
                shard.primary(),
                shard.replicas());
    }

    private static Set<String> uids(List<Member> members) {
        return members.stream().map(Member::uid).collect(Collectors.toSet());
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new Impossible(message);
        }
    }
}
