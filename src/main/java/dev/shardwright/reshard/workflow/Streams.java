package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.copy.ThrottleLimits;
import dev.shardwright.reshard.mover.MoverSpec;
import dev.shardwright.reshard.mover.MoverSpec.Peer;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The streams that keep the shards that do not serve equal to those that do.
 *
 * <p>A shard that begins to serve again starts a stream under a new name, so that the checkpoint of its
 * earlier stream is never taken for one of the new. {@code WorkflowEntry.reverseFrom} holds, for each shard
 * that ever took over, where its stream starts; a source that has only served from the beginning has none and
 * starts with a copy.
 */
public final class Streams {
    private Streams() {}

    /** From the sources to the targets. */
    public static List<MoverSpec> forward(Topology topology, WorkflowEntry entry) {
        return specs(topology, entry, entry.sources(), entry.targets());
    }

    /** From the targets back to the sources; empty before the targets served for the first time. */
    public static List<MoverSpec> back(Topology topology, WorkflowEntry entry) {
        return specs(topology, entry, entry.targets(), entry.sources()).stream()
                .filter(spec -> spec.startFrom() != null)
                .toList();
    }

    /** The stream that reads {@code shard}. */
    public static String name(WorkflowEntry entry, Member shard) {
        return name(entry, shard, entry.reverseFrom().get(shard.uid()));
    }

    private static String name(WorkflowEntry entry, Member shard, @Nullable String startFrom) {
        var base = MoverSpec.streamName(entry.uid(), shard.uid());
        if (startFrom == null) {
            return base;
        }
        var crc = new CRC32();
        crc.update(startFrom.getBytes(StandardCharsets.UTF_8));
        return base + "/" + "%08x".formatted(crc.getValue());
    }

    private static List<MoverSpec> specs(
            Topology topology, WorkflowEntry entry, List<Member> sources, List<Member> targets) {
        return sources.stream()
                .map(source -> {
                    var startFrom = entry.reverseFrom().get(source.uid());
                    return new MoverSpec(
                            entry.uid(),
                            entry.name(),
                            topology.keyspace(),
                            name(entry, source, startFrom),
                            entry.token(),
                            peer(source),
                            targets.stream()
                                    .filter(target -> target.range().overlaps(source.range()))
                                    .map(Streams::peer)
                                    .toList(),
                            topology.vschema(),
                            startFrom,
                            ThrottleLimits.DEFAULT);
                })
                .toList();
    }

    private static Peer peer(Member member) {
        return new Peer(member.uid(), member.range(), endpoint(member));
    }

    /** IllegalStateException while its server is still being made. */
    public static Endpoint endpoint(Member member) {
        var endpoint = member.primary();
        if (endpoint == null) {
            throw new IllegalStateException("shard " + member.name() + " has no server yet");
        }
        return endpoint;
    }
}
