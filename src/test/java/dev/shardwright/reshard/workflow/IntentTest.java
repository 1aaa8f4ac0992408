package dev.shardwright.reshard.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What each goal means in each phase; a new phase or goal without a line here fails. */
class IntentTest {
    private static final List<Goal> GOALS =
            List.of(Goal.Verified, Goal.Switched, Goal.Completed, Goal.RolledBack, Goal.Cancelled);

    /** In the order of GOALS. */
    private static final Map<String, String> TABLE = Map.ofEntries(
            Map.entry("Pending", "Claim Claim Claim Claim Done"),
            Map.entry("Preparing", "Prepare Prepare Prepare Prepare Cancel"),
            Map.entry("Copying", "Move Move Move Move Cancel"),
            Map.entry("CatchingUp", "Move Move Move Move Cancel"),
            Map.entry("Verifying", "Move Move Move Move Cancel"),
            Map.entry("Verified", "Hold SwitchOver SwitchOver Hold Cancel"),
            Map.entry("Switching", "ResumeBack ResumeOn ResumeOn ResumeBack ResumeBack"),
            Map.entry("Switched", "Refuse Hold Complete SwitchBack SwitchBack"),
            Map.entry("RollingBack", "ResumeBack ResumeBack ResumeBack ResumeOn ResumeOn"),
            Map.entry("RolledBack", "Hold SwitchOver SwitchOver Hold Cancel"),
            Map.entry("Completing", "Refuse Reopen Complete Reopen Refuse"),
            Map.entry("Retiring", "Retire Retire Retire Retire Retire"),
            Map.entry("Completed", "Refuse Refuse Done Refuse Refuse"),
            Map.entry("Cancelling", "Cancel Cancel Cancel Cancel Cancel"),
            Map.entry("Cancelled", "Refuse Refuse Refuse Refuse Done"));

    static Stream<Arguments> allPhasesAndGoals() {
        return Phase.all().flatMap(phase -> Stream.of(Goal.values()).map(goal -> Arguments.of(phase, goal)));
    }

    @ParameterizedTest
    @MethodSource("allPhasesAndGoals")
    void eachGoalMeansSomethingInEachPhase(Phase phase, Goal goal) {
        assertThat(TABLE).containsKey(phase.name());
        assertThat(GOALS).contains(goal);
        var expected = TABLE.getOrDefault(phase.name(), "").split(" ")[GOALS.indexOf(goal)];
        assertThat(name(Intent.of(phase, goal))).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("allPhasesAndGoals")
    void aRefusalSaysWhatToDo(Phase phase, Goal goal) {
        if (Intent.of(phase, goal) instanceof Intent.Refuse refuse) {
            assertThat(refuse.message()).containsAnyOf("set goal", "make a new ReshardWorkflow");
        }
    }

    /** A goal that the resource's rules allow never leads from a phase it can be in to a refusal for ever. */
    @ParameterizedTest
    @MethodSource("allPhasesAndGoals")
    void cancelledIsNeverStuck(Phase phase, Goal goal) {
        if (goal == Goal.Cancelled && !(phase instanceof Phase.Completing || phase instanceof Phase.Completed)) {
            assertThat(Intent.of(phase, goal)).isNotInstanceOf(Intent.Refuse.class);
        }
    }

    @Test
    void theLifeLeadsEverywhereAndEndsTwice() {
        var reachable = Phase.all()
                .flatMap(from -> Phase.all().filter(from::leadsTo))
                .map(Phase::name)
                .collect(Collectors.toSet());
        var all = Phase.all().map(Phase::name).collect(Collectors.toSet());
        reachable.add("Pending");
        assertThat(reachable).isEqualTo(all);
        assertThat(Phase.all()
                        .filter(phase -> Phase.all().noneMatch(phase::leadsTo))
                        .map(Phase::name))
                .containsExactlyInAnyOrder("Completed", "Cancelled");
    }

    @Test
    void goalsChangeAsTheResourceSays() {
        assertThat(Goal.Switched.mayBecome(Goal.Cancelled)).isFalse();
        assertThat(Goal.Switched.mayBecome(Goal.RolledBack)).isTrue();
        assertThat(Goal.RolledBack.mayBecome(Goal.Cancelled)).isTrue();
        assertThat(Goal.Cancelled.mayBecome(Goal.Switched)).isFalse();
        assertThat(Goal.Cancelled.refusal(Goal.Switched)).contains("nothing else");
        assertThat(Goal.values())
                .allSatisfy(goal -> assertThat(goal.mayBecome(goal)).isTrue());
    }

    private static String name(Intent intent) {
        return switch (intent) {
            case Intent.Switch to -> to.back() ? "SwitchBack" : "SwitchOver";
            case Intent.Resume resume -> resume.goOn() ? "ResumeOn" : "ResumeBack";
            case Intent other -> other.getClass().getSimpleName();
        };
    }
}
