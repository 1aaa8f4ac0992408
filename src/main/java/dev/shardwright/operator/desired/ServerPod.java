package dev.shardwright.operator.desired;

import dev.shardwright.api.Keyspace;
import dev.shardwright.api.ResourcesSpec;
import dev.shardwright.api.Shard;
import dev.shardwright.mysql.server.InitScript;
import dev.shardwright.mysql.server.ServerPlace;
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

/** A MySQL server's pod. */
final class ServerPod {
    static final String DATA = "data";
    static final String CONFIG_HASH = "shardwright.dev/config-hash";
    static final String TLS = "tls";
    static final String TLS_DIRECTORY = "/etc/shardwright/tls";
    private static final String CONFIG = "config";
    private static final String INIT = "init";
    private static final String CONFIG_DIRECTORY = "/etc/shardwright/mysql";
    private static final String INIT_DIRECTORY = "/etc/shardwright/init";
    private static final String CONFIG_FILE = CONFIG_DIRECTORY + "/" + ShardObjects.MY_CNF;
    /** A clean shutdown writes back what is dirty in memory. */
    private static final long SHUTDOWN_SECONDS = 300;

    private ServerPod() {}

    static PodTemplateSpec template(Keyspace keyspace, Shard shard, Map<String, String> labels, String myCnf) {
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(labels)
                // mysqld reads its file only at its start.
                .addToAnnotations(CONFIG_HASH, Names.fingerprint(myCnf))
                .endMetadata()
                .withNewSpec()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(SHUTDOWN_SECONDS)
                .withSecurityContext(Restricted.pod(Restricted.MYSQL))
                .withInitContainers(initializer(keyspace, shard))
                .withContainers(server(keyspace))
                .withVolumes(volumes(keyspace, shard))
                .endSpec()
                .build();
    }

    private static List<Volume> volumes(Keyspace keyspace, Shard shard) {
        var volumes = new ArrayList<>(List.of(Restricted.tmp(), config(shard), init(shard)));
        var tls = keyspace.getSpec().mysql().tls();
        if (tls != null) {
            volumes.add(Restricted.secret(TLS, tls.secretName(), "tls.crt", "tls.key", "ca.crt"));
        }
        return volumes;
    }

    private static List<VolumeMount> mounts(Keyspace keyspace) {
        var mounts = new ArrayList<>(List.of(
                Restricted.mount(DATA, ServerPlace.POD_VOLUME, false),
                Restricted.mount(CONFIG, CONFIG_DIRECTORY, true),
                Restricted.mount(Restricted.TMP, "/tmp", false)));
        if (keyspace.getSpec().mysql().tls() != null) {
            mounts.add(Restricted.mount(TLS, TLS_DIRECTORY, true));
        }
        return mounts;
    }

    private static ContainerBuilder container(Keyspace keyspace, String name) {
        var mysql = keyspace.getSpec().mysql();
        return new ContainerBuilder()
                .withName(name)
                .withImage(mysql.image())
                .withImagePullPolicy("IfNotPresent")
                .withSecurityContext(Restricted.container())
                .withResources(resources(mysql.resources()))
                .withVolumeMounts(mounts(keyspace));
    }

    /**
     * Without a request a server would be the last to get CPU on a busy node, after every router and mover, and the
     * first to be evicted. No limit: how much memory is right depends on the buffer pool, which is the user's.
     */
    private static ResourceRequirements resources(ResourcesSpec asked) {
        return Restricted.resources(asked, Restricted.modest("250m", "512Mi"));
    }

    private static Container initializer(Keyspace keyspace, Shard shard) {
        var script = InitScript.text(
                CONFIG_FILE,
                INIT_DIRECTORY + "/" + ShardObjects.INIT_SQL,
                shard.getSpec().uid());
        return container(keyspace, "initialize")
                .withCommand("sh", "-c", script)
                .addToVolumeMounts(Restricted.mount(INIT, INIT_DIRECTORY, true))
                .build();
    }

    private static Container server(Keyspace keyspace) {
        return container(keyspace, Labels.MYSQL)
                .withCommand("mysqld", "--defaults-file=" + CONFIG_FILE)
                .addNewPort()
                .withName("mysql")
                .withContainerPort(ServerPlace.POD_PORT)
                .endPort()
                // The port opens when mysqld is ready. Recovery of a large redo log on slow storage takes long: an
                // hour.
                .withStartupProbe(port(1, 3600))
                .withReadinessProbe(port(5, 3))
                .withLivenessProbe(ping())
                .build();
    }

    /** Costs next to nothing, which counts where many shards share a small node. */
    private static Probe port(int periodSeconds, int failures) {
        return new ProbeBuilder()
                .withNewTcpSocket()
                .withPort(new IntOrString("mysql"))
                .endTcpSocket()
                .withPeriodSeconds(periodSeconds)
                .withTimeoutSeconds(3)
                .withFailureThreshold(failures)
                .build();
    }

    /**
     * Needs no account, and says yes whenever mysqld answers: also when it is fenced or full of connections. Ending a
     * server that is only slow makes everything worse, so it has some minutes.
     */
    private static Probe ping() {
        return new ProbeBuilder()
                .withNewExec()
                .withCommand(List.of(
                        "mysqladmin",
                        "--no-defaults",
                        "--socket=" + ServerPlace.pod().socket(),
                        "--connect-timeout=15",
                        "ping"))
                .endExec()
                .withPeriodSeconds(30)
                .withTimeoutSeconds(20)
                .withFailureThreshold(6)
                .build();
    }

    private static Volume config(Shard shard) {
        return new VolumeBuilder()
                .withName(CONFIG)
                .withNewConfigMap()
                .withName(Names.config(shard.getMetadata().getName()))
                .endConfigMap()
                .build();
    }

    /**
     * Optional, because the Secret is removed once the data directory is made: a server whose volume was lost
     * then fails to start, instead of starting empty in the lost one's place.
     */
    private static Volume init(Shard shard) {
        return new VolumeBuilder()
                .withName(INIT)
                .withNewSecret()
                .withSecretName(Names.init(shard.getMetadata().getName()))
                .withOptional(true)
                .endSecret()
                .build();
    }
}
