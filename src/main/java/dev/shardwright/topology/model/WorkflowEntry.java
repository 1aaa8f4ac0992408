package dev.shardwright.topology.model;

import dev.shardwright.topology.keyrange.KeyRange;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A reshard's claim on its source shards and all of its state that must not be lost.
 *
 * @param uid the workflow resource's identity; claims and fences name it
 * @param sources the shards that it splits or merges; kept whole, because a source that has left
 *     {@code Topology.shards} after the flip is still needed for the way back
 * @param targets the shards that are to take over, in range order
 * @param phase the workflow's phase by name (the workflow engine's own type reads it)
 * @param attempt number of the last switchover attempt in either direction; grows with each
 * @param token fencing token of the movers in force; grows whenever movers must be shut out
 * @param g final gtid set of each fenced server, by shard uid, once it has been read; empty before
 * @param reverseFrom where each stream of the way back starts: serving shard's uid to gtid set
 */
public record WorkflowEntry(
        String uid,
        String name,
        List<Member> sources,
        List<Member> targets,
        String phase,
        int attempt,
        long token,
        Map<String, String> g,
        Map<String, String> reverseFrom) {

    public WorkflowEntry {
        sources = List.copyOf(sources);
        targets = List.copyOf(targets);
        g = g == null ? Map.of() : Map.copyOf(g);
        reverseFrom = reverseFrom == null ? Map.of() : Map.copyOf(reverseFrom);
    }

    /** Sources and targets. */
    public Stream<Member> members() {
        return Stream.concat(sources.stream(), targets.stream());
    }

    /** Whether the shard takes part. */
    public boolean claims(String shardUid) {
        return members().anyMatch(member -> member.uid().equals(shardUid));
    }

    /** One shard that takes part; {@code primary} is null until its server answers. */
    public record Member(
            KeyRange range,
            String uid,
            String name,
            @Nullable Endpoint primary) {

        /** What it is in the topology while it serves at this server. */
        public ShardEntry serving(Endpoint server) {
            return new ShardEntry(range, uid, name, ShardState.Serving, null, 0, server, List.of());
        }
    }
}
