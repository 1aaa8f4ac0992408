package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The MySQL servers of a keyspace's shards. */
public record MysqlSpec(
        @JsonPropertyDescription("Any image with mysqld (8.4 or later), mysql, mysqladmin and sh on its PATH. It is run"
                + " with explicit commands, never by its entry point.")
        @Default(DEFAULT_IMAGE)
        @Size(min = 1, max = 512)
        String image,

        @JsonPropertyDescription("MySQL servers in each shard. Only 1 for now.")
        @Default("1")
        @ValidationRule(
                value = "self == 1",
                message = "instancesPerShard must be 1: replicas come with failover, which this version does not have")
        Integer instancesPerShard,

        @JsonPropertyDescription("The data volume of each server. A change applies to shards made from then on.")
        @Default("{}")
        StorageSpec storage,

        @JsonPropertyDescription("CPU and memory of each server. When empty: requests of 250m and 512Mi, no limits.")
        @Default("{}")
        ResourcesSpec resources,

        @JsonPropertyDescription("Settings for my.cnf, on every server of the keyspace.")
        @Default("[]")
        @Size(max = 200)
        List<ConfigSetting> config,

        @JsonPropertyDescription("TLS between routers and servers; absent: none.") @Nullable
        ServerTlsSpec tls) {

    public static final String DEFAULT_IMAGE = "mysql:9.7";
    public static final MysqlSpec DEFAULT =
            new MysqlSpec(DEFAULT_IMAGE, 1, StorageSpec.DEFAULT, ResourcesSpec.NONE, List.of(), null);

    public MysqlSpec {
        image = image == null ? DEFAULT_IMAGE : image;
        instancesPerShard = instancesPerShard == null ? 1 : instancesPerShard;
        storage = storage == null ? StorageSpec.DEFAULT : storage;
        resources = resources == null ? ResourcesSpec.NONE : resources;
        config = config == null ? List.of() : List.copyOf(config);
    }

    MysqlSpec withoutTls() {
        return new MysqlSpec(image, instancesPerShard, storage, resources, config, null);
    }

    /**
     * The data volume of a server.
     *
     * @param storageClassName empty: the cluster's default
     */
    public record StorageSpec(
            @JsonPropertyDescription("The volume's size, such as 10Gi.")
            @Default("10Gi")
            @ValidationRule(
                    value = "isQuantity(string(self)) && quantity(string(self)).compareTo(quantity('1Gi')) >= 0",
                    message = "storage.size must be a quantity of at least 1Gi, such as 10Gi")
            Quantity size,

            @JsonPropertyDescription("The volume's storage class; empty means the cluster's default class.")
            @Default("\"\"")
            @Size(max = 253)
            String storageClassName) {
        public static final StorageSpec DEFAULT = new StorageSpec(new Quantity("10Gi"), "");

        public StorageSpec {
            size = size == null ? new Quantity("10Gi") : size;
            storageClassName = storageClassName == null ? "" : storageClassName;
        }
    }

    /** The certificate that servers show, and whom routers trust. */
    public record ServerTlsSpec(
            @JsonPropertyDescription("Secret in the Keyspace's namespace, in cert-manager's form: tls.crt (the chain),"
                    + " tls.key, and ca.crt, by which routers check it.")
            @Required
            @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
            @Size(max = 253)
            String secretName,

            @JsonPropertyDescription(
                    "The DNS name that the certificate must be for; empty means NAME-mysql.NAMESPACE of"
                            + " the Keyspace. The same for all servers, and no address.")
            @Default("\"\"")
            @Pattern("^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$")
            @Size(max = 253)
            String serverName) {
        public ServerTlsSpec {
            serverName = serverName == null ? "" : serverName;
        }

        /** The name that was asked for, or else this one. */
        public String nameFor(String otherwise) {
            return serverName.isEmpty() ? otherwise : serverName;
        }
    }

    /** One line of my.cnf. */
    public record ConfigSetting(
            @JsonPropertyDescription("A system variable's full name, with underscores.")
            @Required
            @Size(max = 64)
            @Pattern("^[a-z][a-z0-9_]*$")
            @ValidationRule(value = OwnedSettings.RULE, message = OwnedSettings.MESSAGE)
            String name,

            @JsonPropertyDescription("Its value, in one line, without quotes, backslashes, # and ;.")
            @Required
            @Size(max = 1000)
            @Pattern("^([!$-&(-:<-\\[\\]-_a-~]([ !$-&(-:<-\\[\\]-_a-~]*[!$-&(-:<-\\[\\]-_a-~])?)?$")
            String value) {}
}
