package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.cutover.Timeline;
import dev.shardwright.reshard.workflow.WorkflowReport.Event;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kinds of reports there are. */
final class Reports {
    static final Duration AT_ONCE = Duration.ofMillis(10);
    static final Duration SOON = Duration.ofMillis(250);
    static final Duration LATER = Duration.ofSeconds(1);
    static final Duration CALM = Duration.ofSeconds(5);
    static final Duration BLOCKED = Duration.ofSeconds(10);

    private Reports() {}

    /** On its way. */
    static WorkflowReport going(Phase phase, String reason, String message, Duration again) {
        return report(phase, Succeeded.UNKNOWN, reason, message, again);
    }

    /** Something is in the way that does not go away by itself. */
    static WorkflowReport blocked(Phase phase, String reason, String message) {
        return report(phase, Succeeded.FALSE, reason, message, BLOCKED);
    }

    /** The goal is reached. */
    static WorkflowReport reached(Phase phase, String reason, String message, Duration again) {
        return report(phase, Succeeded.TRUE, reason, message, again);
    }

    private static WorkflowReport report(
            Phase phase, Succeeded succeeded, String reason, String message, Duration again) {
        return new WorkflowReport(
                phase.name(), succeeded, reason, message, "", null, List.of(), null, again, List.of());
    }

    static WorkflowReport with(WorkflowReport report, List<Event> events) {
        return with(report, report.switchover(), events);
    }

    static WorkflowReport with(
            WorkflowReport report, String progress, @Nullable Duration lag, List<SourceProgress> sources) {
        return new WorkflowReport(
                report.phase(),
                report.succeeded(),
                report.reason(),
                report.message(),
                progress,
                lag,
                sources,
                report.switchover(),
                report.againAfter(),
                report.events());
    }

    /** @param switchover that was made or undone, if any */
    static WorkflowReport with(WorkflowReport report, @Nullable Timeline switchover, List<Event> events) {
        return new WorkflowReport(
                report.phase(),
                report.succeeded(),
                report.reason(),
                report.message(),
                report.progress(),
                report.lag(),
                report.sources(),
                switchover,
                report.againAfter(),
                events);
    }
}
