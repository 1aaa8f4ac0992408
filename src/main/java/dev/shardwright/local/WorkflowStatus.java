package dev.shardwright.local;

import dev.shardwright.reshard.workflow.Goal;
import dev.shardwright.reshard.workflow.Slowing;
import dev.shardwright.reshard.workflow.WorkflowReport;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a workflow stands, as {@code workflows/NAME.json}; in a cluster this is the resource's status.
 *
 * @param uid made by us when the workflow was first seen
 * @param goal the goal that the engine works for
 * @param slowed how the sources are spared while rows are read; empty while none are
 * @param phases each phase with the time that it began, in order
 * @param lagMillis how far the targets are behind the sources; null when not known
 * @param events what happened and is worth telling, the newest last, at most {@link #MOST_EVENTS}
 */
public record WorkflowStatus(
        String uid,
        String name,
        Goal goal,
        String phase,
        Succeeded succeeded,
        String reason,
        String message,
        String progress,
        @Nullable Long lagMillis,
        String slowed,
        List<PhaseStart> phases,
        List<Happened> events) {

    static final int MOST_EVENTS = 100;

    /** The reason of a status whose YAML asks for a goal that can't follow the present one. */
    public static final String REFUSED = "GoalNotPossible";

    public WorkflowStatus {
        slowed = slowed == null ? "" : slowed;
        phases = phases == null ? List.of() : List.copyOf(phases);
        events = events == null ? List.of() : List.copyOf(events);
    }

    /** Time in milliseconds since 1970. */
    public record PhaseStart(String phase, long atMillis) {}

    /** Something that happened; {@code warning}: not as planned. */
    public record Happened(long atMillis, boolean warning, String reason, String message) {}

    static WorkflowStatus created(String uid, String name, Goal goal) {
        return new WorkflowStatus(uid, name, goal, "", Succeeded.UNKNOWN, "", "", "", null, "", List.of(), List.of());
    }

    WorkflowStatus withGoal(Goal wanted) {
        return new WorkflowStatus(
                uid,
                name,
                wanted,
                phase,
                Succeeded.UNKNOWN,
                reason,
                message,
                progress,
                lagMillis,
                slowed,
                phases,
                events);
    }

    WorkflowStatus refused(String why) {
        return new WorkflowStatus(
                uid, name, goal, phase, Succeeded.FALSE, REFUSED, why, progress, lagMillis, slowed, phases, events);
    }

    WorkflowStatus after(WorkflowReport report, long nowMillis) {
        var all = new ArrayList<>(phases);
        if (!report.phase().equals(phase)) {
            all.add(new PhaseStart(report.phase(), nowMillis));
        }
        var lag = report.lag();
        return new WorkflowStatus(
                uid,
                name,
                goal,
                report.phase(),
                report.succeeded(),
                report.reason(),
                report.message(),
                report.progress(),
                lag == null ? null : (Long) lag.toMillis(),
                report.slowing().map(Slowing::message).orElse(""),
                all,
                with(report, nowMillis));
    }

    private List<Happened> with(WorkflowReport report, long nowMillis) {
        var all = new ArrayList<>(events);
        report.events()
                .forEach(event -> all.add(new Happened(nowMillis, event.warning(), event.reason(), event.message())));
        return all.subList(Math.max(0, all.size() - MOST_EVENTS), all.size());
    }

    /** How the time of the last switchover went that was made; empty when there was none lately. */
    public Optional<String> lastSwitchover() {
        return events.stream()
                .filter(event -> event.reason().equals(WorkflowReport.SWITCHOVER_STEPS))
                .reduce((_, later) -> later)
                .map(Happened::message);
    }

    /** Whether nothing more will happen until somebody changes the goal or mends what is in the way. */
    public boolean settled() {
        return succeeded != Succeeded.UNKNOWN;
    }
}
