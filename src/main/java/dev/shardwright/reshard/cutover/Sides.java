package dev.shardwright.reshard.cutover;

import dev.shardwright.reshard.mover.MoverSpec;
import dev.shardwright.reshard.workflow.Phase;
import dev.shardwright.reshard.workflow.Streams;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who hands over to whom: the same dance in both directions.
 *
 * @param back false: the workflow's sources hand over to its targets; true: the way back
 */
public record Sides(String workflowUid, boolean back) {

    /** The shards that serve before. */
    public List<Member> from(WorkflowEntry entry) {
        return back ? entry.targets() : entry.sources();
    }

    /** The shards that serve after. */
    public List<Member> to(WorkflowEntry entry) {
        return back ? entry.sources() : entry.targets();
    }

    /** The streams that fill {@code to}. */
    public List<MoverSpec> streams(Topology topology, WorkflowEntry entry) {
        return back ? Streams.back(topology, entry) : Streams.forward(topology, entry);
    }

    /** The streams that ran before the last switchover, against {@link #streams}. */
    public List<MoverSpec> opposite(Topology topology, WorkflowEntry entry) {
        return new Sides(workflowUid, !back).streams(topology, entry);
    }

    /** The phase while it is under way. */
    public Phase during() {
        return back ? new Phase.RollingBack() : new Phase.Switching();
    }

    /** The phase once it is done. */
    public Phase after() {
        return back ? new Phase.RolledBack() : new Phase.Switched();
    }

    /** The phase to return to when it is undone. */
    public Phase before(WorkflowEntry entry) {
        if (back) {
            return new Phase.Switched();
        }
        boolean servedBefore =
                entry.sources().stream().anyMatch(source -> entry.reverseFrom().containsKey(source.uid()));
        return servedBefore ? new Phase.RolledBack() : new Phase.Verified();
    }

    public List<Member> all(WorkflowEntry entry) {
        return Stream.concat(from(entry).stream(), to(entry).stream()).toList();
    }
}
