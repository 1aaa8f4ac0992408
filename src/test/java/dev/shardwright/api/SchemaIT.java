package dev.shardwright.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.testing.ApiServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API server accepts and refuses, and what it says then. */
class SchemaIT {
    private static final KubernetesClient CLIENT = ApiServer.shared().client();
    private static String namespace = "";

    @BeforeAll
    static void install() {
        ApiServer.shared().installCrds(CLIENT);
        namespace = ApiServer.shared().namespace(CLIENT);
    }

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    @Test
    void anEmptySpecGetsEveryDefault() {
        var stored = CLIENT.resource(resource("Keyspace", "defaults", "{}")).create();
        var keyspace = Serialization.unmarshal(Serialization.asJson(stored), Keyspace.class);
        assertThat(keyspace.getSpec()).isNotNull();
        assertThat(Serialization.asJson(Serialization.unmarshal("{}", KeyspaceSpec.class)))
                .as("the Java types' defaults are the schema's")
                .isEqualTo(Serialization.asJson(keyspace.getSpec()));
    }

    @Test
    void manyRangesStayWithinTheCostOfValidation() {
        var ranges = IntStream.range(0, 1024)
                .mapToObj(i -> "'" + (i == 0 ? "" : bound(i)) + "-" + (i == 1023 ? "" : bound(i + 1)) + "'")
                .collect(Collectors.joining(","));
        create("Keyspace", "many", "{initialShards: [" + ranges + "]}");
    }

    /** Bounds without a trailing zero byte. */
    private static String bound(int i) {
        return "%04x".formatted(i * 62 + 1 + ((i * 62 + 1) % 256 == 0 ? 1 : 0));
    }

