package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** What a shard is; fixed when it is made. All else comes from its keyspace. */
@ValidationRule(
        value = "self == oldSelf",
        message = "a Shard is made and kept by the operator: change its Keyspace, or use a ReshardWorkflow")
public record ShardSpec(
        @JsonPropertyDescription("The keyspace that it belongs to.") @Required @Size(min = 1, max = 26)
        String keyspace,

        @JsonPropertyDescription("The range of the key space that it holds or will hold.")
        @Required
        @Size(max = 17)
        @Pattern(KeyRangeRules.PATTERN)
        String range,

        @JsonPropertyDescription("Its identity, also on its server in _shardwright.identity.")
        @Required
        @Size(min = 1, max = 64)
        @Pattern("^[a-z0-9-]+$")
        String uid,

        @JsonPropertyDescription("The data volume that it was made with.") @Default("{}")
        MysqlSpec.StorageSpec storage) {

    public ShardSpec {
        storage = storage == null ? MysqlSpec.StorageSpec.DEFAULT : storage;
    }
}
