package dev.shardwright.reshard.mover;

import dev.shardwright.api.VSchema;
import dev.shardwright.reshard.copy.ThrottleLimits;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that one mover needs to know, as JSON in {@code mover.json} (credentials come separately).
 *
 * @param stream names this stream's checkpoint in the targets: {@link #streamName}
 * @param token fencing token: a mover whose token is not the one in a target's {@code
 *     _shardwright.fencing} for this workflow can write no more
 * @param startFrom null: copy, catch up, verify, then keep streaming; a gtid set: only stream the
 *     changes after it (the way back)
 * @param throttle how far the copy, and then the comparison, may burden the source
 */
public record MoverSpec(
        String workflowUid,
        String workflowName,
        String keyspace,
        String stream,
        long token,
        Peer source,
        List<Peer> targets,
        VSchema vschema,
        @Nullable String startFrom,
        ThrottleLimits throttle) {

    public MoverSpec {
        targets = List.copyOf(targets);
    }

    public MoverSpec with(ThrottleLimits limits) {
        return new MoverSpec(
                workflowUid, workflowName, keyspace, stream, token, source, targets, vschema, startFrom, limits);
    }

    /** A shard's server; {@code uid} is checked against {@code _shardwright.identity} on every connection. */
    public record Peer(String uid, KeyRange range, Endpoint endpoint) {}

    /** A stream's name: its workflow and the shard that it reads. A copy and a later way back differ by source. */
    public static String streamName(String workflowUid, String sourceUid) {
        return workflowUid + "/" + sourceUid;
    }
}
