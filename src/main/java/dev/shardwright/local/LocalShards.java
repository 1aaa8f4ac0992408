package dev.shardwright.local;

import dev.shardwright.api.VSchema;
import dev.shardwright.reshard.workflow.Pause;
import dev.shardwright.reshard.workflow.ShardHosts.Provision;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import dev.shardwright.topology.store.TopologyStore;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Starts the servers of all shards that the topology names, and makes the first topology when there is none. */
final class LocalShards {
    private static final int LOOK_MILLIS = 50;
    private static final int LOOKS = 3_600;

    private final String keyspace;
    private final TopologyStore store;
    private final LocalServers servers;

    LocalShards(String keyspace, TopologyStore store, LocalServers servers) {
        this.keyspace = keyspace;
        this.store = store;
        this.servers = servers;
    }

    /** Returns when all servers answer; IllegalStateException says which does not. */
    void start(List<KeyRange> initial, VSchema vschema) {
        var stored = store.read();
        if (stored.isPresent()) {
            startAll(members(stored.get().topology()));
            adopt(stored.get(), vschema);
            return;
        }
        var members = initial.stream()
                .map(range -> new Member(range, uid(), keyspace + "-" + range.inName(), null))
                .toList();
        var endpoints = startAll(members);
        var shards = new ArrayList<ShardEntry>();
        for (int i = 0; i < members.size(); i++) {
            var member = members.get(i);
            shards.add(new ShardEntry(
                    member.range(),
                    member.uid(),
                    member.name(),
                    ShardState.Serving,
                    null,
                    0,
                    endpoints.get(i),
                    List.of()));
        }
        if (!store.create(new Topology(Topology.FORMAT, keyspace, 1, shards, List.of(), vschema))) {
            throw new IllegalStateException("another process made this keyspace at the same moment: start again");
        }
    }

    private static List<Member> members(Topology topology) {
        var shards = topology.shards().stream()
                .map(shard -> new Member(shard.range(), shard.uid(), shard.name(), shard.primary()));
        var moving = topology.workflows().stream()
                .flatMap(workflow -> Stream.concat(workflow.sources().stream(), workflow.targets().stream()))
                .filter(member -> member.primary() != null);
        return Stream.concat(shards, moving).toList();
    }

    private List<Endpoint> startAll(List<Member> members) {
        // All are asked for first, so that they start side by side.
        members.forEach(servers::provision);
        return members.stream().map(this::await).toList();
    }

    private Endpoint await(Member member) {
        for (int i = 0; i < LOOKS; i++) {
            switch (servers.provision(member)) {
                case Provision.Ready(Endpoint endpoint) -> {
                    return endpoint;
                }
                case Provision.Pending(String reason)
                when reason.contains("did not start") -> throw new IllegalStateException(reason);
                case Provision.Pending _ -> Pause.millis(LOOK_MILLIS);
            }
        }
        throw new IllegalStateException("the MySQL server of shard " + member.name() + " did not start in 3 minutes");
    }

    private void adopt(TopologyStore.Versioned stored, VSchema vschema) {
        var now = stored.topology();
        if (now.vschema().equals(vschema)) {
            return;
        }
        if (!now.workflows().isEmpty()) {
            throw new IllegalStateException("the vschema can't change while workflow "
                    + now.workflows().getFirst().name() + " runs: start with the old one, end the workflow first");
        }
        store.compareAndSet(
                stored,
                new Topology(now.format(), now.keyspace(), now.epoch() + 1, now.shards(), now.workflows(), vschema));
    }

    private static String uid() {
        byte[] random = new byte[8];
        ThreadLocalRandom.current().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
