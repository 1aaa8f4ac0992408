package dev.shardwright.operator.desired;

import dev.shardwright.api.Keyspace;
import dev.shardwright.api.KeyspaceSpec.DeletionPolicy;
import dev.shardwright.api.Shard;
import dev.shardwright.mysql.server.ServerPlace;
import dev.shardwright.mysql.server.ServerSettings;
import dev.shardwright.mysql.server.Setting;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;

/** The Kubernetes objects of one shard. */
public final class ShardObjects {
    /** On a StatefulSet: changes when its server would be restarted by a change. */
    public static final String TEMPLATE_HASH = "shardwright.dev/template-hash";

    static final String MY_CNF = "my.cnf";
    static final String INIT_SQL = "init.sql";

    private final Keyspace keyspace;
    private final Shard shard;
    private final String name;
    private final Map<String, String> labels;

    private ShardObjects(Keyspace keyspace, Shard shard) {
        this.keyspace = keyspace;
        this.shard = shard;
        this.name = shard.getMetadata().getName();
        this.labels =
                Labels.shard(shard.getSpec().keyspace(), name, shard.getSpec().uid());
    }

    /** All objects but the Secret of {@link #init}. */
    public static List<HasMetadata> of(Keyspace keyspace, Shard shard) {
        var objects = new ShardObjects(keyspace, shard);
        var myCnf = objects.myCnf();
        return List.of(
                objects.config(myCnf), objects.service(), objects.statefulSet(myCnf), objects.disruptionBudget());
    }

    /** The Secret with the statements that make the data directory; they hold passwords. */
    public static Secret init(Shard shard, String sql) {
        var spec = shard.getSpec();
        var name = shard.getMetadata().getName();
        return new SecretBuilder()
                .withMetadata(Owned.by(shard, Names.init(name), Labels.shard(spec.keyspace(), name, spec.uid())))
                .addToStringData(INIT_SQL, sql)
                .build();
    }

    /** Whether this server has a certificate from a Secret. */
    public static boolean hasCertificate(StatefulSet server) {
        return server.getSpec().getTemplate().getSpec().getVolumes().stream()
                .anyMatch(volume -> volume.getName().equals(ServerPod.TLS));
    }

    private ObjectMeta metadata(String objectName) {
        return Owned.by(shard, objectName, labels);
    }

    private String myCnf() {
        var users = keyspace.getSpec().mysql().config().stream()
                .map(setting -> new Setting(setting.name(), setting.value()))
                .toList();
        var certificates = keyspace.getSpec().mysql().tls() == null ? null : ServerPod.TLS_DIRECTORY;
        return ServerSettings.myCnf(ServerPlace.pod(), shard.getSpec().uid(), users, certificates);
    }

    private ConfigMap config(String myCnf) {
        return new ConfigMapBuilder()
                .withMetadata(metadata(Names.config(name)))
                .addToData(MY_CNF, myCnf)
                .build();
    }

    /** Headless; a server that is fenced or starting must be reached all the same. */
    private Service service() {
        return new ServiceBuilder()
                .withMetadata(metadata(name))
                .withNewSpec()
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withSelector(Labels.shardSelector(name))
                .addNewPort()
                .withName("mysql")
                .withPort(ServerPlace.POD_PORT)
                .withTargetPort(new IntOrString("mysql"))
                .endPort()
                .endSpec()
                .build();
    }

    private StatefulSet statefulSet(String myCnf) {
        var retention = keyspace.getSpec().deletionPolicy() == DeletionPolicy.Delete ? "Delete" : "Retain";
        var template = ServerPod.template(keyspace, shard, labels, myCnf);
        return new StatefulSetBuilder()
                .withMetadata(metadata(name))
                .editMetadata()
                .addToAnnotations(TEMPLATE_HASH, Names.fingerprint(Serialization.asJson(template)))
                .endMetadata()
                .withNewSpec()
                .withReplicas(keyspace.getSpec().mysql().instancesPerShard())
                .withServiceName(name)
                // OrderedReady would never replace a pod that can't start, such as one whose image was mistyped.
                .withPodManagementPolicy("Parallel")
                .withNewSelector()
                .withMatchLabels(Labels.shardSelector(name))
                .endSelector()
                .withTemplate(template)
                .withVolumeClaimTemplates(volumeClaim())
                .withNewPersistentVolumeClaimRetentionPolicy()
                .withWhenDeleted(retention)
                .withWhenScaled("Retain")
                .endPersistentVolumeClaimRetentionPolicy()
                .endSpec()
                .build();
    }

    private PersistentVolumeClaim volumeClaim() {
        var storage = shard.getSpec().storage();
        var storageClass = storage.storageClassName().isEmpty() ? null : storage.storageClassName();
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(ServerPod.DATA)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withStorageClassName(storageClass)
                .withNewResources()
                .addToRequests("storage", storage.size())
                .endResources()
                .endSpec()
                .build();
    }

    /** One server is all there is: a voluntary eviction waits until somebody decides otherwise. */
    private PodDisruptionBudget disruptionBudget() {
        return new PodDisruptionBudgetBuilder()
                .withMetadata(metadata(name))
                .withNewSpec()
                .withMaxUnavailable(new IntOrString(0))
                .withNewSelector()
                .withMatchLabels(Labels.shardSelector(name))
                .endSelector()
                .endSpec()
                .build();
    }
}
