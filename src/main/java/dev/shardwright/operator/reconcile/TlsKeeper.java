package dev.shardwright.operator.reconcile;

import dev.shardwright.api.Keyspace;
import dev.shardwright.mysql.admin.ServerCertificate;
import dev.shardwright.mysql.admin.ShardAdmin;
import dev.shardwright.operator.desired.Labels;
import dev.shardwright.operator.desired.Names;
import dev.shardwright.operator.desired.RouterObjects;
import dev.shardwright.operator.desired.ShardObjects;
import dev.shardwright.operator.mapping.Credentials;
import dev.shardwright.operator.status.Problem;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The order in which TLS between routers and servers comes and goes: routers insist on it only once all servers have
 * been started with their certificate, and servers give theirs up only once no router insists.
 */
final class TlsKeeper {
    private static final Logger log = LoggerFactory.getLogger(TlsKeeper.class);
    private static final String[] SERVER_KEYS = {"tls.crt", "tls.key", "ca.crt"};

    private final KubernetesClient client;
    private final Credentials credentials;

    TlsKeeper(KubernetesClient client, Credentials credentials) {
        this.client = client;
        this.credentials = credentials;
    }

    /** Secrets that are missing. Pods wait for them as well, and start when they are there. */
    List<Problem> problems(Keyspace keyspace) {
        var problems = new ArrayList<Problem>();
        var namespace = keyspace.getMetadata().getNamespace();
        var clients = keyspace.getSpec().router().tls();
        if (clients != null
                && !credentials
                        .missingKeys(namespace, clients.secretName(), "tls.crt", "tls.key")
                        .isEmpty()) {
            problems.add(new Problem(
                    "TlsSecretMissing",
                    "Secret " + clients.secretName()
                            + " with the routers' certificate is missing or lacks tls.crt or tls.key:"
                            + " create it, as with kubectl create secret tls " + clients.secretName()
                            + " --cert=FILE --key=FILE"));
        }
        missing(keyspace).ifPresent(what -> problems.add(new Problem("TlsSecretMissing", what)));
        return problems;
    }

    /** What the servers' Secret lacks. */
    Optional<String> missing(Keyspace keyspace) {
        var tls = keyspace.getSpec().mysql().tls();
        if (tls == null) {
            return Optional.empty();
        }
        var metadata = keyspace.getMetadata();
        var missing = credentials.missingKeys(metadata.getNamespace(), tls.secretName(), SERVER_KEYS);
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("Secret " + tls.secretName() + " with the MySQL servers' certificate lacks "
                        + String.join(", ", missing) + ": create it with tls.crt, tls.key and ca.crt, for the DNS name "
                        + tls.nameFor(Names.servers(metadata.getName(), metadata.getNamespace())));
    }

    /** The keyspace as its routers should see it now: without TLS to the servers as long as one of these has none. */
    Keyspace forRouters(Keyspace keyspace) {
        if (keyspace.getSpec().mysql().tls() == null) {
            return keyspace;
        }
        var routers = routers(
                keyspace.getMetadata().getNamespace(), keyspace.getMetadata().getName());
        // With the first routers there is nobody to disturb; and what has begun is not taken back.
        return routers == null || RouterObjects.checksServers(routers) || allServersHaveTls(keyspace)
                ? keyspace
                : withoutServerTls(keyspace);
    }

    private boolean allServersHaveTls(Keyspace keyspace) {
        return client
                .apps()
                .statefulSets()
                .inNamespace(keyspace.getMetadata().getNamespace())
                .withLabel(Labels.KEYSPACE, keyspace.getMetadata().getName())
                .withLabel(Labels.COMPONENT, Labels.MYSQL)
                .list()
                .getItems()
                .stream()
                .allMatch(set -> ShardObjects.hasCertificate(set) && Rollout.settled(set));
    }

    private static Keyspace withoutServerTls(Keyspace keyspace) {
        var copy = new Keyspace();
        copy.setMetadata(keyspace.getMetadata());
        copy.setSpec(keyspace.getSpec().withoutServerTls());
        return copy;
    }

    /** What a restart of this server, which would change its use of TLS, must wait for. */
    Optional<String> obstacle(StatefulSet desired, StatefulSet live, Keyspace keyspace) {
        if (ShardObjects.hasCertificate(desired)) {
            return missing(keyspace);
        }
        var routers = routers(
                desired.getMetadata().getNamespace(), keyspace.getMetadata().getName());
        return ShardObjects.hasCertificate(live) && routers != null && !doWithout(routers)
                ? Optional.of("the routers to connect without TLS")
                : Optional.empty();
    }

    /**
     * Has a server take up the Secret's certificate if it shows another one. The kubelet brings the files after a minute
     * or so, and until then the server is asked in vain.
     *
     * @param admin opens a connection to the server
     */
    void renew(Keyspace keyspace, String shard, Opening admin) {
        var tls = keyspace.getSpec().mysql().tls();
        if (tls == null) {
            return;
        }
        var wanted = credentials.certificate(keyspace.getMetadata().getNamespace(), tls.secretName());
        if (wanted.isEmpty()) {
            return;
        }
        try (var server = admin.open()) {
            if (ServerCertificate.renew(server.connection(), wanted.get())) {
                log.info("the server of shard {} was asked to take up the certificate of {}", shard, tls.secretName());
            }
        } catch (SQLException e) {
            log.warn(
                    "the server of shard {} goes on with the certificate that it has, as it can't use that of Secret {}: {}",
                    shard,
                    tls.secretName(),
                    e.getMessage());
        }
    }

    /** Opens an admin connection. */
    interface Opening {
        ShardAdmin open() throws SQLException;
    }

    private static boolean doWithout(Deployment routers) {
        var status = routers.getStatus();
        return !RouterObjects.checksServers(routers)
                && status != null
                && routers.getMetadata().getGeneration().equals(status.getObservedGeneration())
                && count(status.getReplicas()) == count(status.getUpdatedReplicas());
    }

    private static int count(@Nullable Integer number) {
        return number == null ? 0 : number;
    }

    private @Nullable Deployment routers(String namespace, String keyspace) {
        return client.apps()
                .deployments()
                .inNamespace(namespace)
                .withName(Names.router(keyspace))
                .get();
    }
}
