package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.mover.MoverSpec;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** The two ways in which a workflow ends: completed, or cancelled. */
final class Endings {
    private static final String COMPLETED = "the targets serve and the sources are retired";
    private static final String CANCELLED = "the sources serve as before; nothing is left of the targets";

    private final WorkflowPorts ports;
    private final TopologyWriter writer;
    private final Handovers handovers;

    Endings(WorkflowPorts ports, TopologyWriter writer, Handovers handovers) {
        this.ports = ports;
        this.writer = writer;
        this.handovers = handovers;
    }

    /** Switched -> Completing -> Retiring. */
    WorkflowReport complete(Situation situation) throws SQLException {
        var uid = situation.request().uid();
        if (situation.phase() instanceof Phase.Switched) {
            if (!handovers.converge(situation)) {
                return Reports.going(
                        situation.phase(),
                        "WaitingForReads",
                        "the targets serve; the last reads on the sources are ending",
                        Reports.SOON);
            }
            writer.apply(Entries.toPhase(uid, situation.phase(), new Phase.Completing()));
            return Reports.going(
                    new Phase.Completing(), "Completing", "the streams back are being stopped", Reports.AT_ONCE);
        }
        if (!stopAll(situation.topology(), situation.entry())) {
            return Reports.going(situation.phase(), "Completing", "the streams back are being stopped", Reports.SOON);
        }
        writer.apply(Entries.toPhase(uid, situation.phase(), new Phase.Retiring()));
        return Reports.going(new Phase.Retiring(), "Retiring", "the sources are being retired", Reports.AT_ONCE);
    }

    /** Completing -> Switched: the streams back are started again and go on from their checkpoints. */
    WorkflowReport reopen(Situation situation) {
        writer.apply(Entries.toPhase(situation.request().uid(), situation.phase(), new Phase.Switched()));
        return Reports.going(
                new Phase.Switched(),
                "Reopened",
                "the streams back to the sources are being started again",
                Reports.AT_ONCE);
    }

    /** Retiring -> Completed. */
    WorkflowReport retire(Situation situation) {
        var entry = situation.entry();
        if (!retire(entry.sources())) {
            return Reports.going(situation.phase(), "Retiring", "the sources are being retired", Reports.SOON);
        }
        return over(situation, new Phase.Completed(), COMPLETED, Goal.Completed);
    }

    /** Any phase in which the sources serve -> Cancelling -> Cancelled. */
    WorkflowReport cancel(Situation situation) {
        var cancelling = new Phase.Cancelling();
        if (!situation.phase().equals(cancelling)) {
            writer.apply(Entries.toPhase(situation.request().uid(), situation.phase(), cancelling));
            return Reports.going(
                    cancelling, "Cancelling", "the movers are being stopped and the targets retired", Reports.AT_ONCE);
        }
        boolean stopped = stopAll(situation.topology(), situation.entry());
        if (!retire(situation.entry().targets()) || !stopped) {
            return Reports.going(
                    cancelling, "Cancelling", "the movers are being stopped and the targets retired", Reports.SOON);
        }
        return over(situation, new Phase.Cancelled(), CANCELLED, Goal.Cancelled);
    }

    /**
     * Removes the entry, once the present phase is recorded outside too: with the entry gone, that record is what
     * tells a finished workflow from one that has not begun.
     */
    private WorkflowReport over(Situation situation, Phase end, String message, Goal goal) {
        if (!situation.phase().name().equals(situation.request().reportedPhase())) {
            return Reports.going(situation.phase(), situation.phase().name(), "all but done", Reports.AT_ONCE);
        }
        writer.apply(
                topology -> Entries.find(topology, situation.request().uid()).isEmpty()
                        ? topology
                        : TopologyWriter.with(
                                topology,
                                topology.shards(),
                                Entries.without(topology, situation.request().uid())));
        return situation.goal() == goal
                ? Reports.reached(end, end.name(), message, Reports.CALM)
                : Reports.blocked(end, "TooLate", message + "; goal " + situation.goal() + " came too late");
    }

    /** The life is over as the goal wished: says for good how it ended. */
    static WorkflowReport done(Phase phase) {
        return switch (phase) {
            case Phase.Completed completed -> Reports.reached(phase, phase.name(), COMPLETED, Reports.CALM);
            case Phase.Cancelled cancelled -> Reports.reached(phase, phase.name(), CANCELLED, Reports.CALM);
            default -> {
                var end = new Phase.Cancelled();
                yield Reports.reached(end, end.name(), "cancelled before it began; nothing was touched", Reports.CALM);
            }
        };
    }

    boolean stopAll(Topology topology, WorkflowEntry entry) {
        if (entry.members().anyMatch(member -> member.primary() == null)) {
            return true; // The targets were never ready, so no mover was ever started.
        }
        boolean gone = true;
        for (var spec : Stream.concat(Streams.forward(topology, entry).stream(), Streams.back(topology, entry).stream())
                .map(MoverSpec::stream)
                .toList()) {
            gone &= ports.movers().stop(spec);
        }
        return gone;
    }

    boolean retire(List<Member> members) {
        boolean gone = true;
        for (var member : members) {
            gone &= ports.hosts().retire(member);
        }
        return gone;
    }
}
