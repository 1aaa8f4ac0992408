package dev.shardwright.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.shardwright.api.Condition;
import dev.shardwright.api.Keyspace;
import dev.shardwright.api.KeyspaceSpec;
import dev.shardwright.api.ReshardWorkflow;
import dev.shardwright.api.Shard;
import dev.shardwright.operator.desired.Runtime;
import dev.shardwright.operator.mapping.Applier;
import dev.shardwright.operator.mapping.Credentials;
import dev.shardwright.operator.mapping.Management;
import dev.shardwright.operator.mapping.Worlds;
import dev.shardwright.operator.reconcile.KeyspaceReconciler;
import dev.shardwright.operator.reconcile.OperatorParts;
import dev.shardwright.operator.reconcile.ReshardWorkflowReconciler;
import dev.shardwright.operator.reconcile.ShardReconciler;
import dev.shardwright.reshard.cutover.StepListener;
import dev.shardwright.reshard.workflow.Leadership;
import dev.shardwright.testing.ApiServer;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.Operator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The reconcilers on a real API server without nodes, with exactly the rights that deploy/ gives the operator. What
 * needs running pods is in e2e/.
 */
class OperatorIT {
    private static final KubernetesClient CLIENT = ApiServer.shared().client();
    private static final KubernetesClient AS_OPERATOR =
            ApiServer.shared().clientOf("shardwright-system", "shardwright-operator");
    private static Operator operator;

    private String namespace = "";

    @BeforeAll
    static void start() throws IOException {
        ApiServer.shared().installCrds(CLIENT);
        for (var file : List.of("00-namespace.yaml", "20-rbac.yaml")) {
            try (var content = Files.newInputStream(Path.of("deploy", file))) {
                CLIENT.load(content).forceConflicts().serverSideApply();
            }
        }
        var clock = Clock.systemUTC();
        var credentials = new Credentials(AS_OPERATOR);
        var applier = new Applier(AS_OPERATOR, clock);
        var runtime = new Runtime("registry.example/shardwright:test", "IfNotPresent");
        var worlds = new Worlds(
                AS_OPERATOR,
                credentials,
                applier,
                new Management(),
                Leadership.ALWAYS,
                runtime,
                StepListener.NONE,
                clock);
        var parts = new OperatorParts(AS_OPERATOR, worlds, credentials, applier, runtime, clock);
        operator = new Operator(
                overrider -> overrider.withKubernetesClient(AS_OPERATOR).checkingCRDAndValidateLocalModel(false));
        operator.register(new KeyspaceReconciler(parts));
        operator.register(new ShardReconciler(parts));
        operator.register(new ReshardWorkflowReconciler(parts));
        operator.start();
    }

    @AfterAll
    static void stop() {
        operator.stop();
        CLIENT.close();
    }

    @BeforeEach
    void newNamespace() {
        namespace = ApiServer.shared().namespace(CLIENT);
    }

    @Test
    void aKeyspaceGetsItsFirstShardsAndSaysWhatItWaitsFor() {
        create("chat", "{initialShards: ['-80', '80-']}");
        eventually(() -> assertThat(CLIENT.resources(Shard.class)
                        .inNamespace(namespace)
                        .list()
                        .getItems())
                .extracting(shard -> shard.getMetadata().getName())
                .containsExactlyInAnyOrder("chat-x-80", "chat-80-x"));
        eventually(() -> assertThat(CLIENT.apps()
                        .statefulSets()
                        .inNamespace(namespace)
                        .list()
                        .getItems())
                .hasSize(2));
        eventually(() -> assertThat(ready("chat")).hasValueSatisfying(condition -> {
            assertThat(condition.status()).isEqualTo(Condition.Truth.False);
            assertThat(condition.message()).isEqualTo("0 of 2 MySQL servers are ready");
        }));
        assertThat(CLIENT.secrets()
                        .inNamespace(namespace)
                        .withName("chat-app")
                        .get()
                        .getData())
                .containsKey("password");
        assertThat(CLIENT.secrets()
                        .inNamespace(namespace)
                        .withName("chat-x-80-init")
                        .get())
                .isNotNull();
        assertThat(CLIENT.configMaps()
                        .inNamespace(namespace)
                        .withName("chat-topology")
                        .get())
                .as("no topology before all shards are ready")
                .isNull();
    }

