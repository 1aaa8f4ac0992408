package dev.shardwright.operator.reconcile;

import dev.shardwright.api.Keyspace;
import dev.shardwright.api.Shard;
import dev.shardwright.mysql.admin.Bootstrap;
import dev.shardwright.mysql.admin.Identity;
import dev.shardwright.operator.desired.Labels;
import dev.shardwright.operator.desired.Names;
import dev.shardwright.operator.desired.ShardObjects;
import dev.shardwright.operator.mapping.Applier;
import dev.shardwright.operator.mapping.Credentials;
import dev.shardwright.operator.mapping.World;
import dev.shardwright.operator.mapping.Worlds;
import dev.shardwright.operator.status.Problem;
import dev.shardwright.reshard.cutover.FenceReconciler;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.store.TopologyStore;
import dev.shardwright.topology.store.TopologyStoreException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a shard's MySQL server as its Keyspace says, and its fence as the topology says. */
@ControllerConfiguration(name = "shard", fieldManager = Applier.FIELD_MANAGER)
public final class ShardReconciler implements Reconciler<Shard> {
    private static final Logger log = LoggerFactory.getLogger(ShardReconciler.class);
    /** Routers do not use it. */
    private static final String STANDBY = "Standby";

    private static final Duration SOON = Duration.ofSeconds(3);
    /** A look at whether it is this server's turn to be restarted. */
    private static final Duration RESTART = Duration.ofSeconds(10);

    private static final Duration LATER = Duration.ofSeconds(30);
    private static final List<Class<? extends HasMetadata>> KINDS =
            List.of(StatefulSet.class, Service.class, ConfigMap.class);

    private final KubernetesClient client;
    private final Worlds worlds;
    private final Credentials credentials;
    private final Applier applier;
    private final TlsKeeper tls;
    private final Rollout rollout;
    private final Clock clock;

    public ShardReconciler(OperatorParts parts) {
        this.client = parts.client();
        this.worlds = parts.worlds();
        this.credentials = parts.credentials();
        this.applier = parts.applier();
        this.tls = new TlsKeeper(parts.client(), parts.credentials());
        this.rollout = new Rollout(parts.client(), parts.applier(), tls);
        this.clock = parts.clock();
    }

    @Override
    public List<EventSource<?, Shard>> prepareEventSources(EventSourceContext<Shard> context) {
        var servers = Watches.component(Labels.MYSQL);
        return List.of(
                Watches.of(context, StatefulSet.class, servers, Labels.SHARD),
                Watches.of(context, Service.class, servers, Labels.SHARD),
                Watches.of(context, Pod.class, servers, Labels.SHARD),
                Watches.of(context, ConfigMap.class, servers, Labels.SHARD),
                keyspaces(context));
    }

    /** A keyspace's change reaches all of its shards. */
    private static EventSource<Keyspace, Shard> keyspaces(EventSourceContext<Shard> context) {
        var configuration = InformerEventSourceConfiguration.from(Keyspace.class, Shard.class)
                .withSecondaryToPrimaryMapper(keyspace -> shardsOf(context, keyspace))
                .withPrimaryToSecondaryMapper((Shard shard) -> Set.of(new ResourceID(
                        shard.getSpec().keyspace(), shard.getMetadata().getNamespace())))
                // Its status changes with each of its shards'.
                .withOnUpdateFilter((now, before) -> !now.getMetadata()
                                .getGeneration()
                                .equals(before.getMetadata().getGeneration())
                        || epochDiffers(now, before))
                .build();
        return new InformerEventSource<>(configuration, context);
    }

    private static boolean epochDiffers(Keyspace now, Keyspace before) {
        return now.getStatus() != null
                && (before.getStatus() == null
                        || !java.util.Objects.equals(
                                now.getStatus().epoch(), before.getStatus().epoch()));
    }

    private static Set<ResourceID> shardsOf(EventSourceContext<Shard> context, Keyspace keyspace) {
        return context.getPrimaryCache()
                .list(
                        keyspace.getMetadata().getNamespace(),
                        shard -> shard.getSpec()
                                .keyspace()
                                .equals(keyspace.getMetadata().getName()))
                .map(ResourceID::fromResource)
                .collect(Collectors.toSet());
    }

    @Override
    public UpdateControl<Shard> reconcile(Shard shard, Context<Shard> context) {
        var state = new ShardState(Observed.of(context, KINDS), shard);
        try {
            advance(shard, state, context);
        } catch (RuntimeException e) {
            log.warn("shard {}: {}", shard.getMetadata().getName(), e.toString(), e);
            state.problem(new Problem("Retrying", String.valueOf(e.getMessage())));
        }
        var status = state.status(clock);
        var again = !state.settled() ? SOON : state.upToDate() ? LATER : RESTART;
        if (Statuses.same(shard.getStatus(), status)) {
            return UpdateControl.<Shard>noUpdate().rescheduleAfter(again);
        }
        var patch = new Shard();
        patch.setMetadata(Statuses.identity(shard));
        patch.setStatus(status);
        return UpdateControl.patchStatus(patch).rescheduleAfter(again);
    }

