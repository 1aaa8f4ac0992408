package dev.shardwright.reshard.cutover;

import dev.shardwright.reshard.cutover.Outcome.Flipped;
import dev.shardwright.reshard.cutover.Outcome.NotReady;
import dev.shardwright.reshard.cutover.Outcome.Reverted;
import dev.shardwright.reshard.cutover.Outcome.Unfinished;
import dev.shardwright.reshard.workflow.Entries;
import dev.shardwright.reshard.workflow.TopologyWriter.Impossible;
import dev.shardwright.reshard.workflow.WorkflowRequest.Settings;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import dev.shardwright.topology.store.TopologyStore.Versioned;
import dev.shardwright.topology.store.TopologyStoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt to hand the key space of some shards to others, or the rest of an attempt that a crash
 * interrupted. Everything that must survive is in the topology before it is acted upon: the fence entry with
 * its attempt number is the intent. Errors of the JVM pass through untouched, as a crash would. For one use.
 */
public final class Switchover {
    /** What of switchTimeout is kept for the undo, but at most a third. */
    private static final Duration UNDO_RESERVE = Duration.ofMillis(750);

    private static final Logger log = LoggerFactory.getLogger(Switchover.class);

    private final World world;
    private final Sides sides;
    private final Settings settings;
    private final StepListener listener;
    private final FenceEdits edits;
    private final boolean force;
    private final Steps steps;
    private final Servers servers;
    private final Servers aside;
    private final HandOver handOver;
    private boolean interrupted;

    /** {@code force}: write statements that do not end in time are ended. */
    public Switchover(World world, Sides sides, Settings settings, boolean force, StepListener listener) {
        this.world = world;
        this.sides = sides;
        this.settings = settings;
        this.force = force;
        this.listener = listener;
        this.edits = new FenceEdits(sides);
        this.steps = new Steps(listener);
        this.servers = new Servers(world.admins());
        this.aside = new Servers(world.admins());
        this.handOver = new HandOver(world, sides, settings, force, steps, servers, aside);
    }

    /** Begins a new attempt, if all is ready for it, and brings it to an end. */
    public Outcome run() {
        try (servers;
                aside) {
            var read = world.topology().read();
            var entry = Entries.get(read.topology(), sides.workflowUid());
            servers.openAlone(sides.all(entry));
            var readiness = new Readiness(world, sides, read.topology(), entry);
            var obstacle = steps.get(Step.READY, () -> readiness.obstacle(servers, force));
            if (obstacle.isPresent()) {
                return obstacle.get();
            }
            aside.open(sides.all(entry));
            // Most of the work is done before the clock runs.
            var problems = ObjectMove.bring(world.admins(), sides, read.topology(), entry);
            if (!problems.isEmpty()) {
                return new NotReady(true, "ObjectsNotMovable", String.join("; ", problems));
            }
            handOver.counted(new CatchUp(servers, sides, entry).raiseCounters());
            obstacle = admit(readiness, read, entry);
            return obstacle.isPresent() ? obstacle.get() : begin(read, entry);
        } catch (SQLException e) {
            return new NotReady(false, "ServerUnreachable", message(e));
        }
    }

    /**
     * Brings an interrupted attempt to an end: onwards if {@code goOn} and it has not been decided otherwise, else
     * back; only forward once it has flipped.
     */
    public Outcome resume(boolean goOn) {
        interrupted = true;
        try (servers;
                aside) {
            var topology = world.topology().read().topology();
            var entry = Entries.get(topology, sides.workflowUid());
            servers.openAlone(sides.from(entry));
            if (edits.state(topology, entry) == ShardState.Unfencing) {
                return finishUndo(entry.attempt(), "Resumed", "an interrupted undo has been brought to an end");
            }
            return goOn
                    ? takeOver(entry, entry.attempt())
                    : undo(entry.attempt(), "GoalChanged", "the goal has changed during the switchover");
        } catch (SQLException e) {
            return new Unfinished("ServerUnreachable", message(e));
        }
    }

    private Outcome takeOver(WorkflowEntry entry, int attempt) throws SQLException {
        try {
            servers.openAlone(sides.to(entry));
            aside.open(sides.all(entry));
        } catch (SQLException e) {
            return undo(attempt, "ServerUnreachable", message(e));
        }
        var deadline = deadline();
        Topology fenced;
        try {
            fenced = steps.get(Step.MARK_FENCED, () -> world.topology().apply(edits.takeOver(attempt + 1)));
        } catch (Impossible e) {
            return new Unfinished("TopologyChanged", message(e));
        }
        return handOver(fenced, attempt + 1, deadline);
    }

