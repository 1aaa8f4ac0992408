package dev.shardwright.operator.desired;

import dev.shardwright.api.ByteSize;
import dev.shardwright.api.Keyspace;
import dev.shardwright.api.ResourcesSpec;
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
import java.util.List;
import java.util.Map;

/** A router's pod. */
final class RouterPod {
    private static final String USERS = "users";
    private static final String USERS_DIRECTORY = "/etc/shardwright/users";

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
                .withVolumes(Restricted.tmp(), users(name))
                .endSpec()
                .build();
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
                .addToVolumeMounts(
                        Restricted.mount(USERS, USERS_DIRECTORY, true), Restricted.mount(Restricted.TMP, "/tmp", false))
                .build();
    }

    private static List<String> arguments(Keyspace keyspace) {
        var name = keyspace.getMetadata().getName();
        var router = keyspace.getSpec().router();
        return List.of(
                "router",
                "--keyspace=" + name,
                "--listen=0.0.0.0:" + RouterObjects.MYSQL_PORT,
                "--management=0.0.0.0:" + RouterObjects.MANAGEMENT_PORT,
                "--topology=configmap:" + keyspace.getMetadata().getNamespace() + "/" + name,
                "--users=" + USERS_DIRECTORY + "/" + RouterObjects.USERS_JSON,
                "--buffer-timeout=" + router.bufferTimeout(),
                "--buffer-bytes=" + ByteSize.parse(router.bufferBytes()));
    }

    private static ResourceRequirements resources(Keyspace keyspace) {
        var asked = keyspace.getSpec().router().resources();
        return asked.equals(ResourcesSpec.NONE)
                ? Restricted.modest("100m", "256Mi", "1Gi")
                : Restricted.resources(asked);
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

    private static Volume users(String keyspace) {
        return new VolumeBuilder()
                .withName(USERS)
                .withNewSecret()
                .withSecretName(Names.routerUsers(keyspace))
                .endSecret()
                .build();
    }
}
