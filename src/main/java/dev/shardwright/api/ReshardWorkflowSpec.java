package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which shards become which, and how far to go. */
@ValidationRule(value = ReshardWorkflowRules.SAME_RANGE, message = ReshardWorkflowRules.SAME_RANGE_MESSAGE)
@ValidationRule(value = ReshardWorkflowRules.SPLIT_OR_MERGE, message = ReshardWorkflowRules.SPLIT_OR_MERGE_MESSAGE)
@ValidationRule(value = ReshardWorkflowRules.GOAL_CHANGE, message = ReshardWorkflowRules.GOAL_CHANGE_MESSAGE)
@ValidationRule(
        value = "duration(self.drainTimeout) + duration('250ms') < duration(self.switchTimeout)",
        message = "switchTimeout must be more than drainTimeout + 250ms, or no switchover can end in time")
public record ReshardWorkflowSpec(
        @JsonPropertyDescription("The keyspace, in the same namespace.")
        @Required
        @Size(min = 1, max = 26)
        @ValidationRule(value = "self == oldSelf", message = "keyspace is fixed: make a new ReshardWorkflow instead")
        String keyspace,

        @JsonPropertyDescription("The ranges of the shards to split or merge, in order.")
        @Required
        @Size(min = 1, max = 64)
        @ValidationRule(
                value = "self == oldSelf",
                message = "sourceShards is fixed: make a new ReshardWorkflow instead")
        @ValidationRule(value = KeyRangeRules.IN_ORDER, message = ReshardWorkflowRules.SOURCES_IN_ORDER)
        @ValidationRule(value = KeyRangeRules.NOT_EMPTY, message = KeyRangeRules.EMPTY)
        @ValidationRule(value = KeyRangeRules.NO_TRAILING_ZERO, message = KeyRangeRules.TRAILING_ZERO)
        List<@Pattern(KeyRangeRules.PATTERN) @Size(max = 17) String> sourceShards,

        @JsonPropertyDescription("The ranges of the new shards, in order; together exactly the sources' range.")
        @Required
        @Size(min = 1, max = 64)
        @ValidationRule(
                value = "self == oldSelf",
                message = "targetShards is fixed: make a new ReshardWorkflow instead")
        @ValidationRule(value = KeyRangeRules.IN_ORDER, message = ReshardWorkflowRules.TARGETS_IN_ORDER)
        @ValidationRule(value = KeyRangeRules.NOT_EMPTY, message = KeyRangeRules.EMPTY)
        @ValidationRule(value = KeyRangeRules.NO_TRAILING_ZERO, message = KeyRangeRules.TRAILING_ZERO)
        List<@Pattern(KeyRangeRules.PATTERN) @Size(max = 17) String> targetShards,

        @JsonPropertyDescription(
                "How far to go: Verified (copy, compare, keep up), Switched (then serve from the targets;"
                        + " the way back stays open), Completed (then retire the sources), RolledBack (serve from the sources"
                        + " again), Cancelled (give up and remove the targets).")
        @Default("Switched")
        @ValidationRule(
                value = "oldSelf.hasValue() || self in ['Verified', 'Switched', 'Completed']",
                message =
                        "a new workflow's goal must be Verified, Switched or Completed: there is nothing to roll back or"
                                + " cancel yet",
                optionalOldSelf = true)
        Goal goal,

        @JsonPropertyDescription("How long a switchover may take before it is undone and tried again later. At least 2s"
                + " less than the keyspace's router.bufferTimeout.")
        @Default("5s")
        @Size(max = 16)
        @Pattern(TimeSpan.PATTERN)
        @ValidationRule(
                value = "duration(self) >= duration('1s') && duration(self) <= duration('298s')",
                message = "switchTimeout must be between 1s and 298s")
        String switchTimeout,

        @JsonPropertyDescription("How long a switchover waits for open transactions on the sources before it ends them;"
                + " it does not begin while a write runs for longer than that.")
        @Default("250ms")
        @Size(max = 16)
        @Pattern(TimeSpan.PATTERN)
        @ValidationRule(value = "duration(self) <= duration('60s')", message = "drainTimeout must be at most 60s")
        String drainTimeout,

        @JsonPropertyDescription("How long reads that run at the switchover may still run on the sources after it.")
        @Default("60s")
        @Size(max = 16)
        @Pattern(TimeSpan.PATTERN)
        @ValidationRule(value = "duration(self) <= duration('60m')", message = "readDrainTimeout must be at most 60m")
        String readDrainTimeout,

        @JsonPropertyDescription("After waiting this long for write statements that don't end, end them. Without it the"
                + " switchover waits for ever and says so.")
        @Size(max = 16)
        @Pattern(TimeSpan.PATTERN)
        @Nullable
        String forceAfter,

        @JsonPropertyDescription("How far the copy and the comparison may burden a source: they slow down before one of"
                + " these bounds is passed. May be changed while they run.")
        @Default("{}")
        ThrottleSpec throttle) {

    public ReshardWorkflowSpec {
        sourceShards = sourceShards == null ? List.of() : List.copyOf(sourceShards);
        targetShards = targetShards == null ? List.of() : List.copyOf(targetShards);
        goal = goal == null ? Goal.Switched : goal;
        switchTimeout = switchTimeout == null ? "5s" : switchTimeout;
        drainTimeout = drainTimeout == null ? "250ms" : drainTimeout;
        readDrainTimeout = readDrainTimeout == null ? "60s" : readDrainTimeout;
        throttle = throttle == null ? ThrottleSpec.NONE : throttle;
    }

    /** How far a workflow goes. */
    public enum Goal {
        Verified,
        Switched,
        Completed,
        RolledBack,
        Cancelled
    }

    /**
     * How far the copy and the comparison may burden a source.
     *
     * @param maxRowsPerSecond null: no bound
     */
    public record ThrottleSpec(
            @JsonPropertyDescription(
                    "At most this many rows are read in a second from each source, to copy them and later to compare"
                            + " them; absent: no bound.")
            @Min(1)
            @Max(1_000_000_000)
            @Nullable
            Long maxRowsPerSecond,

            @JsonPropertyDescription(
                    "A small commit on the source may take at most this percentage of what it takes while nothing is"
                            + " copied. Only as long as somebody else uses the source.")
            @Default("125")
            @Min(101)
            @Max(100_000)
            Integer maxCommitLatencyPercent,

            @JsonPropertyDescription("At most this many threads run on the source (its Threads_running, in which the"
                    + " mover's own are counted, about five).")
            @Default("25")
            @Min(1)
            @Max(100_000)
            Integer maxThreadsRunning,

            @JsonPropertyDescription(
                    "The targets may be at most this far behind the source before the copy and the comparison slow down"
                            + " for them.")
            @Default("10s")
            @Size(max = 16)
            @Pattern(TimeSpan.PATTERN)
            @ValidationRule(
                    value = "duration(self) >= duration('1s')",
                    message = "maxTargetLag must be at least 1s: the lag is measured a few times a second")
            String maxTargetLag) {
        public static final ThrottleSpec NONE = new ThrottleSpec(null, 125, 25, "10s");

        public ThrottleSpec {
            maxCommitLatencyPercent = maxCommitLatencyPercent == null ? 125 : maxCommitLatencyPercent;
            maxThreadsRunning = maxThreadsRunning == null ? 25 : maxThreadsRunning;
            maxTargetLag = maxTargetLag == null ? "10s" : maxTargetLag;
        }
    }
}
