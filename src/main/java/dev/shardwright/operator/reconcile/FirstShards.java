package dev.shardwright.operator.reconcile;

import dev.shardwright.api.Keyspace;
import dev.shardwright.api.Shard;
import dev.shardwright.operator.desired.Labels;
import dev.shardwright.operator.desired.Names;
import dev.shardwright.operator.desired.ShardResource;
import dev.shardwright.operator.mapping.World;
import dev.shardwright.operator.status.Problem;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * From nothing to the first topology. Used only for a keyspace whose topology nobody has ever seen: shards by
 * initialShards, and once all of them are ready, epoch 1.
 */
final class FirstShards {
    private final KubernetesClient client;

    FirstShards(KubernetesClient client) {
        this.client = client;
    }

    Kept advance(Keyspace keyspace, World world) {
        var ranges =
                keyspace.getSpec().initialShards().stream().map(KeyRange::parse).toList();
        // Live: a cache that lags could hide what was made a moment ago.
        var shards = shards(keyspace);
        var obstacle = strange(keyspace, ranges, shards).or(() -> leftovers(keyspace, shards));
        if (obstacle.isPresent()) {
            return new Kept.Waiting(obstacle.get());
        }
        var missing = ranges.stream()
                .filter(range -> !shards.containsKey(name(keyspace, range)))
                .toList();
        missing.forEach(range -> client.resource(
                        ShardResource.of(keyspace, name(keyspace, range), range, ShardResource.newUid()))
                .create());
        shards.values().forEach(shard -> remakeIfStorageWasCorrected(keyspace, shard));
        return missing.isEmpty() && shards.values().stream().allMatch(Shards::ready)
                ? create(keyspace, world, ranges, shards)
                : new Kept.Waiting(progress(ranges, shards));
    }

    private Map<String, Shard> shards(Keyspace keyspace) {
        return client
                .resources(Shard.class)
                .inNamespace(keyspace.getMetadata().getNamespace())
                .withLabel(Labels.KEYSPACE, keyspace.getMetadata().getName())
                .list()
                .getItems()
                .stream()
                .filter(shard -> shard.getMetadata().getDeletionTimestamp() == null)
                .collect(Collectors.toMap(shard -> shard.getMetadata().getName(), Function.identity()));
    }

    /** Shards that this keyspace did not begin with mean that it had a topology, and that it is lost. */
    private static Optional<Problem> strange(Keyspace keyspace, List<KeyRange> ranges, Map<String, Shard> shards) {
        var expected = ranges.stream().map(range -> name(keyspace, range)).collect(Collectors.toSet());
        return shards.keySet().stream()
                .filter(name -> !expected.contains(name))
                .findFirst()
                .map(name -> new Problem(
                        "TopologyLost",
                        "Shard " + name
                                + " is there but the topology and its saved copy are not, so it can't be told which"
                                + " shards serve: restore the ConfigMap "
                                + Names.topology(keyspace.getMetadata().getName())
                                + " from a backup"));
    }

    /** A volume that no Shard of now has made holds the data of an earlier keyspace. */
    private Optional<Problem> leftovers(Keyspace keyspace, Map<String, Shard> shards) {
        var uids = shards.values().stream().map(shard -> shard.getSpec().uid()).collect(Collectors.toSet());
        var claims = client
                .persistentVolumeClaims()
                .inNamespace(keyspace.getMetadata().getNamespace())
                .withLabel(Labels.KEYSPACE, keyspace.getMetadata().getName())
                .list()
                .getItems()
                .stream()
                .filter(claim -> !uids.contains(claim.getMetadata().getLabels().get(Labels.SHARD_UID)))
                .map(claim -> claim.getMetadata().getName())
                .sorted()
                .toList();
        return claims.isEmpty()
                ? Optional.empty()
                : Optional.of(new Problem(
                        "LeftoverVolumes",
                        "volumes of an earlier keyspace of this name are there (" + String.join(", ", claims)
                                + "): remove these PersistentVolumeClaims if their data is not needed, or choose another"
                                + " keyspace name"));
    }

    /** A shard that never got its volume can still be made with another one. */
    private void remakeIfStorageWasCorrected(Keyspace keyspace, Shard shard) {
        if (Shards.initialized(shard)
                || shard.getSpec().storage().equals(keyspace.getSpec().mysql().storage())) {
            return;
        }
        var claim = client.persistentVolumeClaims()
                .inNamespace(shard.getMetadata().getNamespace())
                .withName(Names.volumeClaim(shard.getMetadata().getName()));
        PersistentVolumeClaim present = claim.get();
        if (present != null && !"Pending".equals(present.getStatus().getPhase())) {
            return;
        }
        client.resource(shard).delete();
        if (present != null) {
            claim.delete();
        }
    }

    private Kept create(Keyspace keyspace, World world, List<KeyRange> ranges, Map<String, Shard> shards) {
        var namespace = keyspace.getMetadata().getNamespace();
        var entries = ranges.stream()
                .map(range -> {
                    var name = name(keyspace, range);
                    var shard = java.util.Objects.requireNonNull(shards.get(name));
                    return new ShardEntry(
                            range,
                            shard.getSpec().uid(),
                            name,
                            ShardState.Serving,
                            null,
                            0,
                            Names.endpoint(name, namespace),
                            List.of());
                })
                .toList();
        var first = new Topology(
                Topology.FORMAT,
                keyspace.getMetadata().getName(),
                1,
                entries,
                List.of(),
                keyspace.getSpec().vschema());
        return world.store().create(first)
                ? new Kept.Known(first)
                : new Kept.Waiting(new Problem("Starting", "the topology has just been made"));
    }

    private static Problem progress(List<KeyRange> ranges, Map<String, Shard> shards) {
        var trouble = shards.values().stream()
                .flatMap(shard -> Shards.trouble(shard).stream())
                .findFirst();
        long ready = shards.values().stream().filter(Shards::ready).count();
        return trouble.orElseGet(
                () -> new Problem("Starting", ready + " of " + ranges.size() + " MySQL servers are ready"));
    }

    private static String name(Keyspace keyspace, KeyRange range) {
        return Names.shard(keyspace.getMetadata().getName(), range);
    }
}
