package dev.shardwright.reshard.cutover;

import dev.shardwright.reshard.cutover.Outcome.Flipped;
import dev.shardwright.reshard.cutover.Outcome.NotReady;
import dev.shardwright.reshard.cutover.Outcome.Reverted;
import dev.shardwright.reshard.cutover.Outcome.Timing;
import dev.shardwright.reshard.cutover.Outcome.Unfinished;
import dev.shardwright.reshard.workflow.Entries;
import dev.shardwright.reshard.workflow.TopologyWriter.Impossible;
import dev.shardwright.reshard.workflow.WorkflowRequest.Settings;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.store.TopologyStore.Versioned;
import dev.shardwright.topology.store.TopologyStoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One attempt to hand the key space of some shards to others, or the rest of an attempt that a crash
 * interrupted. Everything that must survive is in the topology before it is acted upon: the fence entry with
 * its attempt number is the intent. Errors of the JVM pass through untouched, as a crash would.
 */
public final class Switchover {
    /** What of switchTimeout is kept for the undo, but at most a third. */
    private static final Duration UNDO_RESERVE = Duration.ofMillis(750);

    private final World world;
    private final Sides sides;
    private final Settings settings;
    private final StepListener listener;
    private final FenceEdits edits;
    private final boolean force;
    private final List<Timing> timings = new ArrayList<>();
    private boolean tokensMayBeRaised;

    /** {@code force}: write statements that do not end in time are ended. */
    public Switchover(World world, Sides sides, Settings settings, boolean force, StepListener listener) {
        this.world = world;
        this.sides = sides;
        this.settings = settings;
        this.force = force;
        this.listener = listener;
        this.edits = new FenceEdits(sides);
    }

    /** Begins a new attempt, if all is ready for it, and brings it to an end. */
    public Outcome run() {
        var read = world.topology().read();
        var entry = Entries.get(read.topology(), sides.workflowUid());
        try (var servers = new Servers(world.admins())) {
            servers.openAlone(sides.all(entry));
            var readiness = new Readiness(world, sides, read.topology(), entry);
            var obstacle = step(Step.READY, () -> readiness.obstacle(servers, force));
            if (obstacle.isPresent()) {
                return obstacle.get();
            }
            // Under load most of the work is done before the clock runs.
            new CatchUp(servers, sides, entry).raiseCounters();
            return begin(servers, read, entry.attempt() + 1);
        } catch (SQLException e) {
            return new NotReady(false, "ServerUnreachable", message(e));
        }
    }

    /**
     * Brings an interrupted attempt to an end: onwards if {@code goOn} and it has not been decided otherwise, else
     * back; only forward once it has flipped.
     */
    public Outcome resume(boolean goOn) {
        var topology = world.topology().read().topology();
        var entry = Entries.get(topology, sides.workflowUid());
        tokensMayBeRaised = true;
        int attempt = entry.attempt();
        try (var servers = new Servers(world.admins())) {
            servers.openAlone(sides.from(entry));
            if (edits.state(topology, entry) == ShardState.Unfencing) {
                return finishUndo(servers, attempt, "Resumed", "an interrupted undo has been brought to an end");
            }
            if (!goOn) {
                return undo(servers, attempt, "GoalChanged", "the goal has changed during the switchover");
            }
            return takeOver(servers, entry, attempt);
        } catch (SQLException e) {
            return new Unfinished("ServerUnreachable", message(e));
        }
    }

