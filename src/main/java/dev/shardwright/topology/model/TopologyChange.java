package dev.shardwright.topology.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which document may follow which, whoever writes it: the last guard before a compare-and-set. It makes
 * the fence entry the intent of a switchover: only the attempt that fenced a shard can flip or open it.
 */
public final class TopologyChange {
    private final Topology before;
    private final Topology after;
    private final List<String> problems = new ArrayList<>();

    private TopologyChange(Topology before, Topology after) {
        this.before = before;
        this.after = after;
    }

    /** All that is wrong with {@code after} itself and as the successor of {@code before}; empty if it may be written. */
    public static List<String> problems(Topology before, Topology after) {
        var change = new TopologyChange(before, after);
        change.problems.addAll(TopologyRules.problems(after));
        change.checkHead();
        change.checkShards();
        return List.copyOf(change.problems);
    }

    private void checkHead() {
        check(
                after.keyspace().equals(before.keyspace()),
                "keyspace " + before.keyspace() + " can't become " + after.keyspace());
        check(
                after.epoch() == before.epoch() + 1,
                "epoch " + before.epoch() + " must be followed by " + (before.epoch() + 1) + ", not " + after.epoch());
        check(
                after.vschema().equals(before.vschema())
                        || (before.workflows().isEmpty() && after.workflows().isEmpty()),
                "the vschema can't change while a workflow is there: wait until it is completed or cancelled");
    }

    private void checkShards() {
        var old = byUid(before);
        var now = byUid(after);
        old.forEach((uid, shard) -> {
            var next = now.get(uid);
            if (next == null) {
                checkLeaves(shard);
            } else {
                checkStays(shard, next);
            }
        });
        now.forEach((uid, shard) -> {
            if (!old.containsKey(uid)) {
                checkEnters(shard);
            }
        });
    }

    /** A shard leaves only by the flip of the attempt that has it Fenced. */
    private void checkLeaves(ShardEntry shard) {
        check(
                shard.state() == ShardState.Fenced
                        && workflow(shard)
                                .filter(w -> w.attempt() == shard.attempt())
                                .isPresent(),
                "shard " + shard.range() + " is " + shard.state() + ", attempt " + shard.attempt()
                        + ": only the switchover attempt that has it Fenced can take it out");
    }

    private void checkEnters(ShardEntry shard) {
        var flips = before.shards().stream()
                .filter(left ->
                        left.state() == ShardState.Fenced && !byUid(after).containsKey(left.uid()))
                .map(this::workflow)
                .flatMap(Optional::stream)
                .flatMap(WorkflowEntry::members)
                .anyMatch(member ->
                        member.uid().equals(shard.uid()) && member.range().equals(shard.range()));
        check(
                flips && shard.state() == ShardState.Serving,
                "shard " + shard.range() + " (" + shard.uid() + ") can only come in Serving, by the flip of a workflow"
                        + " that it takes part in");
    }

    private void checkStays(ShardEntry was, ShardEntry is) {
        check(
                was.range().equals(is.range()) && was.name().equals(is.name()),
                "shard " + was.range() + " (" + was.uid() + ") can't become " + is.range() + " with name " + is.name()
                        + ": a shard keeps its range and name");
        check(mayFollow(was, is), "shard " + was.range() + " can't go from " + text(was) + " to " + text(is));
    }

    private boolean mayFollow(ShardEntry was, ShardEntry is) {
        boolean same = was.state() == is.state() && Objects.equals(was.by(), is.by());
        if (same && was.attempt() == is.attempt()) {
            return true;
        }
        return switch (was.state()) {
            case Serving -> is.state() == ShardState.Fenced;
            // A new leader takes a fence over under the next attempt, so that the old one can't flip any more.
            case Fenced ->
                Objects.equals(was.by(), is.by())
                        && (is.state() == ShardState.Unfencing
                                ? is.attempt() == was.attempt()
                                : is.state() == ShardState.Fenced && is.attempt() > was.attempt());
            case Unfencing -> is.state() == ShardState.Serving;
        };
    }

    private Optional<WorkflowEntry> workflow(ShardEntry shard) {
        return before.workflows().stream()
                .filter(workflow -> workflow.uid().equals(shard.by()))
                .findFirst();
    }

    private static Map<String, ShardEntry> byUid(Topology topology) {
        return topology.shards().stream()
                .collect(Collectors.toMap(ShardEntry::uid, Function.identity(), (a, b) -> b, HashMap::new));
    }

    private static String text(ShardEntry shard) {
        return shard.state() == ShardState.Serving
                ? "Serving"
                : shard.state() + " by " + shard.by() + ", attempt " + shard.attempt();
    }

    private void check(boolean right, String problem) {
        if (!right) {
            problems.add(problem);
        }
    }
}
