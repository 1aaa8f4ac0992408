package dev.shardwright.operator.reconcile;

import dev.shardwright.api.Keyspace;
import dev.shardwright.api.KeyspaceStatus;
import dev.shardwright.api.Shard;
import dev.shardwright.operator.desired.Labels;
import dev.shardwright.operator.desired.Names;
import dev.shardwright.operator.desired.RouterObjects;
import dev.shardwright.operator.desired.Runtime;
import dev.shardwright.operator.mapping.Applier;
import dev.shardwright.operator.mapping.Credentials;
import dev.shardwright.operator.mapping.KubernetesShardHosts;
import dev.shardwright.operator.mapping.World;
import dev.shardwright.operator.mapping.Worlds;
import dev.shardwright.operator.status.Problem;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a keyspace's shards, topology, users and routers as its Keyspace says. */
@ControllerConfiguration(name = "keyspace", fieldManager = Applier.FIELD_MANAGER)
public final class KeyspaceReconciler implements Reconciler<Keyspace> {
    private static final Logger log = LoggerFactory.getLogger(KeyspaceReconciler.class);
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration LATER = Duration.ofSeconds(60);
    private static final List<Class<? extends HasMetadata>> KINDS =
            List.of(Deployment.class, Service.class, ConfigMap.class, Secret.class);

    private final Worlds worlds;
    private final Credentials credentials;
    private final Applier applier;
    private final Runtime runtime;
    private final TopologyKeeper topologies;
    private final UserKeeper users;
    private final TlsKeeper tls;
    private final VSchemaKeeper vschemas = new VSchemaKeeper();
    private final Clock clock;

    public KeyspaceReconciler(OperatorParts parts) {
        this.worlds = parts.worlds();
        this.credentials = parts.credentials();
        this.applier = parts.applier();
        this.runtime = parts.runtime();
        this.clock = parts.clock();
        this.topologies = new TopologyKeeper(parts.client(), new StatusCopies(parts.client()));
        this.users = new UserKeeper(parts.client(), parts.clock());
        this.tls = new TlsKeeper(parts.client(), parts.credentials());
    }

    @Override
    public List<EventSource<?, Keyspace>> prepareEventSources(EventSourceContext<Keyspace> context) {
        var routers = Watches.component(Labels.ROUTER);
        return List.of(
                Watches.of(context, Shard.class, Labels.OURS, Labels.KEYSPACE),
                Watches.of(context, Deployment.class, routers, Labels.KEYSPACE),
                Watches.of(context, Service.class, routers, Labels.KEYSPACE),
                Watches.of(context, Pod.class, routers, Labels.KEYSPACE),
                Watches.of(context, Secret.class, Labels.OURS + ",!" + Labels.SHARD, Labels.KEYSPACE),
                Watches.of(
                        context,
                        ConfigMap.class,
                        Labels.OURS + ",!" + Labels.SHARD + ",!" + Labels.STREAM,
                        Labels.KEYSPACE));
    }

    @Override
    public UpdateControl<Keyspace> reconcile(Keyspace keyspace, Context<Keyspace> context) {
        var state = new KeyspaceState(Observed.of(context, KINDS));
        try {
            advance(keyspace, state);
        } catch (RuntimeException e) {
            log.warn("keyspace {}: {}", keyspace.getMetadata().getName(), e.toString(), e);
            state.problem(new Problem("Retrying", String.valueOf(e.getMessage())));
        }
        var status = state.status(keyspace, clock);
        var again = state.settled() ? LATER : SOON;
        return Statuses.same(keyspace.getStatus(), status)
                ? UpdateControl.<Keyspace>noUpdate().rescheduleAfter(again)
                : UpdateControl.patchStatus(withStatus(keyspace, status)).rescheduleAfter(again);
    }

