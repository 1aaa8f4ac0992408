package dev.shardwright.reshard.cutover;

import dev.shardwright.reshard.workflow.Pause;
import dev.shardwright.reshard.workflow.Routers;
import dev.shardwright.reshard.workflow.Routers.RouterState;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Step 2: the routers hold new work for the fenced shards and let go of what they have open there. */
final class Drain {
    /** On top of drainTimeout, for the routers to end what is open then. */
    private static final Duration EXTRA = Duration.ofMillis(250);

    private static final Duration ANSWER = Duration.ofMillis(100);
    private static final long PAUSE_MILLIS = 1;

    private Drain() {}

    /**
     * What is known of the routers after it.
     *
     * @param complete every router has applied the fence, so that reads that run may finish
     * @param reads the autocommit reads that they have running there: by shard uid, the sessions at its server
     */
    record Drained(boolean complete, Map<String, Set<Long>> reads) {}

    /** Throws Undone when a write overruns, unless {@code force}. */
    static Drained run(Routers routers, long epoch, Duration drainTimeout, boolean force, Deadline deadline) {
        var until = deadline.orEarlier(drainTimeout.plus(EXTRA));
        // Whoever starts from now on reads the topology with the fence in it.
        var present = routers.present();
        while (true) {
            var states = present.states(ANSWER);
            if (states.stream().allMatch(state -> state.acknowledges(epoch))) {
                return new Drained(true, reads(states));
            }
            if (until.passed()) {
                return verdict(states, epoch, force);
            }
            Pause.millis(PAUSE_MILLIS);
        }
    }

    private static Drained verdict(List<RouterState> states, long epoch, boolean force) {
        var writing = states.stream()
                .filter(state -> state.answered() && state.epoch() >= epoch && state.runningWrites() > 0)
                .toList();
        if (!writing.isEmpty() && !force) {
            throw new Undone(
                    "WaitingForLongStatements",
                    writing.stream().mapToInt(RouterState::runningWrites).sum()
                            + " write statement(s) did not end within drainTimeout, through "
                            + writing.stream().map(RouterState::router).collect(Collectors.joining(", "))
                            + "; they are not ended unless spec.forceAfter is set");
        }
        // Transactions that are still open are ended at MySQL; whoever is silent is shut out there.
        boolean complete = states.stream().allMatch(state -> state.answered() && state.epoch() >= epoch);
        return new Drained(complete, reads(states));
    }

    private static Map<String, Set<Long>> reads(List<RouterState> states) {
        var all = new HashMap<String, Set<Long>>();
        for (var state : states) {
            state.runningReads()
                    .forEach((shard, sessions) ->
                            all.computeIfAbsent(shard, _ -> new HashSet<>()).addAll(sessions));
        }
        return all;
    }
}
