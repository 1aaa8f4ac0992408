package dev.shardwright.operator.reconcile;

import dev.shardwright.api.Keyspace;
import dev.shardwright.operator.desired.Names;
import dev.shardwright.operator.mapping.World;
import dev.shardwright.operator.status.Problem;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import dev.shardwright.topology.store.TopologyFormatException;
import dev.shardwright.topology.store.TopologyJson;
import dev.shardwright.topology.store.TopologyStoreException;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a keyspace's topology once, and puts back one that was deleted or spoilt, from the copy in the Keyspace's
 * status, at a higher epoch. The copy could be older than what was lost, so the servers' fences have the last
 * word: if they contradict it, nothing is restored.
 */
final class TopologyKeeper {
    private static final Logger log = LoggerFactory.getLogger(TopologyKeeper.class);

    private final KubernetesClient client;
    private final FirstShards firstShards;
    private final Copies copies;

    /** Where the copy of a topology is put before the topology itself is. */
    interface Copies {
        void save(Keyspace keyspace, Topology topology);
    }

    TopologyKeeper(KubernetesClient client, Copies copies) {
        this.client = client;
        this.firstShards = new FirstShards(client);
        this.copies = copies;
    }

    Kept keep(Keyspace keyspace, World world) {
        var saved = saved(keyspace);
        Optional<Topology> stored;
        try {
            stored = world.store().read().map(versioned -> versioned.topology());
        } catch (TopologyStoreException e) {
            if (!(e.getCause() instanceof TopologyFormatException)) {
                throw e;
            }
            return saved.map(copy -> restore(keyspace, world, copy, String.valueOf(e.getMessage())))
                    .orElseGet(
                            () -> new Kept.Waiting(new Problem("TopologyNotUsable", String.valueOf(e.getMessage()))));
        }
        if (stored.isEmpty()) {
            return saved.map(copy -> restore(keyspace, world, copy, "it was deleted"))
                    .orElseGet(() -> firstShards.advance(keyspace, world));
        }
        return saved.filter(copy -> supersedes(copy, stored.get()))
                .map(copy -> restore(
                        keyspace,
                        world,
                        copy,
                        "it was set back to epoch " + stored.get().epoch() + " or changed without a new epoch"))
                .orElseGet(() -> new Kept.Known(stored.get()));
    }

    static Optional<Topology> saved(Keyspace keyspace) {
        @Nullable
        String text = keyspace.getStatus() == null ? null : keyspace.getStatus().topology();
        return Optional.ofNullable(text).map(TopologyJson::read);
    }

    private static boolean supersedes(Topology copy, Topology stored) {
        return copy.epoch() > stored.epoch() || (copy.epoch() == stored.epoch() && !copy.equals(stored));
    }

    private Kept restore(Keyspace keyspace, World world, Topology copy, String why) {
        var contradictions = contradictions(world, copy);
        if (!contradictions.isEmpty()) {
            return new Kept.Waiting(new Problem(
                    "TopologyNotRestored",
                    "the topology has to be restored (" + why + "), but its copy of epoch " + copy.epoch()
                            + " can't be trusted: " + String.join("; ", contradictions)));
        }
        var next = new Topology(
                copy.format(), copy.keyspace(), copy.epoch() + 1, copy.shards(), copy.workflows(), copy.vschema());
        copies.save(keyspace, next);
        client.configMaps()
                .inNamespace(keyspace.getMetadata().getNamespace())
                .withName(Names.topology(copy.keyspace()))
                .delete();
        if (!world.store().create(next)) {
            return new Kept.Waiting(new Problem("Starting", "the topology is being restored"));
        }
        log.warn("restored the topology of keyspace {} at epoch {}: {}", copy.keyspace(), next.epoch(), why);
        return new Kept.Known(next);
    }

    private static List<String> contradictions(World world, Topology copy) {
        var found = new ArrayList<String>();
        for (var shard : copy.shards()) {
            if (shard.state() == ShardState.Serving) {
                check(world, shard.name(), shard.uid(), shard.primary(), true, found);
            }
        }
        var serving = copy.shards().stream().map(ShardEntry::uid).collect(Collectors.toSet());
        copy.workflows().stream()
                .flatMap(workflow -> Stream.concat(workflow.sources().stream(), workflow.targets().stream()))
                .filter(member -> !serving.contains(member.uid()))
                .forEach(member -> check(world, member, found));
        return found;
    }

    private static void check(World world, Member member, List<String> found) {
        var primary = member.primary();
        if (primary != null) {
            check(world, member.name(), member.uid(), primary, false, found);
        }
    }

    private static void check(
            World world, String name, String uid, Endpoint endpoint, boolean open, List<String> found) {
        try (var admin = world.admins().open(uid, endpoint)) {
            if (admin.fence().open() != open) {
                found.add("the server of shard " + name
                        + (open
                                ? " is fenced, though the copy says that it serves"
                                : " is open, though the copy says that it does not serve"));
            }
        } catch (SQLException e) {
            found.add("the server of shard " + name + " can't be asked (it is tried again): " + e.getMessage());
        }
    }
}