    private void advance(Keyspace keyspace, KeyspaceState state) {
        var invalid = SpecCheck.problem(keyspace);
        if (invalid.isPresent()) {
            state.problem(invalid.get());
            return;
        }
        var namespace = keyspace.getMetadata().getNamespace();
        var name = keyspace.getMetadata().getName();
        if (credentials.accounts(namespace, name).isEmpty() && !accountsMadeAnew(keyspace, state)) {
            return;
        }
        var known = credentials.users(keyspace);
        known.missing().forEach(state::userProblem);
        tls.problems(keyspace).forEach(state::problem);
        var world = worlds.of(keyspace);
        switch (topologies.keep(keyspace, world)) {
            case Kept.Waiting waiting -> state.problem(waiting.problem());
            case Kept.Known kept -> serve(keyspace, state, world, known, kept.topology());
        }
    }

    private void serve(Keyspace keyspace, KeyspaceState state, World world, Credentials.Users known, Topology stored) {
        var topology = vschemas.keep(keyspace, world, stored, state);
        state.topology(topology);
        ensureShards(keyspace, state, topology);
        users.apply(keyspace, world, known.known(), servers(keyspace, state, topology))
                .ifPresent(state::userProblem);
        applyRouters(keyspace, state, known);
    }

    /** Passwords are made only while no server has been told any. */
    private boolean accountsMadeAnew(Keyspace keyspace, KeyspaceState state) {
        var secret = Names.accounts(keyspace.getMetadata().getName());
        if (state.shards().stream().anyMatch(Shards::initialized) || state.hasEpoch(keyspace)) {
            state.problem(new Problem(
                    "SecretMissing",
                    "Secret " + secret + " with the operator's own passwords is missing or incomplete, and the servers"
                            + " know no others: restore it from a backup"));
            return false;
        }
        credentials.createAccounts(keyspace);
        return true;
    }

    /** Shards that serve must exist, whoever removed them. */
    private void ensureShards(Keyspace keyspace, KeyspaceState state, Topology topology) {
        var hosts = new KubernetesShardHosts(worlds.client(), () -> keyspace);
        var present =
                state.shards().stream().map(shard -> shard.getSpec().uid()).collect(Collectors.toSet());
        topology.shards().stream()
                .filter(shard -> !present.contains(shard.uid()))
                .map(shard -> new Member(shard.range(), shard.uid(), shard.name(), shard.primary()))
                .forEach(hosts::provision);
    }

    private static List<UserKeeper.Server> servers(Keyspace keyspace, KeyspaceState state, Topology topology) {
        var namespace = keyspace.getMetadata().getNamespace();
        var taking = new ArrayList<String>();
        topology.shards().forEach(shard -> taking.add(shard.uid()));
        topology.workflows().stream()
                .flatMap(workflow -> Stream.concat(workflow.sources().stream(), workflow.targets().stream()))
                .forEach(member -> taking.add(member.uid()));
        return state.shards().stream()
                .filter(shard -> taking.contains(shard.getSpec().uid()) && Shards.ready(shard))
                .map(shard -> {
                    var name = shard.getMetadata().getName();
                    return new UserKeeper.Server(name, shard.getSpec().uid(), Names.endpoint(name, namespace));
                })
                .toList();
    }

    private void applyRouters(Keyspace keyspace, KeyspaceState state, Credentials.Users known) {
        var objects = new ArrayList<HasMetadata>();
        objects.add(RouterObjects.users(keyspace, UserKeeper.json(known.known())));
        objects.addAll(RouterObjects.of(tls.forRouters(keyspace), runtime));
        for (var object : objects) {
            if (object instanceof Deployment || object instanceof Service || object instanceof Secret) {
                applier.apply(object, state.observed().live(object));
            } else {
                applier.applyUnwatched(object);
            }
        }
    }

    static Keyspace withStatus(Keyspace keyspace, KeyspaceStatus status) {
        var patch = new Keyspace();
        patch.setMetadata(Statuses.identity(keyspace));
        patch.setStatus(status);
        return patch;
    }
}
