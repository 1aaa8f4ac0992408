package dev.shardwright.reshard.workflow;

import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import java.util.Optional;

/** What is so at the moment, as the live topology says; the outcome of detecting. */
record Situation(WorkflowRequest request, Topology topology, Optional<WorkflowEntry> found, Phase phase) {

    static Situation of(WorkflowRequest request, Topology topology) {
        var found = Entries.find(topology, request.uid());
        var phase = found.map(entry -> Phase.of(entry.phase())).orElseGet(() -> withoutEntry(request));
        return new Situation(request, topology, found, phase);
    }

    /** No entry: not begun, or over; what was reported last tells which. */
    private static Phase withoutEntry(WorkflowRequest request) {
        var reported = request.reportedPhase();
        if (reported == null || reported.isEmpty()) {
            return new Phase.Pending();
        }
        return switch (Phase.of(reported)) {
            case Phase.Pending p -> p;
            case Phase.Retiring p -> new Phase.Completed();
            case Phase.Completed p -> p;
            case Phase.Cancelling p -> new Phase.Cancelled();
            case Phase.Cancelled p -> p;
            case Phase other -> throw new ClaimLost(other);
        };
    }

    /** The entry; IllegalStateException in the phases that have none. */
    WorkflowEntry entry() {
        return found.orElseThrow(
                () -> new IllegalStateException("a workflow that is " + phase.name() + " has no entry"));
    }

    Goal goal() {
        return request.goal();
    }

    /** The workflow was under way, but the topology knows nothing of it. */
    static final class ClaimLost extends RuntimeException {
        private static final long serialVersionUID = 1;

        ClaimLost(Phase reported) {
            super("the workflow was " + reported.name() + ", but its entry is gone from the topology (restored from an"
                    + " older state, or edited by hand); it can't go on: delete it, check which shards serve, and make"
                    + " a new one if the data is still to be moved");
        }
    }
}
