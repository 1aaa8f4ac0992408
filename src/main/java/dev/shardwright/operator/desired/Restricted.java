package dev.shardwright.operator.desired;

import dev.shardwright.api.ResourcesSpec;
import io.fabric8.kubernetes.api.model.EmptyDirVolumeSource;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The parts of pods that satisfy the restricted Pod Security profile. */
final class Restricted {
    /** The user of our own image. */
    static final long OURS = 65532;
    /** The user of MySQL's images by convention; any would do, as nothing of the image is written to. */
    static final long MYSQL = 999;

    static final String TMP = "tmp";

    private static final int GROUP_READS = 0440;

    private Restricted() {}

    static PodSecurityContext pod(long user) {
        return new PodSecurityContextBuilder()
                .withRunAsNonRoot(true)
                .withRunAsUser(user)
                .withRunAsGroup(user)
                .withFsGroup(user)
                .withFsGroupChangePolicy("OnRootMismatch")
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .build();
    }

    static SecurityContext container() {
        return new SecurityContextBuilder()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .build();
    }

    static Volume tmp() {
        return new VolumeBuilder()
                .withName(TMP)
                .withEmptyDir(new EmptyDirVolumeSource())
                .build();
    }

    static VolumeMount mount(String volume, String path, boolean readOnly) {
        return new VolumeMountBuilder()
                .withName(volume)
                .withMountPath(path)
                .withReadOnly(readOnly ? true : null)
                .build();
    }

    /** A Secret that no other user of the pod may read. Its files belong to the pod's group, which needs them. */
    static Volume secret(String volume, String name, String... keys) {
        return new VolumeBuilder()
                .withName(volume)
                .withNewSecret()
                .withSecretName(name)
                .withDefaultMode(GROUP_READS)
                .withItems(Stream.of(keys)
                        .map(key -> new KeyToPath(key, null, key))
                        .toList())
                .endSecret()
                .build();
    }

    /** What was asked for, or else {@code modest}. */
    static ResourceRequirements resources(ResourcesSpec spec, ResourceRequirements modest) {
        return spec.equals(ResourcesSpec.NONE)
                ? modest
                : new ResourceRequirementsBuilder()
                        .withRequests(new TreeMap<>(spec.requests()))
                        .withLimits(new TreeMap<>(spec.limits()))
                        .build();
    }

    /** What is sensible where nothing was asked for. */
    static ResourceRequirements modest(String cpu, String memory) {
        return new ResourceRequirementsBuilder()
                .addToRequests("cpu", new Quantity(cpu))
                .addToRequests("memory", new Quantity(memory))
                .build();
    }

    /** The same with a limit: the JVM sizes its heap by that, or else by the whole node. */
    static ResourceRequirements modest(String cpu, String memory, String memoryLimit) {
        return new ResourceRequirementsBuilder(modest(cpu, memory))
                .addToLimits("memory", new Quantity(memoryLimit))
                .build();
    }
}