    @Test
    void aThousandTablesStayWithinTheCostOfValidation() {
        var tables = IntStream.range(0, 1000)
                .mapToObj(i -> "{name: t" + i + ", columnVindexes: [{columns: [{name: id}], vindex: v49}]}")
                .collect(Collectors.joining(","));
        var vindexes =
                IntStream.range(0, 50).mapToObj(i -> "{name: v" + i + "}").collect(Collectors.joining(","));
        create("Keyspace", "tables", "{vschema: {vindexes: [" + vindexes + "], tables: [" + tables + "]}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {initialShards: ['-40', '60-']}                              | has a gap, an overlap or a wrong order
                    {initialShards: ['-40', '30-']}                              | has a gap, an overlap or a wrong order
                    {initialShards: ['40-', '-40']}                              | has a gap, an overlap or a wrong order
                    {initialShards: ['-', '-']}                                  | has a gap, an overlap or a wrong order
                    {initialShards: ['-40', '40-80']}                            | must cover the whole key space
                    {initialShards: ['40-']}                                     | must cover the whole key space
                    {initialShards: ['-80', '80-40', '40-']}                     | start must be below its end
                    {initialShards: ['-4000', '4000-']}                          | trailing 00 bytes
                    {initialShards: ['-4', '4-']}                                | should match
                    {initialShards: ['-C0', 'C0-']}                              | should match
                    {initialShards: []}                                          | should have at least 1 items
                    {mysql: {instancesPerShard: 3}}                              | instancesPerShard must be 1
                    {mysql: {storage: {size: lots}}}                             | storage.size must be a quantity
                    {mysql: {storage: {size: 5Mi}}}                              | storage.size must be a quantity
                    {mysql: {config: [{name: sync_binlog, value: '0'}]}}         | belongs to the operator
                    {mysql: {config: [{name: gtid_mode, value: 'OFF'}]}}         | belongs to the operator
                    {mysql: {config: [{name: log_bin, value: x}]}}               | belongs to the operator
                    {mysql: {config: [{name: read_only, value: 'ON'}]}}          | belongs to the operator
                    {mysql: {config: [{name: ssl_cert, value: x}]}}              | belongs to the operator
                    {mysql: {config: [{name: tls_version, value: x}]}}           | belongs to the operator
                    {mysql: {tls: {}}}                                           | spec.mysql.tls.secretName: Required
                    {mysql: {tls: {secretName: a, serverName: 'A b'}}}           | should match
                    {mysql: {config: [{name: loose_x, value: '1'}]}}             | belongs to the operator
                    {mysql: {config: [{name: Port, value: '1'}]}}                | should match
                    {mysql: {config: [{name: a-b, value: '1'}]}}                 | should match
                    {mysql: {config: [{name: max_connections, value: "1\\nuser=root"}]}} | should match
                    {mysql: {config: [{name: max_connections, value: '1'}, {name: max_connections, value: '2'}]}} | Duplicate value
                    {router: {replicas: 0}}                                      | should be greater than or equal to 1
                    {router: {bufferTimeout: 1s}}                                | bufferTimeout must be between 3s and 5m
                    {router: {bufferTimeout: soon}}                              | should match
                    {router: {bufferBytes: 64}}                                  | must be of type string
                    {router: {backends: {maxConnections: 0}}}                    | should be greater than or equal to 1
                    {router: {backends: {queueTimeout: 1m, maxConnections: many}}} | must be of type integer
                    {router: {backends: {queueTimeout: 10m}}}                    | queueTimeout must be between 10ms and 5m
                    {router: {statementTimeout: 1ms}}                            | statementTimeout must be between 50ms and 1440m
                    {router: {service: {type: ExternalName}}}                    | supported values
                    {router: {maxConnections: 0}}                                | should be greater than or equal to 1
                    {router: {proxyProtocol: {from: []}}}                        | should have at least 1 items
                    {router: {proxyProtocol: {from: [10.0.0.1]}}}                | must be a network
                    {transactionMode: Maybe}                                     | supported values
                    {deletionPolicy: Keep}                                       | supported values
                    {users: [{name: root}]}                                      | reserved for MySQL or the operator
                    {users: [{name: shardwright_operator}]}                      | reserved for MySQL or the operator
                    {users: [{name: chat_app}]}                                  | give this user a passwordSecret
                    {users: [{name: app, privileges: [SUPER]}]}                  | privileges must be ALL
                    {users: [{name: app}, {name: app}]}                          | Duplicate value
                    {vschema: {vindexes: [{name: v, type: md5}]}}                | unknown vindex type
                    {vschema: {vindexes: [{name: v}], tables: [{name: t, columnVindexes: [{columns: [{name: id}], vindex: w}]}]}} | vschema.vindexes does not declare
                    {vschema: {vindexes: [{name: v}], tables: [{name: t, columnVindexes: [{columns: [{name: id, type: float}], vindex: v}]}]}} | should match
                    {vschema: {vindexes: [{name: v}], tables: [{name: t, columnVindexes: []}]}} | should have at least 1 items
                    {vschema: {unlistedTables: Anywhere}}                        | supported values
                    {unknownField: 1}                                            | unknown field
                    """)
    void keyspaceIsRefused(String spec, String why) {
        assertRefused("Keyspace", "bad", spec, why);
    }

    @ParameterizedTest
    @CsvSource({
        "a-name-of-27-characters-long,26 characters",
        "9lives,beginning with a letter",
        "mysql,choose another",
        "my.db,without a dot"
    })
    void keyspaceNameIsRefused(String name, String why) {
        assertRefused("Keyspace", name, "{}", why);
    }

    @Test
    void initialShardsAreFixed() {
        create("Keyspace", "fixed", "{}");
        assertChangeRefused(
                "Keyspace", "fixed", "{initialShards: ['-80', '80-']}", "split or merge shards with a ReshardWorkflow");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {keyspace: chat, sourceShards: ['c0-'], targetShards: ['c0-e0']}               | must cover exactly the range
                    {keyspace: chat, sourceShards: ['c0-'], targetShards: ['d0-e0', 'e0-']}        | must cover exactly the range
                    {keyspace: chat, sourceShards: ['c0-'], targetShards: ['c0-d0', 'e0-']}        | targetShards has a gap
                    {keyspace: chat, sourceShards: ['c0-'], targetShards: ['c0-e0', 'd0-']}        | targetShards has a gap
                    {keyspace: chat, sourceShards: ['-40', '80-'], targetShards: ['-']}            | sourceShards has a gap
                    {keyspace: chat, sourceShards: ['c0-'], targetShards: ['c0-']}                 | either splits one source
                    {keyspace: chat, sourceShards: ['-40', '40-80'], targetShards: ['-20', '20-80']} | either splits one source
                    {keyspace: chat, sourceShards: ['c0-'], targetShards: ['c0-c0', 'c0-']}        | start must be below its end
                    {keyspace: chat, sourceShards: ['c0-'], targetShards: ['c0-e000', 'e000-']}    | trailing 00 bytes
                    {keyspace: chat, sourceShards: [], targetShards: ['-']}                        | should have at least 1 items
                    {sourceShards: ['-'], targetShards: ['-80', '80-']}                            | Required value
                    {keyspace: chat, sourceShards: ['-'], targetShards: ['-80', '80-'], goal: RolledBack}    | must be Verified, Switched or Completed
                    {keyspace: chat, sourceShards: ['-'], targetShards: ['-80', '80-'], goal: Cancelled}     | must be Verified, Switched or Completed
                    {keyspace: chat, sourceShards: ['-'], targetShards: ['-80', '80-'], goal: Finished}      | supported values
                    {keyspace: chat, sourceShards: ['-'], targetShards: ['-80', '80-'], switchTimeout: 0s}   | switchTimeout must be between
                    {keyspace: chat, sourceShards: ['-'], targetShards: ['-80', '80-'], switchTimeout: 1s, drainTimeout: 1s} | more than drainTimeout
                    {keyspace: chat, sourceShards: ['-'], targetShards: ['-80', '80-'], forceAfter: never}   | should match
                    {keyspace: chat, sourceShards: ['-'], targetShards: ['-80', '80-'], throttle: {maxRowsPerSecond: 0}} | greater than or equal to 1
                    {keyspace: chat, sourceShards: ['-'], targetShards: ['-80', '80-'], throttle: {maxCommitLatencyPercent: 100}} | greater than or equal to 101
                    {keyspace: chat, sourceShards: ['-'], targetShards: ['-80', '80-'], throttle: {maxThreadsRunning: 0}} | greater than or equal to 1
                    {keyspace: chat, sourceShards: ['-'], targetShards: ['-80', '80-'], throttle: {maxTargetLag: 500ms}} | must be at least 1s
                    """)
    void workflowIsRefused(String spec, String why) {
        assertRefused("ReshardWorkflow", "bad", spec, why);
    }

    @Test
    void workflowNameIsRefused() {
        assertRefused("ReshardWorkflow", "n".repeat(53), workflow("Switched"), "at most 52 characters");
    }

    @ParameterizedTest
    @CsvSource({
        "Verified,Switched",
        "Verified,Completed",
        "Switched,Completed",
        "Switched,RolledBack",
        "Completed,Switched",
        "Completed,RolledBack"
    })
    void goalMayChange(String from, String to) {
        var name = ("may-" + from + "-" + to).toLowerCase(java.util.Locale.ROOT);
        create("ReshardWorkflow", name, workflow(from));
        change("ReshardWorkflow", name, "{goal: " + to + "}");
        assertThat(get("ReshardWorkflow", name).<String>get("spec", "goal")).isEqualTo(to);
    }

    @ParameterizedTest
    @CsvSource({
        "Verified,RolledBack",
        "Switched,Verified",
        "Switched,Cancelled",
        "Completed,Verified",
        "Completed,Cancelled"
    })
    void goalMayNotChange(String from, String to) {
        var name = ("not-" + from + "-" + to).toLowerCase(java.util.Locale.ROOT);
        create("ReshardWorkflow", name, workflow(from));
        assertChangeRefused("ReshardWorkflow", name, "{goal: " + to + "}", "this change of goal is not possible");
    }

    @Test
    void cancelledIsFinal() {
        create("ReshardWorkflow", "cancelled", workflow("Verified"));
        change("ReshardWorkflow", "cancelled", "{goal: Cancelled}");
        assertChangeRefused("ReshardWorkflow", "cancelled", "{goal: Switched}", "Cancelled is final");
    }

    @Test
    void aCompletedWorkflowKeepsItsGoal() {
        create("ReshardWorkflow", "completed", workflow("Completed"));
        var status = get("ReshardWorkflow", "completed");
        status.setAdditionalProperty("status", Map.of("phase", "Completed"));
        CLIENT.resource(status).updateStatus();
        assertChangeRefused("ReshardWorkflow", "completed", "{goal: RolledBack}", "goal can't change any more");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{keyspace: other} | keyspace is fixed",
                "{sourceShards: ['-80', '80-'], targetShards: ['-']} | sourceShards is fixed",
                "{targetShards: ['-40', '40-']} | targetShards is fixed"
            })
    void workflowFieldsAreFixed(String change, String why) {
        var name = "fixed-" + Math.abs(why.hashCode());
        create("ReshardWorkflow", name, workflow("Switched"));
        assertChangeRefused("ReshardWorkflow", name, change, why);
    }

