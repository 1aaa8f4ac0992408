package dev.shardwright.operator.mapping;

import dev.shardwright.api.Keyspace;
import dev.shardwright.mysql.admin.ShardAdmin;
import dev.shardwright.operator.desired.Labels;
import dev.shardwright.operator.desired.Owned;
import dev.shardwright.operator.desired.Runtime;
import dev.shardwright.reshard.cutover.StepListener;
import dev.shardwright.reshard.workflow.Admins;
import dev.shardwright.reshard.workflow.Leadership;
import dev.shardwright.reshard.workflow.WorkflowEngine;
import dev.shardwright.reshard.workflow.WorkflowPorts;
import dev.shardwright.topology.store.ConfigMapTopologyStore;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One {@link World} for each keyspace that this operator has met. */
public final class Worlds {
    private final KubernetesClient client;
    private final Credentials credentials;
    private final Applier applier;
    private final Management management;
    private final Leadership leadership;
    private final Runtime runtime;
    private final StepListener steps;
    private final Clock clock;
    /** By namespace and name. */
    private final Map<String, Known> worlds = new ConcurrentHashMap<>();

    private record Known(String uid, World world) {}

    public Worlds(
            KubernetesClient client,
            Credentials credentials,
            Applier applier,
            Management management,
            Leadership leadership,
            Runtime runtime,
            StepListener steps,
            Clock clock) {
        this.client = client;
        this.credentials = credentials;
        this.applier = applier;
        this.management = management;
        this.leadership = leadership;
        this.runtime = runtime;
        this.steps = steps;
        this.clock = clock;
    }

    public KubernetesClient client() {
        return client;
    }

    /** The world of this very Keyspace; one of an earlier Keyspace of the same name is closed. */
    public World of(Keyspace keyspace) {
        var uid = keyspace.getMetadata().getUid();
        var key = keyspace.getMetadata().getNamespace() + "/"
                + keyspace.getMetadata().getName();
        return worlds.compute(key, (name, known) -> {
                    if (known != null && known.uid.equals(uid)) {
                        return known;
                    }
                    if (known != null) {
                        known.world.store().close();
                    }
                    return new Known(uid, create(keyspace));
                })
                .world;
    }

    private World create(Keyspace keyspace) {
        var namespace = keyspace.getMetadata().getNamespace();
        var name = keyspace.getMetadata().getName();
        var store = new ConfigMapTopologyStore(
                client, namespace, name, Labels.keyspace(name), List.of(Owned.reference(keyspace)));
        Admins admins = (uid, endpoint) -> open(namespace, name, uid, endpoint.host(), endpoint.port());
        var ports = new WorkflowPorts(
                store,
                new KubernetesShardHosts(client, () -> live(keyspace)),
                new KubernetesRouters(client, management, namespace, name),
                new KubernetesMovers(client, applier, management, namespace, name, Owned.reference(keyspace), runtime),
                admins,
                new KubernetesPrecheck(name, admins),
                leadership);
        var engine = new WorkflowEngine(ports, clock, steps);
        return new World(store, admins, engine, engine.fenceReconciler());
    }

    private ShardAdmin open(String namespace, String keyspace, String uid, String host, int port) throws SQLException {
        var accounts = credentials
                .accounts(namespace, keyspace)
                .orElseThrow(() -> new SQLException("the Secret with the operator's password is missing"));
        return ShardAdmin.open(host, port, accounts.operator(), keyspace, uid, leadership::ensure);
    }

    private Keyspace live(Keyspace keyspace) {
        var found = client.resource(keyspace).get();
        if (found == null) {
            throw new IllegalStateException("Keyspace " + keyspace.getMetadata().getName() + " is gone");
        }
        return found;
    }
}
