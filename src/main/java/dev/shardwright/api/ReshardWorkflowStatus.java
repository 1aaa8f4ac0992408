package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far a workflow is. A copy for people: what must not be lost is in the topology. */
public record ReshardWorkflowStatus(
        @JsonPropertyDescription("Which shards become which, for people: '- -> -80,80-'.") @Nullable
        String shards,

        @JsonPropertyDescription("Where it stands, for people.") @Nullable
        String phase,

        @JsonPropertyDescription("What it does at the moment and how far that is, such as copying 63%.") @Nullable
        String progress,

        @JsonPropertyDescription("How far the targets are behind the sources.") @Nullable
        String lag,

        @JsonPropertyDescription("What is read from each source, while there is a copy or a comparison.")
        @Size(max = 64)
        List<SourceStatus> sources,

        @JsonPropertyDescription("The last switchover, whether it was made or undone.") @Nullable
        SwitchoverStatus switchover,

        @JsonPropertyDescription("The spec's generation that this status is about.") @Nullable
        Long observedGeneration,

        @JsonPropertyDescription(
                "Succeeded: whether the goal is reached. Throttled: whether the copy or the comparison is"
                        + " slowed to spare a source or a target, and by what. KeepingUp: whether the targets follow the sources' changes, and"
                        + " what is too slow if not.")
        @Size(max = 16)
        List<Condition> conditions) {

    public ReshardWorkflowStatus {
        sources = sources == null ? List.of() : List.copyOf(sources);
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }

    /** Where the time of a switchover went. */
    public record SwitchoverStatus(
            @JsonPropertyDescription("When it was over.") @Required
            String endedAt,

            @JsonPropertyDescription("How long statements for its shards were held.") @Required
            String held,

            @JsonPropertyDescription("Its steps in the order in which they began; some run side by side.")
            @Size(max = 64)
            List<StepStatus> steps) {

        public SwitchoverStatus {
            steps = steps == null ? List.of() : List.copyOf(steps);
        }
    }

    /** One step of a switchover. */
    public record StepStatus(
            @JsonPropertyDescription("Which one; ARCHITECTURE.md tells what they do.") @Required
            String step,

            @JsonPropertyDescription(
                    "When it began, counted from the beginning of the fence (MARK_FENCED); nobody waits before that.")
            @Required
            String began,

            @JsonPropertyDescription("How long it took.") @Required
            String took) {}

    /** What is read from one source. */
    public record SourceStatus(
            @JsonPropertyDescription("The source's range.") @Required
            String shard,

            @JsonPropertyDescription("Rows that are on the targets.")
            Long rowsCopied,

            @JsonPropertyDescription("MySQL's estimate of all its rows.")
            Long rowsEstimated,

            @JsonPropertyDescription("Rows that have been compared.")
            Long rowsVerified,

            @JsonPropertyDescription(
                    "What the copy has cost since the mover was started: time of the source, time of the"
                            + " targets, and bytes of rows.")
            @Nullable
            String copyCost,

            @JsonPropertyDescription("The same of the comparison.") @Nullable
            String verifyCost,

            @JsonPropertyDescription(
                    "What reading is slowed by: RowsPerSecond, CommitLatency, ThreadsRunning or TargetLag;"
                            + " absent at full speed.")
            @Nullable
            String slowedBy,

            @JsonPropertyDescription("Since when it has been slowed.") @Nullable
            String slowedSince,

            @JsonPropertyDescription("How many seconds a reader has rested since the mover was started.")
            Long restedSeconds,

            @JsonPropertyDescription("The share of time in which rows may be read.")
            String speed,

            @JsonPropertyDescription("Median latency of a small commit on the source.") @Nullable
            String commitLatency,

            @JsonPropertyDescription("The same while nothing is read.") @Nullable
            String quietCommitLatency,

            @JsonPropertyDescription("Threads_running of the source.")
            Long threadsRunning) {}
}
