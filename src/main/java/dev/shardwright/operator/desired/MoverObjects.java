package dev.shardwright.operator.desired;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.List;
import java.util.Map;

/**
 * The Kubernetes objects of one mover: a Deployment of one pod, which is replaced, never doubled, when its
 * specification changes. Should two ever run, the fencing token decides.
 */
public final class MoverObjects {
    public static final int MANAGEMENT_PORT = 8080;
    public static final String MOVER_JSON = "mover.json";
    private static final String SPEC = "spec";
    private static final String SPEC_DIRECTORY = "/etc/shardwright/mover";
    private static final String CREDENTIALS = "credentials";
    private static final String CREDENTIALS_DIRECTORY = "/etc/shardwright/credentials";
    private static final String SPEC_HASH = "shardwright.dev/spec-hash";

    private MoverObjects() {}

    /**
     * The objects.
     *
     * @param stream the stream's whole name
     * @param json the mover's specification
     * @param owner what they go away with
     */
    public static List<HasMetadata> of(
            String namespace, String keyspace, String stream, String json, OwnerReference owner, Runtime runtime) {
        var metadata = new ObjectMetaBuilder()
                .withName(Names.mover(keyspace, stream))
                .withNamespace(namespace)
                .withLabels(Labels.mover(keyspace, stream))
                .withOwnerReferences(owner)
                .build();
        return List.of(config(metadata, json), deployment(metadata, keyspace, stream, json, runtime));
    }

    private static ConfigMap config(ObjectMeta metadata, String json) {
        return new ConfigMapBuilder()
                .withMetadata(metadata)
                .addToData(MOVER_JSON, json)
                .build();
    }

    private static Deployment deployment(
            ObjectMeta metadata, String keyspace, String stream, String json, Runtime runtime) {
        return new DeploymentBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withReplicas(1)
                .withNewStrategy()
                .withType("Recreate")
                .endStrategy()
                .withNewSelector()
                .withMatchLabels(Labels.moverSelector(keyspace, stream))
                .endSelector()
                .withTemplate(pod(metadata, keyspace, json, runtime))
                .endSpec()
                .build();
    }

    private static PodTemplateSpec pod(ObjectMeta metadata, String keyspace, String json, Runtime runtime) {
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(metadata.getLabels())
                .withAnnotations(Map.of(SPEC_HASH, Names.fingerprint(json)))
                .endMetadata()
                .withNewSpec()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                // Nothing it does needs to end well: its progress is in the targets.
                .withTerminationGracePeriodSeconds(5L)
                .withSecurityContext(Restricted.pod(Restricted.OURS))
                .withContainers(container(runtime))
                .withVolumes(Restricted.tmp(), spec(metadata.getName()), credentials(keyspace))
                .endSpec()
                .build();
    }

    private static Container container(Runtime runtime) {
        return new ContainerBuilder()
                .withName(Labels.MOVER)
                .withImage(runtime.image())
                .withImagePullPolicy(runtime.pullPolicy())
                .withArgs(
                        "mover",
                        "--spec=" + SPEC_DIRECTORY + "/" + MOVER_JSON,
                        "--credentials=" + CREDENTIALS_DIRECTORY,
                        "--management=0.0.0.0:" + MANAGEMENT_PORT)
                .withSecurityContext(Restricted.container())
                .withResources(Restricted.modest("100m", "256Mi", "1Gi"))
                .addNewPort()
                .withName("management")
                .withContainerPort(MANAGEMENT_PORT)
                .endPort()
                .addToVolumeMounts(
                        Restricted.mount(SPEC, SPEC_DIRECTORY, true),
                        Restricted.mount(CREDENTIALS, CREDENTIALS_DIRECTORY, true),
                        Restricted.mount(Restricted.TMP, "/tmp", false))
                .build();
    }

    private static Volume spec(String configMap) {
        return new VolumeBuilder()
                .withName(SPEC)
                .withNewConfigMap()
                .withName(configMap)
                .endConfigMap()
                .build();
    }

    private static Volume credentials(String keyspace) {
        return new VolumeBuilder()
                .withName(CREDENTIALS)
                .withNewSecret()
                .withSecretName(Names.accounts(keyspace))
                .addNewItem("mover-password", null, "mover-password")
                .endSecret()
                .build();
    }
}
