package dev.shardwright.reshard.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.api.VSchema;
import dev.shardwright.reshard.mover.MoverProgress;
import dev.shardwright.reshard.mover.MoverSpec;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Claims and endings, which need no server. */
class EngineClaimTest {
    private final FaultyTopologyStore store = new FaultyTopologyStore(new MemoryTopologyStore(topology()));
    private final List<String> retired = new ArrayList<>();
    private final WorkflowEngine engine = new WorkflowEngine(
            new WorkflowPorts(
                    store,
                    new Hosts(),
                    wait -> List.of(),
                    new NoMovers(),
                    (uid, endpoint) -> {
                        throw new SQLException("no server in this test");
                    },
                    (sources, vschema) -> List.of(),
                    Leadership.ALWAYS),
            Clock.systemUTC());

    @Test
    void aClaimTakesTheSourcesAndNamesTheTargetsByItsEpoch() {
        var report = engine.advance(request("a", Goal.Switched, null, List.of("80-"), List.of("80-c0", "c0-")));
        assertThat(report.phase()).isEqualTo("Preparing");
        var entry = store.topology().workflows().getFirst();
        assertThat(entry.sources()).extracting(Member::name).containsExactly("chat-80-x");
        assertThat(entry.targets()).extracting(Member::name).containsExactly("chat-80-c0-v8", "chat-c0-x-v8");
        assertThat(entry.targets()).extracting(Member::uid).doesNotHaveDuplicates();
        assertThat(store.topology().epoch()).isEqualTo(8);
    }

    @Test
    void aSecondWorkflowOnTheShardIsToldByWhomItIsClaimed() {
        engine.advance(request("a", Goal.Switched, null, List.of("80-"), List.of("80-c0", "c0-")));
        var report = engine.advance(request("b", Goal.Switched, null, List.of("-80", "80-"), List.of("-")));
        assertThat(report.reason()).isEqualTo("SourceClaimed");
        assertThat(report.message()).contains("80-", "workflow a", "Preparing");
        assertThat(store.topology().workflows()).hasSize(1);
    }

    @Test
    void theSecondBeginsOnceTheFirstIsGone() {
        engine.advance(request("a", Goal.Switched, null, List.of("80-"), List.of("80-c0", "c0-")));
        engine.advance(request("b", Goal.Switched, null, List.of("80-"), List.of("80-c0", "c0-")));
        engine.forget("a", Goal.Switched);
        var report = engine.advance(request("b", Goal.Switched, "Pending", List.of("80-"), List.of("80-c0", "c0-")));
        assertThat(report.phase()).isEqualTo("Preparing");
        assertThat(retired).hasSize(2);
    }

    @Test
    void rangesThatDoNotFitAreRefused() {
        assertThat(refusal(List.of("80-"), List.of("80-c0", "d0-"))).contains("d0- does not begin where 80-c0 ends");
        assertThat(refusal(List.of("80-"), List.of("80-c0"))).contains("must cover exactly");
        assertThat(refusal(List.of("80-"), List.of("-"))).contains("must cover exactly");
        assertThat(refusal(List.of("c0-"), List.of("c0-e0", "e0-"))).contains("has no shard c0-");
        assertThat(refusal(List.of("80-", "-80"), List.of("-"))).contains("list neighbours in order");
        assertThat(store.topology().workflows()).isEmpty();
    }

    @Test
    void aConflictAtTheClaimIsTriedAgain() {
        store.beforeNextWrite(store::touch);
        var report = engine.advance(request("a", Goal.Switched, null, List.of("80-"), List.of("80-c0", "c0-")));
        assertThat(report.phase()).isEqualTo("Preparing");
        assertThat(store.topology().workflows().getFirst().targets().getFirst().name())
                .endsWith("-v9");
    }

    @Test
    void aLostAnswerToTheClaimClaimsOnce() {
        store.loseAnswerOnce();
        engine.advance(request("a", Goal.Switched, null, List.of("80-"), List.of("80-c0", "c0-")));
        assertThat(store.topology().workflows()).hasSize(1);
        assertThat(store.topology().epoch()).isEqualTo(8);
    }

