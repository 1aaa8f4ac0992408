package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.cutover.FenceReconciler;
import dev.shardwright.reshard.cutover.StepListener;
import dev.shardwright.reshard.cutover.World;
import dev.shardwright.reshard.workflow.TopologyWriter.Impossible;
import dev.shardwright.reshard.workflow.WorkflowReport.Event;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import dev.shardwright.topology.store.TopologyStoreException;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Leads the workflows of one keyspace through their lives, one step with each call: look, decide, do one thing,
 * report. Whatever it must remember is in the topology, so a new engine goes on where an old one died.
 *
 * <p>Calls for the same keyspace run one after the other; a call returns within a second or two, but the one
 * that switches over within switchTimeout and a few seconds.
 */
public final class WorkflowEngine {
    private final Lock keyspaceLock = new ReentrantLock();
    private final WorkflowPorts ports;
    private final TopologyWriter writer;
    private final Claiming claiming;
    private final Preparation preparation;
    private final Moving moving;
    private final Handovers handovers;
    private final Endings endings;
    private final Forgetting forgetting;

    public WorkflowEngine(WorkflowPorts ports, Clock clock) {
        this(ports, clock, StepListener.NONE);
    }

    /** {@code listener}: hears of the steps of switchovers, on the calling thread. */
    public WorkflowEngine(WorkflowPorts ports, Clock clock, StepListener listener) {
        this.ports = ports;
        this.writer = new TopologyWriter(ports.store(), ports.leadership());
        this.claiming = new Claiming(writer);
        this.preparation = new Preparation(ports, writer);
        this.moving = new Moving(ports, writer);
        var world = new World(writer, ports.admins(), ports.routers(), ports.movers());
        this.handovers = new Handovers(ports, world, moving, clock, listener);
        this.endings = new Endings(ports, writer, handovers);
        this.forgetting = new Forgetting(writer, endings);
    }

    /** One step towards the goal. Never throws for what a DBA can mend; IllegalStateException when leadership is lost. */
    public WorkflowReport advance(WorkflowRequest request) {
        keyspaceLock.lock();
        try {
            ports.leadership().ensure();
            return detectAndApply(request);
        } finally {
            keyspaceLock.unlock();
        }
    }

    /**
     * The workflow's resource is being deleted: gives its claim back and winds it up; see {@link Forgetting}. Returns
     * the shards that stay behind fenced with their data. TopologyStoreException: not done, try again.
     */
    public List<Member> forget(String uid, Goal goal) {
        keyspaceLock.lock();
        try {
            ports.leadership().ensure();
            return forgetting.forget(uid, goal);
        } finally {
            keyspaceLock.unlock();
        }
    }

    /** Keeps servers' fences in line with the topology, and out of the way of this engine's switchovers. */
    public FenceReconciler fenceReconciler() {
        return new FenceReconciler(writer, ports.admins(), keyspaceLock);
    }

    private WorkflowReport detectAndApply(WorkflowRequest request) {
        Topology topology;
        Situation situation;
        try {
            topology = writer.read().topology();
            situation = Situation.of(request, topology);
        } catch (TopologyStoreException e) {
            return Reports.going(lastReported(request), "TopologyUnreachable", text(e), Reports.LATER);
        } catch (Situation.ClaimLost e) {
            return Reports.blocked(lastReported(request), "ClaimLost", text(e));
        }
        return told(situation, guarded(situation));
    }

    private WorkflowReport guarded(Situation situation) {
        try {
            return apply(situation, Intent.of(situation.phase(), situation.goal()));
        } catch (SQLException e) {
            return Reports.going(situation.phase(), "ServerUnreachable", text(e), Reports.LATER);
        } catch (TopologyStoreException e) {
            return Reports.going(situation.phase(), "TopologyUnreachable", text(e), Reports.LATER);
        } catch (Impossible e) {
            return Reports.going(situation.phase(), "TopologyChanged", text(e), Reports.SOON);
        }
    }

    private WorkflowReport apply(Situation situation, Intent intent) throws SQLException {
        return switch (intent) {
            case Intent.Claim claim -> claiming.advance(situation);
            case Intent.Prepare prepare -> preparation.advance(situation);
            case Intent.Move move -> moving.advance(situation);
            case Intent.Hold hold -> handovers.hold(situation);
            case Intent.Switch toOrBack -> handovers.begin(situation, toOrBack);
            case Intent.Resume resume -> handovers.resume(situation, resume);
            case Intent.Complete complete -> endings.complete(situation);
            case Intent.Reopen reopen -> endings.reopen(situation);
            case Intent.Retire retire -> endings.retire(situation);
            case Intent.Cancel cancel -> endings.cancel(situation);
            case Intent.Done done -> Endings.done(situation.phase());
            case Intent.Refuse refuse -> Reports.blocked(situation.phase(), "GoalNotPossible", refuse.message());
        };
    }

    /** Adds the change of phase to the events. */
    private static WorkflowReport told(Situation situation, WorkflowReport report) {
        var before = situation.request().reportedPhase();
        if (report.phase().equals(before == null ? "" : before)) {
            return report;
        }
        var events = new ArrayList<>(report.events());
        events.add(new Event(
                false,
                report.phase(),
                (before == null ? "" : before + " -> ") + report.phase() + ": " + report.message()));
        return Reports.with(report, events);
    }

    private static Phase lastReported(WorkflowRequest request) {
        var reported = request.reportedPhase();
        return reported == null || reported.isEmpty() ? new Phase.Pending() : Phase.of(reported);
    }

    private static String text(Throwable e) {
        var message = e.getMessage();
        return message == null ? e.toString() : message;
    }
}
