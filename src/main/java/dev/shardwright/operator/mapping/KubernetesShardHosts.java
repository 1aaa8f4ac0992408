package dev.shardwright.operator.mapping;

import dev.shardwright.api.Condition;
import dev.shardwright.api.Keyspace;
import dev.shardwright.api.Shard;
import dev.shardwright.operator.desired.Labels;
import dev.shardwright.operator.desired.Names;
import dev.shardwright.operator.desired.ShardResource;
import dev.shardwright.reshard.workflow.ShardHosts;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.function.Supplier;

/** Shards as Shard resources, which the Keyspace owns. */
public final class KubernetesShardHosts implements ShardHosts {
    private final KubernetesClient client;
    private final Supplier<Keyspace> keyspace;

    /** {@code keyspace}: as it is now. */
    public KubernetesShardHosts(KubernetesClient client, Supplier<Keyspace> keyspace) {
        this.client = client;
        this.keyspace = keyspace;
    }

    @Override
    public Provision provision(Member member) {
        var owner = keyspace.get();
        var namespace = owner.getMetadata().getNamespace();
        var shard = client.resources(Shard.class)
                .inNamespace(namespace)
                .withName(member.name())
                .get();
        if (shard == null) {
            client.resource(ShardResource.of(owner, member.name(), member.range(), member.uid()))
                    .create();
            return new Provision.Pending("has just been asked for");
        }
        if (!shard.getSpec().uid().equals(member.uid())) {
            return new Provision.Pending("a Shard of this name with another uid ("
                    + shard.getSpec().uid() + ") is there: remove it if its data is not needed");
        }
        return ready(shard)
                ? new Provision.Ready(Names.endpoint(member.name(), namespace))
                : new Provision.Pending(why(shard));
    }

    @Override
    public boolean retire(Member member) {
        var namespace = keyspace.get().getMetadata().getNamespace();
        var shard = client.resources(Shard.class)
                .inNamespace(namespace)
                .withName(member.name())
                .get();
        if (shard != null && shard.getSpec().uid().equals(member.uid())) {
            client.resource(shard).delete();
            return false;
        }
        var selector = Labels.shardSelector(member.name());
        return client.apps()
                                .statefulSets()
                                .inNamespace(namespace)
                                .withName(member.name())
                                .get()
                        == null
                && client.pods()
                        .inNamespace(namespace)
                        .withLabels(selector)
                        .list()
                        .getItems()
                        .isEmpty();
    }

    private static boolean ready(Shard shard) {
        return shard.getStatus() != null
                && shard.getStatus().conditions().stream()
                        .anyMatch(condition ->
                                condition.type().equals(Condition.READY) && condition.status() == Condition.Truth.True);
    }

    private static String why(Shard shard) {
        return shard.getStatus() == null
                ? "has just been asked for"
                : shard.getStatus().conditions().stream()
                        .filter(condition -> condition.type().equals(Condition.READY))
                        .map(Condition::message)
                        .findFirst()
                        .orElse("starting");
    }
}
