package dev.shardwright.operator.desired;

import dev.shardwright.api.ByteSize;
import dev.shardwright.api.Keyspace;
import dev.shardwright.api.RouterSpec;
import dev.shardwright.api.TimeSpan;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A router's pod. */
final class RouterPod {
    private static final String USERS = "users";
    private static final String TLS = "tls";
    private static final String TLS_DIRECTORY = "/etc/shardwright/tls";
    private static final String SERVER_CA = "server-ca";
    private static final String SERVER_CA_DIRECTORY = "/etc/shardwright/server-ca";
    private static final String USERS_DIRECTORY = "/etc/shardwright/users";

    /** To close what is left, and for what a second's rounding takes. */
    private static final int SPARE_SECONDS = 10;

    private RouterPod() {}

    static PodTemplateSpec template(Keyspace keyspace, Runtime runtime, Map<String, String> labels) {
        var name = keyspace.getMetadata().getName();
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withServiceAccountName(Names.router(name))
                .withAutomountServiceAccountToken(true)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(
                        gracePeriod(keyspace.getSpec().router().drain()))
                .withSecurityContext(Restricted.pod(Restricted.OURS))
                .addNewTopologySpreadConstraint()
                .withMaxSkew(1)
                .withTopologyKey("kubernetes.io/hostname")
                .withWhenUnsatisfiable("ScheduleAnyway")
                .withNewLabelSelector()
                .withMatchLabels(Labels.routerSelector(name))
                .endLabelSelector()
                .endTopologySpreadConstraint()
                .withContainers(container(keyspace, runtime))
                .withVolumes(volumes(keyspace))
                .endSpec()
                .build();
    }

    /** In seconds: the kubelet kills no router that drains as it was told. */
    private static long gracePeriod(RouterSpec.DrainSpec drain) {
        return TimeSpan.parse(drain.delay())
                        .plus(TimeSpan.parse(drain.timeout()))
                        .toSeconds()
                + SPARE_SECONDS;
    }

    private static Container container(Keyspace keyspace, Runtime runtime) {
        return new ContainerBuilder()
                .withName(Labels.ROUTER)
                .withImage(runtime.image())
                .withImagePullPolicy(runtime.pullPolicy())
                .withArgs(arguments(keyspace))
                .withSecurityContext(Restricted.container())
                .withResources(resources(keyspace))
                .addNewPort()
                .withName("mysql")
                .withContainerPort(RouterObjects.MYSQL_PORT)
                .endPort()
                .addNewPort()
                .withName("management")
                .withContainerPort(RouterObjects.MANAGEMENT_PORT)
                .endPort()
                .withReadinessProbe(probe("/readyz", 2, 3))
                .withLivenessProbe(probe("/healthz", 15, 6))
                .withStartupProbe(probe("/healthz", 1, 300))
                .withVolumeMounts(mounts(keyspace))
                .build();
    }

    private static List<VolumeMount> mounts(Keyspace keyspace) {
        var mounts = new ArrayList<VolumeMount>();
        mounts.add(Restricted.mount(USERS, USERS_DIRECTORY, true));
        mounts.add(Restricted.mount(Restricted.TMP, "/tmp", false));
        if (keyspace.getSpec().router().tls() != null) {
            mounts.add(Restricted.mount(TLS, TLS_DIRECTORY, true));
        }
        if (keyspace.getSpec().mysql().tls() != null) {
            mounts.add(Restricted.mount(SERVER_CA, SERVER_CA_DIRECTORY, true));
        }
        return mounts;
    }

    private static List<Volume> volumes(Keyspace keyspace) {
        var volumes = new ArrayList<Volume>();
        volumes.add(Restricted.tmp());
        volumes.add(secret(USERS, Names.routerUsers(keyspace.getMetadata().getName())));
        var tls = keyspace.getSpec().router().tls();
        if (tls != null) {
            volumes.add(secret(TLS, tls.secretName()));
        }
        var servers = keyspace.getSpec().mysql().tls();
        if (servers != null) {
            // Never the servers' key.
            volumes.add(Restricted.secret(SERVER_CA, servers.secretName(), "ca.crt"));
        }
        return volumes;
    }

    private static List<String> arguments(Keyspace keyspace) {
        var name = keyspace.getMetadata().getName();
        var router = keyspace.getSpec().router();
        var arguments = new ArrayList<>(List.of(
                "router",
                "--keyspace=" + name,
                "--listen=0.0.0.0:" + RouterObjects.MYSQL_PORT,
                "--management=0.0.0.0:" + RouterObjects.MANAGEMENT_PORT,
                "--topology=configmap:" + keyspace.getMetadata().getNamespace() + "/" + name,
                "--users=" + USERS_DIRECTORY + "/" + RouterObjects.USERS_JSON,
                "--buffer-timeout=" + router.bufferTimeout(),
                "--buffer-bytes=" + ByteSize.parse(router.bufferBytes()),
                "--max-connections=" + router.maxConnections(),
                "--max-connections-per-user=" + router.maxConnectionsPerUser(),
                "--max-backends=" + router.backends().maxConnections(),
                "--queue-timeout=" + router.backends().queueTimeout(),
                "--stop-delay=" + router.drain().delay(),
                "--stop-timeout=" + router.drain().timeout()));
        if (router.statementBytes() != null) {
            arguments.add("--statement-bytes=" + ByteSize.parse(router.statementBytes()));
        }
        if (router.statementTimeout() != null) {
            arguments.add("--statement-timeout=" + router.statementTimeout());
        }
        var proxies = router.proxyProtocol();
        if (proxies != null) {
            arguments.add("--proxy-protocol-from=" + String.join(",", proxies.from()));
        }
        var tls = router.tls();
        if (tls != null) {
            arguments.add("--tls=" + TLS_DIRECTORY);
            if (tls.required()) {
                arguments.add("--require-tls");
            }
        }
        var servers = keyspace.getSpec().mysql().tls();
        if (servers != null) {
            arguments.add("--server-ca=" + SERVER_CA_DIRECTORY);
            var otherwise = Names.servers(name, keyspace.getMetadata().getNamespace());
            arguments.add("--server-name=" + servers.nameFor(otherwise));
        }
        return arguments;
    }

    static boolean checksServers(PodTemplateSpec template) {
        return template.getSpec().getVolumes().stream()
                .anyMatch(volume -> volume.getName().equals(SERVER_CA));
    }

    private static ResourceRequirements resources(Keyspace keyspace) {
        return Restricted.resources(keyspace.getSpec().router().resources(), Restricted.modest("100m", "256Mi", "1Gi"));
    }

    private static Probe probe(String path, int periodSeconds, int failures) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath(path)
                .withPort(new IntOrString("management"))
                .endHttpGet()
                .withPeriodSeconds(periodSeconds)
                .withTimeoutSeconds(10)
                .withFailureThreshold(failures)
                .build();
    }

    private static Volume secret(String volume, String name) {
        return new VolumeBuilder()
                .withName(volume)
                .withNewSecret()
                .withSecretName(name)
                .endSecret()
                .build();
    }
}
