package dev.shardwright.router.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.router.planner.StatementPlanner;
import dev.shardwright.topology.Topologies;
import dev.shardwright.topology.model.Topology;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TopologyViewTest {
    @Test
    void plansThatAreForeseenAreThoseOfTheShardsToCome() {
        var before = TopologyView.of(splitting(1, "-"), null);
        assertThat(before.foreseen()).isNotNull();

        var fenced = TopologyView.of(splitting(2, "-"), before);
        assertThat(fenced.planner()).isSameAs(before.planner());
        assertThat(foreseen(fenced)).isSameAs(foreseen(before));

        var after = TopologyView.of(splitting(3, "-80", "80-"), fenced);
        assertThat(after.planner()).isSameAs(foreseen(before));
        assertThat(foreseen(after)).as("for the way back").isSameAs(before.planner());

        var done = TopologyView.of(Topologies.of(4, "-80", "80-"), after);
        assertThat(done.planner()).isSameAs(after.planner());
        assertThat(done.foreseen()).isNull();
    }

    @Test
    void severalShardsPlanAsBeforeWhenOneOfThemIsSplit() {
        assertThat(TopologyView.of(Topologies.splitting(1), null).foreseen()).isNull();
    }

    @Test
    void onlyShardsOfAWorkflowThatDoNotServeAreWaitedFor() {
        var view = TopologyView.of(splitting(1, "-"), null);
        assertThat(view.waiting("w1")).containsExactly(Topologies.serving("-80"), Topologies.serving("80-"));
        assertThat(view.waiting("w2")).isEmpty();
        assertThat(view.relieved("w1")).containsExactly("u-x-x");
        assertThat(view.expects(Topologies.serving("-80"))).isTrue();
        assertThat(view.expects(Topologies.serving("-"))).isFalse();
        assertThat(view.expects(Topologies.serving("40-80"))).isFalse();
    }

    private static StatementPlanner foreseen(TopologyView view) {
        return Objects.requireNonNull(view.foreseen()).planner();
    }

    private static Topology splitting(long epoch, String... serving) {
        return Topologies.with(Topologies.of(epoch, serving), Topologies.split("w1", 0, "-", "-80", "80-"));
    }
}