    private Outcome takeOver(Servers servers, WorkflowEntry entry, int attempt) {
        try {
            servers.openAlone(sides.to(entry));
        } catch (SQLException e) {
            return undo(servers, attempt, "ServerUnreachable", message(e));
        }
        var deadline = deadline();
        try {
            var fenced = step(Step.MARK_FENCED, () -> world.topology().apply(edits.takeOver(attempt + 1)));
            return handOver(servers, fenced, attempt + 1, deadline);
        } catch (Impossible e) {
            return new Unfinished("TopologyChanged", message(e));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Outcome begin(Servers servers, Versioned read, int attempt) throws SQLException {
        var deadline = deadline();
        Topology fenced;
        try {
            fenced = step(Step.MARK_FENCED, () -> world.topology().apply(read, edits.fence(attempt)));
        } catch (Impossible e) {
            return new NotReady(false, "TopologyChanged", message(e));
        } catch (TopologyStoreException e) {
            return new Unfinished("TopologyUnreachable", message(e));
        }
        return handOver(servers, fenced, attempt, deadline);
    }

    private Deadline deadline() {
        var third = settings.switchTimeout().dividedBy(3);
        return Deadline.in(settings.switchTimeout().minus(third.compareTo(UNDO_RESERVE) < 0 ? third : UNDO_RESERVE));
    }

    /** Steps 2 to 7, under the fence of this attempt. */
    private Outcome handOver(Servers servers, Topology fenced, int attempt, Deadline deadline) {
        Topology flipped;
        try {
            flipped = untilFlipped(servers, fenced, attempt, deadline);
        } catch (Undone e) {
            return undo(servers, attempt, e.reason(), message(e));
        } catch (SQLException e) {
            return undo(servers, attempt, "ServerFailed", message(e));
        } catch (RuntimeException e) {
            // Also when the outcome of the flip is unknown: the undo begins with a compare-and-set that tells.
            return undo(servers, attempt, "SwitchFailed", message(e));
        }
        return goForward(servers, flipped);
    }

    private Topology untilFlipped(Servers servers, Topology fenced, int attempt, Deadline deadline)
            throws SQLException {
        var entry = Entries.get(fenced, sides.workflowUid());
        var drained = step(
                Step.DRAIN, () -> Drain.run(world.routers(), fenced.epoch(), settings.drainTimeout(), force, deadline));
        step(
                Step.FREEZE,
                () -> servers.each(sides.from(entry), (member, all) -> {
                    new Fencing(member, all.of(member), drained).freeze(force);
                    return true;
                }));
        step(Step.END_SESSIONS, () -> endSessions(servers, entry, drained, deadline));
        var g = step(
                Step.READ_G,
                () -> CatchUp.byUid(servers.each(
                        sides.from(entry), (member, all) -> all.of(member).gtidExecuted())));
        var positions = catchUp(servers, fenced, entry, g, deadline);
        confirm(servers, entry, drained, g, deadline);
        return step(Step.FLIP, () -> world.topology().apply(edits.flip(attempt, g, positions)));
    }

    private boolean endSessions(Servers servers, WorkflowEntry entry, Drain.Drained drained, Deadline deadline)
            throws SQLException {
        servers.each(sides.from(entry), (member, all) -> {
            new Fencing(member, all.of(member), drained).endSessions(deadline);
            return true;
        });
        return true;
    }

    private Map<String, String> catchUp(
            Servers servers, Topology fenced, WorkflowEntry entry, Map<String, String> g, Deadline deadline)
            throws SQLException {
        var catchUp = new CatchUp(servers, sides, entry);
        done(Step.COMPARE, catchUp::compareUsers);
        done(Step.RAISE_COUNTERS, catchUp::raiseCounters);
        done(Step.APPLY_G, () -> catchUp.awaitApplied(sides.streams(fenced, entry), g, deadline));
        tokensMayBeRaised = true;
        done(Step.RAISE_TOKENS, catchUp::raiseTokens);
        return step(Step.READ_R, catchUp::positions);
    }

    /** G was final when it was read; nothing may have come in between. */
    private void confirm(
            Servers servers, WorkflowEntry entry, Drain.Drained drained, Map<String, String> g, Deadline deadline)
            throws SQLException {
        endSessions(servers, entry, drained, deadline);
        var held = servers.each(
                sides.from(entry),
                (member, all) -> new Fencing(member, all.of(member), drained).holds(g.getOrDefault(member.uid(), "")));
        if (held.containsValue(false)) {
            throw new Undone(
                    "WrittenUnderFence", "a frozen server's gtid set grew: somebody with special rights wrote to it");
        }
        deadline.check("the last checks before the flip had passed");
    }

    private Outcome goForward(Servers servers, Topology flipped) {
        try {
            var after = new AfterFlip(world, sides, listener);
            var entry = Entries.get(flipped, sides.workflowUid());
            long start = System.nanoTime();
            after.open(servers, entry);
            timings.add(new Timing(Step.OPEN, Duration.ofNanos(System.nanoTime() - start)));
            after.wayBack(servers, flipped, entry);
            after.close(servers, entry, true);
        } catch (SQLException | RuntimeException e) {
            // The flip stands; whoever calls next brings the rest to an end and says what keeps it.
            return new Flipped(timings);
        }
        return new Flipped(timings);
    }

    private Outcome undo(Servers servers, int attempt, String reason, String message) {
        try {
            step(Step.MARK_UNFENCING, () -> world.topology().apply(edits.unfencing(attempt)));
        } catch (Impossible e) {
            return afterConflict(servers, message(e));
        } catch (TopologyStoreException e) {
            return new Unfinished("TopologyUnreachable", message + "; and then: " + message(e));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return finishUndo(servers, attempt, reason, message);
    }

    /** The undo was refused: perhaps because the flip has won after all. */
    private Outcome afterConflict(Servers servers, String message) {
        var topology = world.topology().read().topology();
        var entry = Entries.get(topology, sides.workflowUid());
        return edits.flipped(entry) ? goForward(servers, topology) : new Unfinished("TopologyChanged", message);
    }

    private Outcome finishUndo(Servers servers, int attempt, String reason, String message) {
        var entry = Entries.get(world.topology().read().topology(), sides.workflowUid());
        try {
            step(
                    Step.THAW,
                    () -> servers.each(sides.from(entry), (member, all) -> {
                        thaw(member, all);
                        return true;
                    }));
            long token = tokensMayBeRaised ? entry.token() : entry.token() - 1;
            step(Step.MARK_SERVING, () -> world.topology().apply(edits.serving(attempt, token)));
        } catch (SQLException e) {
            return new Unfinished("UndoWaitsForServer", message + "; the undo waits: " + message(e));
        } catch (Impossible | TopologyStoreException e) {
            return new Unfinished("TopologyUnreachable", message + "; the undo waits: " + message(e));
        }
        return new Reverted(reason, message);
    }

    private static void thaw(dev.shardwright.topology.model.WorkflowEntry.Member member, Servers servers)
            throws SQLException {
        try {
            servers.of(member).thaw();
        } catch (SQLException e) {
            // The connection may have broken with a fence statement in flight: it must not come after the thaw.
            servers.reopenAlone(member).thaw();
        }
    }

    private interface Action<T> {
        T run() throws SQLException;
    }

    private interface Deed {
        void run() throws SQLException;
    }

    private void done(Step step, Deed deed) throws SQLException {
        step(step, () -> {
            deed.run();
            return true;
        });
    }

    private <T> T step(Step step, Action<T> action) throws SQLException {
        listener.before(step);
        long start = System.nanoTime();
        var result = action.run();
        timings.add(new Timing(step, Duration.ofNanos(System.nanoTime() - start)));
        listener.after(step);
        return result;
    }

    private static String message(Throwable e) {
        var message = e.getMessage();
        return message == null ? e.toString() : message;
    }
}
