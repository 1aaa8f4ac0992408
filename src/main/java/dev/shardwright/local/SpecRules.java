package dev.shardwright.local;

import dev.shardwright.api.KeyspaceSpec;
import dev.shardwright.api.ReshardWorkflowSpec;
import dev.shardwright.api.ReshardWorkflowSpec.ThrottleSpec;
import dev.shardwright.api.TimeSpan;
import dev.shardwright.mysql.server.Setting;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.vindex.VSchemaRules;
import java.util.ArrayList;
import java.util.List;

/** What Kubernetes' API server checks by the resources' schemas; here nobody else would. */
final class SpecRules {
    private SpecRules() {}

    /** Returns the ranges of the first shards; IllegalArgumentException names all that is wrong. */
    static List<KeyRange> check(KeyspaceSpec spec) {
        var problems = new ArrayList<String>();
        var ranges = ranges(spec.initialShards());
        if (!ranges.getFirst().startsAtMinimum() || !ranges.getLast().endsAtMaximum() || !neighbours(ranges)) {
            problems.add("initialShards must cover the key space in order, without gap or overlap, as in"
                    + " [\"-40\", \"40-80\", \"80-\"], but is " + ranges);
        }
        problems.addAll(VSchemaRules.problems(spec.vschema()));
        spec.mysql()
                .config()
                .forEach(
                        line -> new Setting(line.name(), line.value()).problem().ifPresent(problems::add));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n       ", problems));
        }
        return ranges;
    }

    /** IllegalArgumentException says what is wrong. */
    static void check(ReshardWorkflowSpec spec) {
        var sources = ranges(spec.sourceShards());
        var targets = ranges(spec.targetShards());
        if (sources.isEmpty() || targets.isEmpty() || !neighbours(sources) || !neighbours(targets)) {
            throw new IllegalArgumentException(
                    "sourceShards and targetShards must each be neighbours in order, without gap or overlap");
        }
        if (!sameBounds(sources, targets)) {
            throw new IllegalArgumentException(
                    "targetShards must cover exactly the range of sourceShards, but " + targets + " is not " + sources);
        }
        if ((sources.size() == 1) == (targets.size() == 1)) {
            throw new IllegalArgumentException("split one source into several targets, or merge several into one;"
                    + " for anything else use two workflows");
        }
        check(spec.throttle());
    }

    private static void check(ThrottleSpec throttle) {
        var rows = throttle.maxRowsPerSecond();
        if ((rows != null && rows < 1)
                || throttle.maxCommitLatencyPercent() < 101
                || throttle.maxThreadsRunning() < 1
                || TimeSpan.parse(throttle.maxTargetLag()).toSeconds() < 1) {
            throw new IllegalArgumentException(
                    "throttle must have maxRowsPerSecond and maxThreadsRunning of at least 1,"
                            + " maxCommitLatencyPercent of at least 101 and maxTargetLag of at least 1s, but is "
                            + throttle);
        }
    }

    static List<KeyRange> ranges(List<String> texts) {
        return texts.stream().map(KeyRange::parse).toList();
    }

    private static boolean neighbours(List<KeyRange> ranges) {
        for (int i = 1; i < ranges.size(); i++) {
            if (!ranges.get(i - 1).meets(ranges.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameBounds(List<KeyRange> sources, List<KeyRange> targets) {
        return java.util.Arrays.equals(
                        sources.getFirst().start(), targets.getFirst().start())
                && java.util.Arrays.equals(
                        sources.getLast().end(), targets.getLast().end());
    }
}
