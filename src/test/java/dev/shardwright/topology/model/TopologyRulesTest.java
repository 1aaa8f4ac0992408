package dev.shardwright.topology.model;

import static dev.shardwright.topology.Topologies.of;
import static dev.shardwright.topology.Topologies.serving;
import static dev.shardwright.topology.Topologies.shard;
import static dev.shardwright.topology.Topologies.split;
import static dev.shardwright.topology.Topologies.splitting;
import static dev.shardwright.topology.Topologies.with;
import static dev.shardwright.topology.Topologies.withShards;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.api.VSchema;
import dev.shardwright.topology.Topologies;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyRulesTest {

    @Test
    void goodDocumentsHaveNoProblems() {
        assertGood(of(1, "-"));
        assertGood(of(7, "-40", "40-80", "80-c0", "c0-"));
        assertGood(splitting(2));
        assertGood(with(of(9, "-c0", "c0-e0", "e0-"), split("w1", 3, "c0-", "c0-e0", "e0-")));
    }

    @Test
    void theShardsCoverTheWholeKeySpace() {
        assertBad(of(1), "there are no shards");
        assertBad(of(1, "40-"), "leaves out the beginning");
        assertBad(of(1, "-40"), "leaves out the end");
        assertBad(of(1, "-40", "80-"), "80- does not begin where -40 ends, so there is a gap");
        assertBad(of(1, "-80", "40-"), "an overlap");
        assertBad(of(1, "80-", "-80"), "-80 does not begin where 80- ends");
    }

    @Test
    void namesAndNumbersAreUsable() {
        assertBad(new Topology(2, "chat", 1, of(1, "-").shards(), List.of(), Topologies.VSCHEMA), "format 2");
        assertBad(new Topology(1, "Chat_", 1, of(1, "-").shards(), List.of(), Topologies.VSCHEMA), "keyspace name");
        assertBad(of(0, "-"), "epoch 0");
        var twice = serving("-80");
        var other = serving("80-");
        assertBad(
                withShards(
                        of(1, "-"),
                        twice,
                        new ShardEntry(
                                other.range(),
                                twice.uid(),
                                "n",
                                ShardState.Serving,
                                null,
                                0,
                                other.primary(),
                                List.of())),
                "uid u-x-80 is that of another shard too");
        assertBad(
                withShards(
                        of(1, "-"),
                        new ShardEntry(
                                serving("-").range(),
                                "u",
                                "",
                                ShardState.Serving,
                                null,
                                0,
                                new Endpoint("h", 70_000),
                                List.of())),
                "name is missing",
                "no address");
    }

    @Test
    void aFenceNamesItsWorkflow() {
        assertBad(withShards(of(1, "-"), shard("-", ShardState.Serving, "w1", 0)), "it is Serving, so by must be null");
        assertBad(withShards(of(1, "-"), shard("-", ShardState.Fenced, null, 1)), "by must name the workflow");
        assertBad(
                withShards(of(1, "-"), shard("-", ShardState.Unfencing, "w1", 1)),
                "no workflow that has claimed it: nobody would ever open it");
        assertBad(
                withShards(splitting(1), shard("-c0", ShardState.Fenced, "w1", 1), serving("c0-")),
                "no workflow that has claimed it");
        assertGood(withShards(splitting(1), serving("-c0"), shard("c0-", ShardState.Fenced, "w1", 1)));
    }

    @Test
    void twoWorkflowsNeverShareAShard() {
        assertBad(
                with(of(1, "-c0", "c0-"), split("w1", 0, "c0-", "c0-e0", "e0-"), split("w2", 0, "c0-", "c0-d0", "d0-")),
                "workflow split-w2: shard c0- is claimed by workflow split-w1 already");
        assertBad(
                with(of(1, "-c0", "c0-"), split("w1", 0, "c0-", "c0-e0", "e0-"), split("w1", 0, "-c0", "-80", "80-c0")),
                "listed twice");
    }

    @Test
    void aWorkflowReplacesExactlyItsSources() {
        assertBad(with(of(1, "-c0", "c0-"), split("w1", 0, "c0-", "c0-e0")), "do not cover exactly");
        assertBad(with(of(1, "-c0", "c0-"), split("w1", 0, "c0-", "c0-e0", "f0-")), "there is a gap");
        assertBad(with(of(1, "-"), split("w1", 0, "c0-", "c0-e0", "e0-")), "either all of its sources or all");
    }

    @Test
    void theVschemaIsChecked() {
        var broken = new VSchema(
                VSchema.UnlistedTables.FirstShard, List.of(new VSchema.VindexSpec("v", "nonsense")), List.of());
        assertBad(new Topology(1, "chat", 1, of(1, "-").shards(), List.of(), broken), "unknown type 'nonsense'");
    }

    private static void assertGood(Topology topology) {
        assertThat(TopologyRules.problems(topology)).isEmpty();
    }

    private static void assertBad(Topology topology, String... problems) {
        assertThat(String.join("\n", TopologyRules.problems(topology))).contains(problems);
    }
}
