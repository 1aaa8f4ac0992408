package dev.shardwright.app;

import dev.shardwright.operator.desired.Runtime;
import dev.shardwright.operator.mapping.Applier;
import dev.shardwright.operator.mapping.Credentials;
import dev.shardwright.operator.mapping.LeaseLeadership;
import dev.shardwright.operator.mapping.Management;
import dev.shardwright.operator.mapping.Worlds;
import dev.shardwright.operator.reconcile.OperatorParts;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Puts the operator together. */
@Singleton
public final class OperatorBeans {
    private static final String LEASE = "shardwright-operator";
    private static final Duration LEASE_DURATION = Duration.ofSeconds(15);
    private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
    private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);

    private final String identity;
    private final String namespace;
    private final Runtime runtime;

    public OperatorBeans(
            @ConfigProperty(name = "shardwright.pod") Optional<String> pod,
            @ConfigProperty(name = "shardwright.namespace") String namespace,
            @ConfigProperty(name = "shardwright.image") String image,
            @ConfigProperty(name = "shardwright.image-pull-policy") String pullPolicy) {
        // A container that is started again in the same pod goes on at once with the Lease of the one that has ended.
        // Outside of a pod nothing says that there is no other process of the same name.
        this.identity = pod.orElseGet(() -> "shardwright-operator-" + UUID.randomUUID());
        this.namespace = namespace;
        this.runtime = new Runtime(image, pullPolicy);
    }

    @Produces
    @Singleton
    @Unremovable
    LeaderElectionConfiguration leaderElection(Stopping stopping) {
        var callbacks = new LeaderCallbacks(() -> {}, stopping::leaseIsLost, leader -> {});
        return new LeaderElectionConfiguration(
                LEASE, namespace, LEASE_DURATION, RENEW_DEADLINE, RETRY_PERIOD, identity, callbacks, false);
    }

    @Produces
    @Singleton
    @Unremovable
    LeaseLeadership leadership(KubernetesClient client) {
        return new LeaseLeadership(client, namespace, LEASE, identity);
    }

    @Produces
    @Singleton
    OperatorParts parts(KubernetesClient client, LeaseLeadership leadership) {
        var clock = Clock.systemUTC();
        var credentials = new Credentials(client);
        var applier = new Applier(client, clock);
        var worlds = new Worlds(
                client,
                credentials,
                applier,
                new Management(),
                leadership,
                runtime,
                DieBefore.fromEnvironment(),
                clock);
        return new OperatorParts(client, worlds, credentials, applier, runtime, clock);
    }
}
