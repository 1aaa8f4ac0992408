package dev.shardwright.reshard.workflow;

import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Pending -> Preparing: the claim on the source shards, by one compare-and-set. */
final class Claiming {
    private static final String UID_LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int UID_LENGTH = 12;

    private final TopologyWriter writer;
    private final SecureRandom random = new SecureRandom();

    Claiming(TopologyWriter writer) {
        this.writer = writer;
    }

    WorkflowReport advance(Situation situation) {
        var request = situation.request();
        var pending = new Phase.Pending();
        var malformed = malformed(request.sources(), request.targets());
        if (malformed.isPresent()) {
            return Reports.blocked(pending, "InvalidSpec", malformed.get());
        }
        var obstacle = obstacle(situation.topology(), request);
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        var uids = request.targets().stream().map(target -> newUid()).toList();
        writer.apply(topology -> {
            if (Entries.find(topology, request.uid()).isPresent()) {
                return topology;
            }
            obstacle(topology, request).ifPresent(report -> {
                throw new TopologyWriter.Impossible(report.message());
            });
            return claimed(topology, request, uids);
        });
        return Reports.going(
                new Phase.Preparing(), "Preparing", "has claimed shards " + text(request.sources()), Reports.AT_ONCE);
    }

    /** Why these ranges can't be resharded into those, whatever the topology. */
    static Optional<String> malformed(List<KeyRange> sources, List<KeyRange> targets) {
        if (sources.isEmpty() || targets.isEmpty()) {
            return Optional.of("sourceShards and targetShards must each name at least one shard");
        }
        var broken = gap("sourceShards", sources).or(() -> gap("targetShards", targets));
        if (broken.isPresent()) {
            return broken;
        }
        boolean same = Arrays.equals(
                        sources.getFirst().start(), targets.getFirst().start())
                && Arrays.equals(sources.getLast().end(), targets.getLast().end());
        return same
                ? Optional.empty()
                : Optional.of("targetShards " + text(targets) + " must cover exactly the range of sourceShards "
                        + text(sources) + ": begin with " + sources.getFirst() + "'s start and end with "
                        + sources.getLast() + "'s end");
    }

    private static Optional<String> gap(String field, List<KeyRange> ranges) {
        for (int i = 1; i < ranges.size(); i++) {
            if (!ranges.get(i - 1).meets(ranges.get(i))) {
                return Optional.of(field + ": " + ranges.get(i) + " does not begin where " + ranges.get(i - 1)
                        + " ends; list neighbours in order");
            }
        }
        return Optional.empty();
    }

    private static Optional<WorkflowReport> obstacle(Topology topology, WorkflowRequest request) {
        if (topology.workflows().stream().anyMatch(entry -> entry.name().equals(request.name()))) {
            return Optional.of(Reports.blocked(
                    new Phase.Pending(),
                    "NameTaken",
                    "an earlier workflow of the same name still has a claim in the topology; choose another name, or wait"
                            + " until its deletion has come to an end"));
        }
        for (var range : request.sources()) {
            var shard = serving(topology, range);
            if (shard.isEmpty()) {
                return Optional.of(Reports.blocked(
                        new Phase.Pending(),
                        "SourceMissing",
                        "keyspace " + topology.keyspace() + " has no shard " + range + "; it has "
                                + text(topology.shards().stream()
                                        .map(ShardEntry::range)
                                        .toList())));
            }
            var other = claimant(topology, shard.get(), request.uid());
            if (other.isPresent()) {
                return Optional.of(Reports.blocked(
                        new Phase.Pending(),
                        "SourceClaimed",
                        "shard " + range + " is claimed by workflow "
                                + other.get().name() + ", which is "
                                + other.get().phase() + "; this one begins when that is completed or cancelled"));
            }
            if (shard.get().state() != ShardState.Serving) {
                return Optional.of(Reports.going(
                        new Phase.Pending(),
                        "SourceFenced",
                        "shard " + range + " is " + shard.get().state(),
                        Reports.LATER));
            }
        }
        return Optional.empty();
    }

    private static Optional<ShardEntry> serving(Topology topology, KeyRange range) {
        return topology.shards().stream()
                .filter(shard -> shard.range().equals(range))
                .findFirst();
    }

    private static Optional<WorkflowEntry> claimant(Topology topology, ShardEntry shard, String self) {
        return topology.workflows().stream()
                .filter(entry -> !entry.uid().equals(self))
                .filter(entry -> entry.claims(shard.uid()))
                .findFirst();
    }

    private static Topology claimed(Topology topology, WorkflowRequest request, List<String> uids) {
        long epoch = topology.epoch() + 1;
        var sources = request.sources().stream()
                .map(range -> serving(topology, range).orElseThrow())
                .map(shard -> new Member(shard.range(), shard.uid(), shard.name(), shard.primary()))
                .toList();
        var targets = new ArrayList<Member>();
        for (int i = 0; i < uids.size(); i++) {
            var range = request.targets().get(i);
            targets.add(
                    new Member(range, uids.get(i), topology.keyspace() + "-" + range.inName() + "-v" + epoch, null));
        }
        var workflows = new ArrayList<>(topology.workflows());
        workflows.add(new WorkflowEntry(
                request.uid(),
                request.name(),
                sources,
                targets,
                new Phase.Preparing().name(),
                0,
                1,
                Map.of(),
                Map.of()));
        return TopologyWriter.with(topology, topology.shards(), workflows);
    }

    private String newUid() {
        return random.ints(UID_LENGTH, 0, UID_LETTERS.length())
                .mapToObj(i -> String.valueOf(UID_LETTERS.charAt(i)))
                .collect(Collectors.joining());
    }

    private static String text(List<KeyRange> ranges) {
        return ranges.stream().map(KeyRange::toString).collect(Collectors.joining(", "));
    }
}
