package dev.shardwright.topology;

import dev.shardwright.api.VSchema;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Documents for tests: shard {@code 40-80} has the uid {@code u-40-80}. */
public final class Topologies {
    public static final VSchema VSCHEMA = new VSchema(
            VSchema.UnlistedTables.FirstShard,
            List.of(new VSchema.VindexSpec("by_channel", "xxhash")),
            List.of(new VSchema.TableSpec(
                    "messages",
                    List.of(new VSchema.ColumnVindex(
                            List.of(new VSchema.ShardKeyColumn("channel_id", "bigint", null)), "by_channel")))));

    private Topologies() {}

    public static Topology of(long epoch, String... ranges) {
        return new Topology(
                Topology.FORMAT,
                "chat",
                epoch,
                Arrays.stream(ranges).map(Topologies::serving).toList(),
                List.of(),
                VSCHEMA);
    }

    /** {@code c0-} is to become {@code c0-e0} and {@code e0-}. */
    public static Topology splitting(long epoch) {
        return with(of(epoch, "-c0", "c0-"), split("w1", 0, "c0-", "c0-e0", "e0-"));
    }

    public static WorkflowEntry split(String uid, int attempt, String source, String... targets) {
        return new WorkflowEntry(
                uid,
                "split-" + uid,
                List.of(member(source)),
                Arrays.stream(targets).map(Topologies::member).toList(),
                "Copying",
                attempt,
                1,
                Map.of(),
                Map.of());
    }

    public static Member member(String range) {
        var shard = serving(range);
        return new Member(shard.range(), shard.uid(), shard.name(), shard.primary());
    }

    public static ShardEntry serving(String range) {
        return shard(range, ShardState.Serving, null, 0);
    }

    public static ShardEntry shard(String range, ShardState state, String by, int attempt) {
        var parsed = KeyRange.parse(range);
        return new ShardEntry(
                parsed,
                "u-" + parsed.inName(),
                "chat-" + parsed.inName(),
                state,
                by,
                attempt,
                new Endpoint("127.0.0.1", 3306),
                List.of());
    }

    public static Topology with(Topology topology, WorkflowEntry... workflows) {
        return new Topology(
                topology.format(),
                topology.keyspace(),
                topology.epoch(),
                topology.shards(),
                List.of(workflows),
                topology.vschema());
    }

    public static Topology withShards(Topology topology, ShardEntry... shards) {
        return new Topology(
                topology.format(),
                topology.keyspace(),
                topology.epoch(),
                List.of(shards),
                topology.workflows(),
                topology.vschema());
    }

    public static Topology withShard(Topology topology, String range, UnaryOperator<ShardEntry> change) {
        var shards = new ArrayList<>(topology.shards());
        shards.replaceAll(shard -> shard.range().equals(KeyRange.parse(range)) ? change.apply(shard) : shard);
        return withShards(topology, shards.toArray(ShardEntry[]::new));
    }

    public static Topology next(Topology topology) {
        return new Topology(
                topology.format(),
                topology.keyspace(),
                topology.epoch() + 1,
                topology.shards(),
                topology.workflows(),
                topology.vschema());
    }
}