    private void advance(Shard shard, ShardState state, Context<Shard> context) {
        var keyspace = context.getSecondaryResource(Keyspace.class);
        if (keyspace.isEmpty() || keyspace.get().getMetadata().getDeletionTimestamp() != null) {
            state.problem(
                    new Problem("KeyspaceMissing", "Keyspace " + shard.getSpec().keyspace() + " is not there"));
            return;
        }
        var accounts = credentials.accounts(
                shard.getMetadata().getNamespace(), shard.getSpec().keyspace());
        if (accounts.isEmpty()) {
            state.problem(new Problem(
                    "SecretMissing",
                    "Secret " + Names.accounts(shard.getSpec().keyspace())
                            + " with the operator's passwords is missing"));
            return;
        }
        if (!state.initialized()) {
            applyInit(keyspace.get(), shard, accounts.get());
        }
        applyObjects(keyspace.get(), shard, state);
        if (state.podReady()) {
            var world = worlds.of(keyspace.get());
            fence(shard, state, world);
            if (state.settled()) {
                renewCertificate(keyspace.get(), shard, world);
            }
        }
    }

    /** Users whose password is missing now come later, by the keyspace's own reconciliation. */
    private void applyInit(Keyspace keyspace, Shard shard, Credentials.Accounts accounts) {
        var spec = shard.getSpec();
        var users = credentials.users(keyspace).known();
        var bootstrap = new Bootstrap(spec.keyspace(), accounts.operator(), accounts.mover(), users, true);
        var sql = bootstrap.sql(new Identity(spec.keyspace(), spec.uid(), spec.range()));
        applier.applyUnwatched(ShardObjects.init(shard, sql));
    }

    private void applyObjects(Keyspace keyspace, Shard shard, ShardState state) {
        for (var object : ShardObjects.of(keyspace, shard)) {
            if (object instanceof PodDisruptionBudget) {
                applier.applyUnwatched(object);
            } else if (object instanceof StatefulSet set) {
                rollout.apply(set, state.observed().live(object), () -> topology(keyspace), keyspace)
                        .ifPresent(state::restartWaitsFor);
            } else {
                applier.apply(object, state.observed().live(object));
            }
        }
    }

    private Optional<Topology> topology(Keyspace keyspace) {
        return worlds.of(keyspace).store().read().map(TopologyStore.Versioned::topology);
    }

    private void fence(Shard shard, ShardState state, World world) {
        var name = shard.getMetadata().getName();
        var endpoint = Names.endpoint(name, shard.getMetadata().getNamespace());
        state.endpoint(endpoint);
        try {
            // Also the proof that the server answers and is this shard.
            var topology = world.store().read();
            if (topology.isEmpty()) {
                world.admins().open(shard.getSpec().uid(), endpoint).close();
                state.answers(FenceReconciler.Result.SHUT, STANDBY);
            } else {
                var result = world.fences().reconcile(shard.getSpec().uid(), endpoint);
                state.answers(result, stateIn(topology.get().topology(), shard));
            }
            removeInit(shard);
        } catch (SQLException e) {
            state.problem(
                    new Problem("NotAnswering", "the server of shard " + name + " does not answer: " + e.getMessage()));
        } catch (TopologyStoreException e) {
            state.problem(new Problem("TopologyUnreachable", String.valueOf(e.getMessage())));
        }
    }

    private void renewCertificate(Keyspace keyspace, Shard shard, World world) {
        var name = shard.getMetadata().getName();
        var endpoint = Names.endpoint(name, shard.getMetadata().getNamespace());
        tls.renew(keyspace, name, () -> world.admins().open(shard.getSpec().uid(), endpoint));
    }

    private static String stateIn(Topology topology, Shard shard) {
        return topology.shards().stream()
                .filter(entry -> entry.uid().equals(shard.getSpec().uid()))
                .map(entry -> entry.state().name())
                .findFirst()
                .orElse(STANDBY);
    }

    /** See the volume of this Secret in the pod: without it a lost data directory can't be replaced by an empty one. */
    private void removeInit(Shard shard) {
        var secret = client.secrets()
                .inNamespace(shard.getMetadata().getNamespace())
                .withName(Names.init(shard.getMetadata().getName()));
        if (Shards.initialized(shard)) {
            Secret present = secret.get();
            if (present != null) {
                secret.delete();
            }
        }
    }
}