    @Test
    void aMissingSecretIsNamedAndForgottenWhenItIsThere() {
        create("shop", "{users: [{name: app, passwordSecret: {name: my-password}}]}");
        eventually(() -> assertThat(ready("shop"))
                .hasValueSatisfying(condition ->
                        assertThat(condition.message()).contains("Secret my-password", "user app", "is missing")));
        CLIENT.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("my-password")
                        .withNamespace(namespace)
                        .endMetadata()
                        .addToStringData("password", "secret")
                        .build())
                .create();
        eventually(() -> assertThat(ready("shop"))
                .hasValueSatisfying(condition -> assertThat(condition.message()).contains("0 of 1 MySQL servers")));
    }

    @Test
    void aMissingCertificateIsNamed() {
        create("shop", "{router: {tls: {secretName: shop-tls}}}");
        eventually(() -> assertThat(ready("shop"))
                .hasValueSatisfying(condition ->
                        assertThat(condition.message()).contains("Secret shop-tls", "kubectl create secret tls")));
        CLIENT.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("shop-tls")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withType("kubernetes.io/tls")
                        .addToStringData(Map.of("tls.crt", "any", "tls.key", "any"))
                        .build())
                .create();
        eventually(() -> assertThat(ready("shop"))
                .hasValueSatisfying(condition -> assertThat(condition.message()).contains("0 of 1 MySQL servers")));
    }

    @Test
    void aMissingCertificateOfTheServersIsNamed() {
        create("shop", "{mysql: {tls: {secretName: shop-servers}}}");
        eventually(() -> assertThat(ready("shop"))
                .hasValueSatisfying(condition -> assertThat(condition.message())
                        .contains("Secret shop-servers", "tls.crt, tls.key and ca.crt", "shop-mysql." + namespace)));
        CLIENT.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("shop-servers")
                        .withNamespace(namespace)
                        .endMetadata()
                        .addToStringData(Map.of("tls.crt", "any", "tls.key", "any", "ca.crt", "any"))
                        .build())
                .create();
        eventually(() -> assertThat(ready("shop"))
                .hasValueSatisfying(condition -> assertThat(condition.message()).contains("0 of 1 MySQL servers")));
    }

    @Test
    void aVolumeOfAnEarlierKeyspaceIsNeverTakenOver() {
        CLIENT.resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withName("data-shop-x-x-0")
                        .withNamespace(namespace)
                        .addToLabels(
                                Map.of("shardwright.dev/keyspace", "shop", "shardwright.dev/shard-uid", "anotherone"))
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .withNewResources()
                        .addToRequests("storage", new Quantity("1Gi"))
                        .endResources()
                        .endSpec()
                        .build())
                .create();
        create("shop", "{}");
        eventually(() -> assertThat(ready("shop"))
                .hasValueSatisfying(condition ->
                        assertThat(condition.message()).contains("volumes of an earlier keyspace", "data-shop-x-x-0")));
        assertThat(CLIENT.resources(Shard.class).inNamespace(namespace).list().getItems())
                .isEmpty();
    }

    @Test
    void anObjectOfSomebodyElseIsLeftAlone() {
        CLIENT.resource(Serialization.unmarshal(
                        """
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: shop-x-x-config, namespace: %s}
                        data: {mine: "true"}
                        """.formatted(namespace), io.fabric8.kubernetes.api.model.ConfigMap.class))
                .create();
        create("shop", "{}");
        eventually(() -> assertThat(ready("shop"))
                .hasValueSatisfying(condition -> assertThat(condition.message())
                        .contains("ConfigMap shop-x-x-config", "belongs to somebody else")));
        assertThat(CLIENT.configMaps()
                        .inNamespace(namespace)
                        .withName("shop-x-x-config")
                        .get()
                        .getData())
                .isEqualTo(Map.of("mine", "true"));
    }

    @Test
    void aVschemaThatTheSchemaCannotJudgeIsRefusedByACondition() {
        create(
                "shop",
                "{vschema: {vindexes: [{name: v, type: hash}], tables: [{name: t, columnVindexes:"
                        + " [{columns: [{name: id, type: varchar(10), collation: utf8mb4_0900_ai_ci}], vindex: v}]}]}}");
        eventually(() -> assertThat(ready("shop"))
                .hasValueSatisfying(condition -> assertThat(condition.reason()).isEqualTo("InvalidSpec")));
        assertThat(CLIENT.resources(Shard.class).inNamespace(namespace).list().getItems())
                .isEmpty();
    }

    @Test
    void aWorkflowSaysWhyItCannotBegin() {
        workflow("{keyspace: nowhere, sourceShards: ['-'], targetShards: ['-80', '80-']}");
        eventually(() -> assertThat(succeeded())
                .hasValueSatisfying(
                        condition -> assertThat(condition.message()).contains("there is no Keyspace nowhere")));
    }

    @Test
    void aWorkflowWhoseSwitchoverOutlastsTheBufferIsRefused() {
        create("shop", "{router: {bufferTimeout: 6s}}");
        eventually(() -> assertThat(keyspace("shop").getStatus()).isNotNull());
        setEpoch("shop");
        workflow("{keyspace: shop, sourceShards: ['-'], targetShards: ['-80', '80-'], switchTimeout: 5s}");
        eventually(() -> assertThat(succeeded())
                .hasValueSatisfying(condition -> assertThat(condition.message())
                        .contains("switchTimeout 5s + 2s must be at most the router.bufferTimeout")));
    }

    @Test
    void aDeletedWorkflowGoesAlsoWithoutItsKeyspace() {
        workflow("{keyspace: nowhere, sourceShards: ['-'], targetShards: ['-80', '80-']}");
        eventually(() -> assertThat(succeeded()).isPresent());
        CLIENT.resources(ReshardWorkflow.class)
                .inNamespace(namespace)
                .withName("w")
                .delete();
        eventually(() -> assertThat(CLIENT.resources(ReshardWorkflow.class)
                        .inNamespace(namespace)
                        .withName("w")
                        .get())
                .isNull());
    }

    @Test
    void aChangeThatNeedsRestartsIsMadeServerByServer() {
        create("shop", "{initialShards: ['-40', '40-80', '80-']}");
        eventually(() -> assertThat(servers()).hasSize(3));
        servers().forEach(this::atRest);
        CLIENT.resources(Keyspace.class)
                .inNamespace(namespace)
                .withName("shop")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\": {\"mysql\": {\"config\": [{\"name\": \"max_connections\", \"value\": \"77\"}]}}}");
        for (int restarted = 0; restarted < 3; restarted++) {
            eventually(() -> assertThat(restarting()).hasSize(1));
            var now = restarting().getFirst();
            var waiting = 2 - restarted;
            eventually(() -> assertThat(waitingFor(now.getMetadata().getName())).isEqualTo(waiting));
            assertThat(restarting()).hasSize(1);
            atRest(now);
        }
        eventually(() -> assertThat(waitingFor("")).isZero());
        assertThat(restarting()).isEmpty();
        assertThat(servers()).allMatch(set -> set.getMetadata().getGeneration() == 2);
    }

    private List<StatefulSet> servers() {
        return CLIENT.apps().statefulSets().inNamespace(namespace).list().getItems();
    }

    /** Those whose controller, which is not here, would have work to do. */
    private List<StatefulSet> restarting() {
        return servers().stream()
                .filter(set -> !set.getMetadata()
                        .getGeneration()
                        .equals(set.getStatus().getObservedGeneration()))
                .toList();
    }

    /** What its controller would report in the end. */
    private void atRest(StatefulSet set) {
        long generation = set.getMetadata().getGeneration();
        CLIENT.resource(set)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\": {\"observedGeneration\": %d, \"replicas\": 1, \"readyReplicas\": 1, \"currentRevision\":"
                                        .formatted(generation)
                                + " \"r%d\", \"updateRevision\": \"r%d\"}}".formatted(generation, generation));
    }

    private long waitingFor(String server) {
        return CLIENT.resources(Shard.class).inNamespace(namespace).list().getItems().stream()
                .flatMap(shard -> condition(shard.getStatus().conditions(), "UpToDate").stream())
                .filter(condition -> condition.status() == Condition.Truth.False
                        && condition.message().contains("waits for the server of shard " + server))
                .count();
    }

    /** As if the keyspace had had a topology. */
    private void setEpoch(String name) {
        CLIENT.resources(Keyspace.class)
                .inNamespace(namespace)
                .withName(name)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": {\"epoch\": 3}}");
    }

    private void create(String name, String spec) {
        var keyspace = new Keyspace();
        keyspace.getMetadata().setName(name);
        keyspace.getMetadata().setNamespace(namespace);
        keyspace.setSpec(Serialization.unmarshal("---\n" + spec, KeyspaceSpec.class));
        CLIENT.resource(keyspace).create();
    }

    private void workflow(String spec) {
        CLIENT.resource(Serialization.unmarshal(
                        "kind: ReshardWorkflow\napiVersion: shardwright.dev/v1alpha1\nmetadata: {name: w, namespace: "
                                + namespace + "}\nspec: " + spec,
                        ReshardWorkflow.class))
                .create();
    }

    private Keyspace keyspace(String name) {
        return CLIENT.resources(Keyspace.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private Optional<Condition> ready(String name) {
        return condition(
                keyspace(name).getStatus() == null
                        ? List.of()
                        : keyspace(name).getStatus().conditions(),
                Condition.READY);
    }

    private Optional<Condition> succeeded() {
        var found = CLIENT.resources(ReshardWorkflow.class)
                .inNamespace(namespace)
                .withName("w")
                .get();
        return condition(
                found.getStatus() == null ? List.of() : found.getStatus().conditions(), Condition.SUCCEEDED);
    }

    private static Optional<Condition> condition(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.type().equals(type))
                .findFirst();
    }

    private static void eventually(Runnable assertion) {
        await().atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(assertion::run);
    }
}
