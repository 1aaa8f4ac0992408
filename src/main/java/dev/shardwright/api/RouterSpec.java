package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The routers of a keyspace. */
public record RouterSpec(
        @JsonPropertyDescription("How many routers run.") @Default("2") @Min(1) @Max(100)
        Integer replicas,

        @JsonPropertyDescription(
                "CPU and memory of each router. When empty: requests of 100m and 256Mi, a memory limit of 1Gi.")
        @Default("{}")
        ResourcesSpec resources,

        @JsonPropertyDescription("The Service that applications connect to, port 3306. It bears the keyspace's name.")
        @Default("{}")
        ServiceSpec service,

        @JsonPropertyDescription("How long a router holds a statement for a shard that is switching over, before it"
                + " answers with an error. At least 2s more than any ReshardWorkflow's switchTimeout.")
        @Default(DEFAULT_BUFFER_TIMEOUT)
        @Size(max = 16)
        @Pattern(TimeSpan.PATTERN)
        @ValidationRule(
                value = "duration(self) >= duration('3s') && duration(self) <= duration('5m')",
                message = "bufferTimeout must be between 3s and 5m")
        String bufferTimeout,

        @JsonPropertyDescription("How much memory a router spends on held statements before it answers with an error.")
        @Default(DEFAULT_BUFFER_BYTES)
        @Size(max = 16)
        @Pattern(ByteSize.PATTERN)
        String bufferBytes,

        @JsonPropertyDescription("How much memory the statements of all clients of a router may hold together, beyond"
                + " 64Ki for each client. One that finds none waits 10s and gets errno 1041. Absent: an eighth of the"
                + " router's heap.")
        @Nullable
        @Size(max = 16)
        @Pattern(ByteSize.PATTERN)
        String statementBytes,

        @JsonPropertyDescription("How many clients may be logged in to each router at one time; more get errno 1040.")
        @Default("1000")
        @Min(1)
        @Max(100_000)
        Integer maxConnections,

        @JsonPropertyDescription("How many clients may be logged in to each router as the same user at one time; more"
                + " get errno 1203. 0: as many as there may be.")
        @Default("0")
        @Min(0)
        @Max(100_000)
        Integer maxConnectionsPerUser,

        @JsonPropertyDescription(
                "Proxies between applications and routers that tell the client's address; absent: none.")
        @Nullable
        ProxyProtocolSpec proxyProtocol,

        @JsonPropertyDescription("Connections from each router to the MySQL servers, which clients share.")
        @Default("{}")
        BackendsSpec backends,

        @JsonPropertyDescription("TLS between applications and routers; absent: none.") @Nullable
        TlsSpec tls,

        @JsonPropertyDescription(
                "How long a statement may run. Then it is ended at its servers with errno 3024, and its"
                        + " transaction goes on without it. DDL on several shards is never ended. Absent: as long as it takes.")
        @Nullable
        @Size(max = 16)
        @Pattern(TimeSpan.PATTERN)
        @ValidationRule(
                value = "duration(self) >= duration('50ms') && duration(self) <= duration('24h')",
                message = "statementTimeout must be between 50ms and 1440m; leave it out for none")
        String statementTimeout,

        @JsonPropertyDescription("How a router ends when its pod is replaced or moved.") @Default("{}")
        DrainSpec drain) {

    static final String DEFAULT_BUFFER_TIMEOUT = "10s";
    static final String DEFAULT_BUFFER_BYTES = "64Mi";
    static final int DEFAULT_BACKENDS = 100;
    static final String DEFAULT_QUEUE_TIMEOUT = "10s";
    static final int DEFAULT_MAX_CONNECTIONS = 1_000;
    public static final RouterSpec DEFAULT = new RouterSpec(
            2,
            ResourcesSpec.NONE,
            ServiceSpec.DEFAULT,
            DEFAULT_BUFFER_TIMEOUT,
            DEFAULT_BUFFER_BYTES,
            null,
            DEFAULT_MAX_CONNECTIONS,
            0,
            null,
            BackendsSpec.DEFAULT,
            null,
            null,
            DrainSpec.DEFAULT);

    public RouterSpec {
        replicas = replicas == null ? 2 : replicas;
        resources = resources == null ? ResourcesSpec.NONE : resources;
        service = service == null ? ServiceSpec.DEFAULT : service;
        bufferTimeout = bufferTimeout == null ? DEFAULT_BUFFER_TIMEOUT : bufferTimeout;
        bufferBytes = bufferBytes == null ? DEFAULT_BUFFER_BYTES : bufferBytes;
        maxConnections = maxConnections == null ? DEFAULT_MAX_CONNECTIONS : maxConnections;
        maxConnectionsPerUser = maxConnectionsPerUser == null ? 0 : maxConnectionsPerUser;
        backends = backends == null ? BackendsSpec.DEFAULT : backends;
        drain = drain == null ? DrainSpec.DEFAULT : drain;
    }

    /** How a router ends. */
    public record DrainSpec(
            @JsonPropertyDescription("How long it serves on after Kubernetes has told it to end: the Service, or a load"
                    + " balancer before it, may lead clients to it for a while.")
            @Default(DEFAULT_DELAY)
            @Size(max = 16)
            @Pattern(TimeSpan.PATTERN)
            @ValidationRule(value = "duration(self) <= duration('10m')", message = "delay must be at most 10m")
            String delay,

            @JsonPropertyDescription(
                    "How long transactions may go on after that; new clients are turned away, and those"
                            + " without a transaction lose their connections. What is left is rolled back.")
            @Default(DEFAULT_TIMEOUT)
            @Size(max = 16)
            @Pattern(TimeSpan.PATTERN)
            @ValidationRule(value = "duration(self) <= duration('60m')", message = "timeout must be at most 60m")
            String timeout) {
        private static final String DEFAULT_DELAY = "5s";
        private static final String DEFAULT_TIMEOUT = "10s";
        public static final DrainSpec DEFAULT = new DrainSpec(DEFAULT_DELAY, DEFAULT_TIMEOUT);

        public DrainSpec {
            delay = delay == null ? DEFAULT_DELAY : delay;
            timeout = timeout == null ? DEFAULT_TIMEOUT : timeout;
        }
    }

    /** Whose PROXY headers routers believe. */
    public record ProxyProtocolSpec(
            @JsonPropertyDescription("Networks of the proxies, such as 10.0.0.0/8. A connection from there must begin"
                    + " with a PROXY header of version 2, and none from elsewhere may.")
            @Required
            @Size(min = 1, max = 64)
            @ValidationRule(
                    value = "self.all(network, isCIDR(network))",
                    message = "each must be a network such as 10.0.0.0/8 or fd00::/8")
            List<@Size(max = 43) String> from) {
        public ProxyProtocolSpec {
            from = from == null ? List.of() : List.copyOf(from);
        }
    }

    /** How many connections clients share. */
    public record BackendsSpec(
            @JsonPropertyDescription(
                    "How many connections a router opens to each shard for each user. All routers' together"
                            + " must be less than the servers' max_connections.")
            @Default("100")
            @Min(1)
            @Max(10_000)
            Integer maxConnections,

            @JsonPropertyDescription("How long a statement waits for one of them while all are in use, before it is"
                    + " answered with errno 1203.")
            @Default("10s")
            @Size(max = 16)
            @Pattern(TimeSpan.PATTERN)
            @ValidationRule(
                    value = "duration(self) >= duration('10ms') && duration(self) <= duration('5m')",
                    message = "queueTimeout must be between 10ms and 5m")
            String queueTimeout) {
        public static final BackendsSpec DEFAULT = new BackendsSpec(DEFAULT_BACKENDS, DEFAULT_QUEUE_TIMEOUT);

        public BackendsSpec {
            maxConnections = maxConnections == null ? DEFAULT_BACKENDS : maxConnections;
            queueTimeout = queueTimeout == null ? DEFAULT_QUEUE_TIMEOUT : queueTimeout;
        }
    }

    /** The certificate that routers show. */
    public record TlsSpec(
            @JsonPropertyDescription(
                    "Secret of type kubernetes.io/tls in the Keyspace's namespace: tls.crt (the chain) and"
                            + " tls.key (PKCS #8). A change reaches the routers without a restart.")
            @Required
            @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
            @Size(max = 253)
            String secretName,

            @JsonPropertyDescription("Whether clients that do not use TLS are refused.") @Default("false")
            Boolean required) {
        public TlsSpec {
            required = required != null && required;
        }
    }

    /** How applications reach the routers. */
    public record ServiceSpec(
            @JsonPropertyDescription("The Service's type: ClusterIP, NodePort or LoadBalancer.") @Default("ClusterIP")
            ServiceType type) {
        public static final ServiceSpec DEFAULT = new ServiceSpec(ServiceType.ClusterIP);

        public ServiceSpec {
            type = type == null ? ServiceType.ClusterIP : type;
        }
    }

    /** Kubernetes' types of Services that make sense here. */
    public enum ServiceType {
        ClusterIP,
        NodePort,
        LoadBalancer
    }
}