    @Test
    void aShardIsFixed() {
        create("Shard", "chat-x-x", "{keyspace: chat, range: '-', uid: k3f9}");
        assertChangeRefused("Shard", "chat-x-x", "{range: '-80'}", "made and kept by the operator");
    }

    private static String workflow(String goal) {
        return "{keyspace: chat, sourceShards: ['-'], targetShards: ['-80', '80-'], goal: " + goal + "}";
    }

    private static GenericKubernetesResource resource(String kind, String name, String spec) {
        return Serialization.unmarshal("""
                apiVersion: shardwright.dev/v1alpha1
                kind: %s
                metadata: {name: %s, namespace: %s}
                spec: %s
                """.formatted(kind, name, namespace, spec), GenericKubernetesResource.class);
    }

    private static void create(String kind, String name, String spec) {
        CLIENT.resource(resource(kind, name, spec))
                .fieldValidation(io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation.STRICT)
                .create();
    }

    private static GenericKubernetesResource get(String kind, String name) {
        return CLIENT.resource(resource(kind, name, "{}")).get();
    }

    private static void change(String kind, String name, String spec) {
        var patch = Serialization.unmarshal("spec: " + spec, Map.class);
        CLIENT.resource((HasMetadata) resource(kind, name, "{}"))
                .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(patch));
    }

    private static void assertRefused(String kind, String name, String spec, String why) {
        assertThatThrownBy(() -> create(kind, name, spec))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(why);
    }

    private static void assertChangeRefused(String kind, String name, String spec, String why) {
        assertThatThrownBy(() -> change(kind, name, spec))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(why);
    }
}