    /** The last that is done before the clock runs; empty when it may. */
    private Optional<NotReady> admit(Readiness readiness, Versioned read, WorkflowEntry entry) {
        Optional<NotReady> obstacle;
        try {
            steps.run(Step.ADMIT, () -> handOver.admit(entry));
            handOver.rehearse(read, entry);
            handOver.awaitConnections();
            obstacle = readiness.newObstacle(servers, force);
        } catch (SQLException e) {
            obstacle = Optional.of(new NotReady(false, "ServerUnreachable", message(e)));
        } catch (Impossible e) {
            obstacle = Optional.of(new NotReady(false, "TopologyChanged", message(e)));
        } catch (TopologyStoreException e) {
            obstacle = Optional.of(new NotReady(false, "TopologyUnreachable", message(e)));
        } catch (RuntimeException e) {
            dismiss(entry);
            throw e;
        }
        if (obstacle.isPresent()) {
            dismiss(entry);
        }
        return obstacle;
    }

    private Outcome begin(Versioned read, WorkflowEntry entry) throws SQLException {
        int attempt = entry.attempt() + 1;
        var deadline = deadline();
        Topology fenced;
        try {
            fenced = steps.get(Step.MARK_FENCED, () -> world.topology().apply(read, edits.fence(attempt)));
        } catch (Impossible e) {
            dismiss(entry);
            return new NotReady(false, "TopologyChanged", message(e));
        } catch (TopologyStoreException e) {
            return new Unfinished("TopologyUnreachable", message(e));
        }
        return handOver(fenced, attempt, deadline);
    }

    private Deadline deadline() {
        var third = settings.switchTimeout().dividedBy(3);
        return Deadline.in(settings.switchTimeout().minus(third.compareTo(UNDO_RESERVE) < 0 ? third : UNDO_RESERVE));
    }

    private Outcome handOver(Topology fenced, int attempt, Deadline deadline) {
        Topology flipped;
        try {
            flipped = handOver.run(fenced, attempt, deadline);
        } catch (Undone e) {
            return undo(attempt, e.reason(), message(e));
        } catch (SQLException e) {
            return undo(attempt, "ServerFailed", message(e));
        } catch (RuntimeException e) {
            // Also when the outcome of the flip is unknown: the undo begins with a compare-and-set that tells.
            return undo(attempt, "SwitchFailed", message(e));
        }
        return goForward(flipped);
    }

    private Outcome goForward(Topology flipped) {
        try {
            var after = new AfterFlip(world, sides, listener);
            var entry = Entries.get(flipped, sides.workflowUid());
            steps.run(Step.OPEN, () -> after.openAtOnce(servers, entry));
            after.openForGood(servers, entry);
            after.wayBack(servers, flipped, entry);
            after.close(servers, entry, true);
        } catch (SQLException | RuntimeException e) {
            // The flip stands; whoever calls next brings the rest to an end and says what keeps it.
            return new Flipped(steps.timeline());
        }
        return new Flipped(steps.timeline());
    }

    private Outcome undo(int attempt, String reason, String message) {
        try {
            steps.run(Step.MARK_UNFENCING, () -> world.topology().apply(edits.unfencing(attempt)));
        } catch (Impossible e) {
            return afterConflict(message(e));
        } catch (TopologyStoreException e) {
            return new Unfinished("TopologyUnreachable", message + "; and then: " + message(e));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return finishUndo(attempt, reason, message);
    }

    /** The undo was refused: perhaps because the flip has won after all. */
    private Outcome afterConflict(String message) {
        var topology = world.topology().read().topology();
        var entry = Entries.get(topology, sides.workflowUid());
        return edits.flipped(entry) ? goForward(topology) : new Unfinished("TopologyChanged", message);
    }

    private Outcome finishUndo(int attempt, String reason, String message) {
        try {
            var entry = Entries.get(world.topology().read().topology(), sides.workflowUid());
            steps.run(Step.THAW, () -> servers.each(sides.from(entry), Switchover::thaw));
            boolean newToken = interrupted || handOver.tokensMayBeRaised();
            var edit = edits.serving(attempt, newToken ? entry.token() : entry.token() - 1);
            steps.run(Step.MARK_SERVING, () -> world.topology().apply(edit));
            dismiss(entry);
        } catch (SQLException e) {
            return new Unfinished("UndoWaitsForServer", message + "; the undo waits: " + message(e));
        } catch (Impossible | TopologyStoreException e) {
            return new Unfinished("TopologyUnreachable", message + "; the undo waits: " + message(e));
        }
        return new Reverted(reason, message, steps.timeline());
    }

    /** Those that were to serve need nobody's connections for now. Nobody can write there, so that it may fail. */
    private void dismiss(WorkflowEntry entry) {
        try {
            servers.each(sides.to(entry), (member, all) -> {
                all.of(member).dismiss();
                return true;
            });
        } catch (SQLException | RuntimeException e) {
            log.info("users may still log in to shards that do not serve, where they can't write: {}", message(e));
        }
    }

    private static boolean thaw(Member member, Servers servers) throws SQLException {
        try {
            servers.of(member).thaw();
        } catch (SQLException e) {
            // The connection may have broken with a fence statement in flight: it must not come after the thaw.
            servers.reopenAlone(member).thaw();
        }
        return true;
    }

    private static String message(Throwable e) {
        var message = e.getMessage();
        return message == null ? e.toString() : message;
    }
}
