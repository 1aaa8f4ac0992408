package dev.shardwright.topology.model;

import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.vindex.VSchemaRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a topology document must be before anybody may act on it. */
public final class TopologyRules {
    private static final String KEYSPACE = "[a-z]([-a-z0-9]{0,24}[a-z0-9])?";

    private final Topology topology;
    private final List<String> problems = new ArrayList<>();
    private final Map<String, WorkflowEntry> workflows = new HashMap<>();

    private TopologyRules(Topology topology) {
        this.topology = topology;
    }

    /** All that is wrong, each with how to put it right; empty if the document can be used. */
    public static List<String> problems(Topology topology) {
        var rules = new TopologyRules(topology);
        rules.checkHead();
        rules.checkCoverage();
        rules.checkWorkflows();
        rules.checkShards();
        rules.problems.addAll(VSchemaRules.problems(topology.vschema()));
        return List.copyOf(rules.problems);
    }

    private void checkHead() {
        check(
                topology.format() == Topology.FORMAT,
                "format " + topology.format() + " is not known: this version reads format " + Topology.FORMAT);
        check(
                topology.keyspace().matches(KEYSPACE),
                "keyspace name '" + topology.keyspace()
                        + "' is not usable: write 1 to 26 lower-case letters, digits and"
                        + " dashes, beginning with a letter and not ending with a dash");
        check(topology.epoch() >= 1, "epoch " + topology.epoch() + " is not usable: the first document has epoch 1");
    }

    private void checkCoverage() {
        var ranges = topology.shards().stream().map(ShardEntry::range).toList();
        if (ranges.isEmpty()) {
            problems.add("there are no shards: one with range - covers all");
            return;
        }
        check(
                ranges.getFirst().startsAtMinimum(),
                "the first shard's range " + ranges.getFirst()
                        + " leaves out the beginning of the key space: begin with -");
        check(
                ranges.getLast().endsAtMaximum(),
                "the last shard's range " + ranges.getLast() + " leaves out the end of the key space: end with -");
        checkNeighbours("shards", ranges);
    }

    private void checkNeighbours(String whose, List<KeyRange> ranges) {
        for (int i = 1; i < ranges.size(); i++) {
            var before = ranges.get(i - 1);
            var range = ranges.get(i);
            if (!before.meets(range)) {
                problems.add(whose + ": " + range + " does not begin where " + before + " ends, so there is "
                        + (before.overlaps(range) ? "an overlap" : "a gap") + ": list neighbours in order");
            }
        }
    }

    private void checkShards() {
        var uids = new HashSet<String>();
        var names = new HashSet<String>();
        for (var shard : topology.shards()) {
            var place = "shard " + shard.range() + ": ";
            checkName(place + "uid", shard.uid());
            checkName(place + "name", shard.name());
            check(
                    uids.add(shard.uid()),
                    place + "uid " + shard.uid() + " is that of another shard too: each has its own");
            check(
                    names.add(shard.name()),
                    place + "name " + shard.name() + " is that of another shard too: each has its own");
            checkEndpoint(place + "primary", shard.primary());
            shard.replicas().forEach(replica -> checkEndpoint(place + "replica", replica));
            checkState(place, shard);
        }
    }

    private void checkState(String place, ShardEntry shard) {
        var by = shard.by();
        if (shard.state() == ShardState.Serving) {
            check(
                    by == null && shard.attempt() == 0,
                    place + "it is Serving, so by must be null and attempt 0, but they are " + by + " and "
                            + shard.attempt());
            return;
        }
        if (by == null || shard.attempt() < 1) {
            problems.add(place + "it is " + shard.state() + ", so by must name the workflow and attempt be 1 or more");
            return;
        }
        var workflow = workflows.get(by);
        check(
                workflow != null && workflow.claims(shard.uid()),
                place + "it is " + shard.state() + " by " + by
                        + ", which is no workflow that has claimed it: nobody would" + " ever open it again");
    }

    private void checkWorkflows() {
        var names = new HashSet<String>();
        var claimed = new HashMap<String, String>();
        for (var workflow : topology.workflows()) {
            var place = "workflow " + workflow.name() + ": ";
            checkName(place + "uid", workflow.uid());
            checkName(place + "name", workflow.name());
            checkName(place + "phase", workflow.phase());
            check(workflow.attempt() >= 0 && workflow.token() >= 0, place + "attempt and token can't be negative");
            check(
                    workflows.put(workflow.uid(), workflow) == null && names.add(workflow.name()),
                    place + "it is listed twice: each has one entry");
            workflow.members().forEach(member -> checkMember(place, member, workflow, claimed));
            checkSides(place, workflow);
        }
    }

    private void checkMember(
            String place, WorkflowEntry.Member member, WorkflowEntry workflow, Map<String, String> claimed) {
        checkName(place + "uid of " + member.range(), member.uid());
        checkName(place + "name of " + member.range(), member.name());
        if (member.primary() != null) {
            checkEndpoint(place + "primary of " + member.range(), member.primary());
        }
        var other = claimed.put(member.uid(), workflow.name());
        check(
                other == null,
                place + "shard " + member.range() + " is claimed by workflow " + other
                        + " already: one must end first");
    }

    private void checkSides(String place, WorkflowEntry workflow) {
        var sources = ranges(workflow.sources());
        var targets = ranges(workflow.targets());
        if (sources.isEmpty() || targets.isEmpty()) {
            problems.add(place + "it has no sources or no targets: name both");
            return;
        }
        checkNeighbours(place + "sources", sources);
        checkNeighbours(place + "targets", targets);
        check(
                sources.getFirst().startsWhere(targets.getFirst())
                        && sources.getLast().endsWhere(targets.getLast()),
                place + "targets " + targets + " do not cover exactly the range of sources " + sources);
        check(
                serves(workflow.sources()) != serves(workflow.targets()),
                place + "either all of its sources or all of its targets must be among the shards");
    }

    /** All members, with their own ranges, are among the shards. */
    private boolean serves(List<WorkflowEntry.Member> members) {
        return members.stream()
                .allMatch(member -> topology.shards().stream()
                        .anyMatch(shard -> shard.uid().equals(member.uid())
                                && shard.range().equals(member.range())));
    }

    private void checkName(String what, @Nullable String value) {
        check(
                value != null && !value.isBlank() && value.length() <= 253,
                what + " is missing or too long: it has 1 to 253 characters");
    }

    private void checkEndpoint(String what, @Nullable Endpoint endpoint) {
        check(
                endpoint != null
                        && endpoint.host() != null
                        && !endpoint.host().isBlank()
                        && endpoint.port() >= 1
                        && endpoint.port() <= 65_535,
                what + " " + endpoint + " is no address: it needs a host and a port from 1 to 65535");
    }

    private void check(boolean right, String problem) {
        if (!right) {
            problems.add(problem);
        }
    }

    private static List<KeyRange> ranges(List<WorkflowEntry.Member> members) {
        return members.stream().map(WorkflowEntry.Member::range).toList();
    }

    static Set<String> uids(List<WorkflowEntry.Member> members) {
        return new HashSet<>(members.stream().map(WorkflowEntry.Member::uid).toList());
    }
}