    @Test
    void cancellingReleasesTheClaimOnceItIsRecorded() {
        engine.advance(request("a", Goal.Switched, null, List.of("80-"), List.of("80-c0", "c0-")));
        var phase = "Preparing";
        for (int i = 0; i < 4; i++) {
            phase = engine.advance(request("a", Goal.Cancelled, phase, List.of("80-"), List.of("80-c0", "c0-")))
                    .phase();
        }
        assertThat(phase).isEqualTo("Cancelled");
        assertThat(store.topology().workflows()).isEmpty();
        var again = engine.advance(request("a", Goal.Cancelled, "Cancelled", List.of("80-"), List.of("80-c0", "c0-")));
        assertThat(again.succeeded()).isEqualTo(Succeeded.TRUE);
        var revived = engine.advance(request("a", Goal.Switched, "Cancelled", List.of("80-"), List.of("80-c0", "c0-")));
        assertThat(revived.reason()).isEqualTo("GoalNotPossible");
        assertThat(store.topology().workflows()).isEmpty();
    }

    @Test
    void cancellingWhatHasNotBegunTouchesNothing() {
        engine.advance(request("a", Goal.Switched, null, List.of("80-"), List.of("80-c0", "c0-")));
        var waiting = engine.advance(request("b", Goal.Switched, null, List.of("80-"), List.of("80-a0", "a0-")));
        assertThat(waiting.phase()).isEqualTo("Pending");
        var before = store.topology();
        var report = engine.advance(request("b", Goal.Cancelled, "Pending", List.of("80-"), List.of("80-a0", "a0-")));
        assertThat(report.phase()).isEqualTo("Cancelled");
        assertThat(report.succeeded()).isEqualTo(Succeeded.TRUE);
        assertThat(store.topology()).isEqualTo(before);
    }

    @Test
    void aWorkflowWhoseEntryIsLostIsNotBegunAnew() {
        var report = engine.advance(request("a", Goal.Switched, "Copying", List.of("80-"), List.of("80-c0", "c0-")));
        assertThat(report.reason()).isEqualTo("ClaimLost");
        assertThat(store.topology().workflows()).isEmpty();
    }

    @Test
    void anUnreachableServerIsReportedAndTriedAgain() {
        engine.advance(request("a", Goal.Switched, null, List.of("80-"), List.of("80-c0", "c0-")));
        var report = engine.advance(request("a", Goal.Switched, "Preparing", List.of("80-"), List.of("80-c0", "c0-")));
        assertThat(report.reason()).isEqualTo("ServerUnreachable");
        assertThat(report.succeeded()).isEqualTo(Succeeded.UNKNOWN);
    }

    private String refusal(List<String> sources, List<String> targets) {
        var report = engine.advance(request("x", Goal.Switched, null, sources, targets));
        assertThat(report.succeeded()).isEqualTo(Succeeded.FALSE);
        return report.message();
    }

    private static WorkflowRequest request(
            String uid, Goal goal, @Nullable String reported, List<String> sources, List<String> targets) {
        return new WorkflowRequest(
                uid,
                uid,
                "chat",
                sources.stream().map(KeyRange::parse).toList(),
                targets.stream().map(KeyRange::parse).toList(),
                goal,
                WorkflowRequest.Settings.DEFAULT,
                reported);
    }

    private static Topology topology() {
        var shards = Stream.of("-80", "80-")
                .map(KeyRange::parse)
                .map(range -> new ShardEntry(
                        range,
                        "uid" + range.inName(),
                        "chat-" + range.inName(),
                        ShardState.Serving,
                        null,
                        0,
                        new Endpoint("localhost", 1),
                        List.of()))
                .toList();
        return new Topology(
                Topology.FORMAT,
                "chat",
                7,
                shards,
                List.of(),
                new VSchema(VSchema.UnlistedTables.FirstShard, List.of(), List.of()));
    }

    private final class Hosts implements ShardHosts {
        @Override
        public Provision provision(Member shard) {
            return new Provision.Ready(new Endpoint("localhost", 2));
        }

        @Override
        public boolean retire(Member shard) {
            retired.add(shard.name());
            return true;
        }
    }

    private static final class NoMovers implements Movers {
        @Override
        public void start(MoverSpec spec) {}

        @Override
        public Optional<MoverProgress> answer(String stream) {
            return Optional.empty();
        }

        @Override
        public boolean stop(String stream) {
            return true;
        }
    }
}
