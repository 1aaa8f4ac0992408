package dev.shardwright.topology.model;

import static dev.shardwright.topology.Topologies.next;
import static dev.shardwright.topology.Topologies.of;
import static dev.shardwright.topology.Topologies.serving;
import static dev.shardwright.topology.Topologies.shard;
import static dev.shardwright.topology.Topologies.split;
import static dev.shardwright.topology.Topologies.splitting;
import static dev.shardwright.topology.Topologies.with;
import static dev.shardwright.topology.Topologies.withShards;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.api.VSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyChangeTest {
    private static final WorkflowEntry FIRST = split("w1", 1, "c0-", "c0-e0", "e0-");
    private static final WorkflowEntry SECOND = split("w1", 2, "c0-", "c0-e0", "e0-");

    @Test
    void aSwitchoverAndItsUndoAreLegal() {
        var free = of(1, "-c0", "c0-");
        var claimed = splitting(2);
        var fenced = state(3, ShardState.Fenced, 1, FIRST);
        var undoing = state(4, ShardState.Unfencing, 1, FIRST);
        var open = with(of(5, "-c0", "c0-"), FIRST);
        var again = state(6, ShardState.Fenced, 2, SECOND);
        var flipped = with(of(7, "-c0", "c0-e0", "e0-"), SECOND);
        var released = of(8, "-c0", "c0-e0", "e0-");

        assertLegal(free, claimed);
        assertLegal(claimed, fenced);
        assertLegal(fenced, undoing);
        assertLegal(undoing, open);
        assertLegal(open, again);
        assertLegal(again, flipped);
        assertLegal(flipped, released);
    }

    @Test
    void aRollbackFencesTheTargets() {
        var switched = with(of(7, "-c0", "c0-e0", "e0-"), FIRST);
        var fenced = with(
                withShards(
                        of(8, "-"),
                        serving("-c0"),
                        shard("c0-e0", ShardState.Fenced, "w1", 2),
                        shard("e0-", ShardState.Fenced, "w1", 2)),
                SECOND);

        assertLegal(switched, fenced);
        assertLegal(fenced, with(of(9, "-c0", "c0-"), SECOND));
    }

    @Test
    void aNewLeaderTakesAFenceOverUnderTheNextAttempt() {
        var fenced = state(3, ShardState.Fenced, 1, FIRST);
        assertLegal(fenced, state(4, ShardState.Fenced, 2, SECOND));
        assertIllegal(state(3, ShardState.Fenced, 2, SECOND), state(4, ShardState.Fenced, 1, FIRST), "can't go from");
    }

    @Test
    void onlyTheAttemptThatFencedCanFlip() {
        var flipped = with(of(4, "-c0", "c0-e0", "e0-"), FIRST);

        assertIllegal(splitting(3), flipped, "only the switchover attempt that has it Fenced");
        assertIllegal(
                state(3, ShardState.Unfencing, 1, FIRST), flipped, "only the switchover attempt that has it Fenced");
        assertIllegal(
                state(3, ShardState.Fenced, 1, SECOND), flipped, "only the switchover attempt that has it Fenced");
        assertLegal(state(3, ShardState.Fenced, 1, FIRST), flipped);
    }

    @Test
    void onlyAWorkflowsOwnShardsComeIn() {
        var fenced = state(3, ShardState.Fenced, 1, FIRST);
        assertIllegal(
                fenced, with(of(4, "-c0", "c0-d0", "d0-"), split("w1", 1, "c0-", "c0-d0", "d0-")), "can only come in");
        assertIllegal(of(3, "-"), of(4, "-80", "80-"), "can only come in", "only the switchover attempt");
    }

    @Test
    void aFenceIsNotOpenedInOneStep() {
        var fenced = state(3, ShardState.Fenced, 1, FIRST);
        assertIllegal(fenced, with(of(4, "-c0", "c0-"), FIRST), "can't go from Fenced by w1, attempt 1 to Serving");
        assertIllegal(
                state(3, ShardState.Unfencing, 1, FIRST),
                state(4, ShardState.Fenced, 2, SECOND),
                "can't go from Unfencing");
    }

    @Test
    void epochsGrowByOneAndTheKeyspaceStays() {
        assertIllegal(of(3, "-"), of(5, "-"), "must be followed by 4, not 5");
        assertIllegal(of(3, "-"), of(3, "-"), "must be followed by 4, not 3");
        var other = of(4, "-");
        assertIllegal(
                of(3, "-"),
                new Topology(1, "shop", 4, other.shards(), List.of(), other.vschema()),
                "can't become shop");
    }

    @Test
    void theVschemaWaitsForTheWorkflow() {
        var before = splitting(2);
        var after = next(before);
        var edited = new VSchema(VSchema.UnlistedTables.Refuse, List.of(), List.of());
        assertIllegal(
                before,
                new Topology(1, "chat", 3, after.shards(), after.workflows(), edited),
                "can't change while a workflow is there");
        assertLegal(of(2, "-"), new Topology(1, "chat", 3, of(3, "-").shards(), List.of(), edited));
    }

    @Test
    void aShardKeepsItsRange() {
        var moved = serving("-80");
        var is = new ShardEntry(
                serving("-40").range(),
                moved.uid(),
                moved.name(),
                ShardState.Serving,
                null,
                0,
                moved.primary(),
                List.of());
        assertIllegal(of(2, "-80", "80-"), withShards(of(3, "-"), is, serving("40-")), "a shard keeps its range");
    }

    @Test
    void theDocumentItselfIsChecked() {
        assertIllegal(of(2, "-"), withShards(of(3, "-"), serving("-80")), "leaves out the end");
    }

    private static Topology state(long epoch, ShardState state, int attempt, WorkflowEntry workflow) {
        return with(withShards(of(epoch, "-"), serving("-c0"), shard("c0-", state, "w1", attempt)), workflow);
    }

    private static void assertLegal(Topology before, Topology after) {
        assertThat(TopologyChange.problems(before, after)).isEmpty();
    }

    private static void assertIllegal(Topology before, Topology after, String... problems) {
        assertThat(String.join("\n", TopologyChange.problems(before, after))).contains(problems);
    }
}
