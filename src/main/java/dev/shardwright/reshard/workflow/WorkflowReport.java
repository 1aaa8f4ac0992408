package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.cutover.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a workflow stands after one step of the engine.
 *
 * @param phase its phase by name, for people
 * @param succeeded whether the goal is reached: TRUE; FALSE: something is in the way, {@code message} says
 *     what and what to do; UNKNOWN: on its way
 * @param reason one CamelCase word for machines
 * @param message for a DBA
 * @param progress such as {@code copying 63%}; empty when there is nothing to tell
 * @param lag how far the targets are behind the sources; null when not known
 * @param sources what each source's mover says, of those that answer; empty when none is asked
 * @param switchover how the time went of the switchover that this step of the engine made or undid; else null
 * @param againAfter when to call the engine again at the latest
 * @param events what happened in this step and is worth telling, in order
 */
public record WorkflowReport(
        String phase,
        Succeeded succeeded,
        String reason,
        String message,
        String progress,
        @Nullable Duration lag,
        List<SourceProgress> sources,
        @Nullable Timeline switchover,
        Duration againAfter,
        List<Event> events) {

    /** The reason of the event that tells how the time of a switchover went. */
    public static final String SWITCHOVER_STEPS = "SwitchoverSteps";

    public WorkflowReport {
        sources = List.copyOf(sources);
        events = List.copyOf(events);
    }

    /** Why targets fall behind their sources; empty if they keep up. */
    public Optional<String> fallingBehind() {
        return SourceProgress.behind(sources);
    }

    /** Whether sources are spared; empty while nothing is read from them. */
    public Optional<Slowing> slowing() {
        return Slowing.of(sources);
    }

    /** The status of the condition of the same name. */
    public enum Succeeded {
        TRUE,
        FALSE,
        UNKNOWN
    }

    /**
     * Something that happened.
     *
     * @param warning false: as planned
     * @param reason one CamelCase word
     */
    public record Event(boolean warning, String reason, String message) {}
}
