package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.copy.ThrottleLimits;
import dev.shardwright.topology.keyrange.KeyRange;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a workflow wants, given to the engine with every call.
 *
 * @param uid the workflow resource's identity; never used again for another workflow
 * @param reportedPhase the phase that was last reported and is safely recorded outside the topology
 *     (the resource's status), null at first. The engine forgets a finished workflow's entry only once its
 *     last phase is recorded there, and never starts a workflow anew whose recorded phase is past Pending.
 */
public record WorkflowRequest(
        String uid,
        String name,
        String keyspace,
        List<KeyRange> sources,
        List<KeyRange> targets,
        Goal goal,
        Settings settings,
        @Nullable String reportedPhase) {

    public WorkflowRequest {
        sources = List.copyOf(sources);
        targets = List.copyOf(targets);
    }

    /**
     * Bounds of what is done.
     *
     * @param switchTimeout steps 1 to 5 of a switchover, the undo included
     * @param drainTimeout how long open transactions and running writes get before they are ended, or the
     *     switchover is put off
     * @param readDrainTimeout how long reads that run at the switchover may still run after it
     * @param forceAfter null: a long write puts the switchover off without end; else the time after which it is ended
     * @param throttle how far a mover may burden its source to copy and to compare
     */
    public record Settings(
            Duration switchTimeout,
            Duration drainTimeout,
            Duration readDrainTimeout,
            @Nullable Duration forceAfter,
            ThrottleLimits throttle) {
        public static final Settings DEFAULT = new Settings(
                Duration.ofSeconds(5), Duration.ofMillis(250), Duration.ofSeconds(60), null, ThrottleLimits.DEFAULT);
    }
}
