package dev.shardwright.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.shardwright.api.KeyspaceSpec;
import dev.shardwright.local.workload.ChatVindexes;
import org.junit.jupiter.api.Test;

class DemoResourcesTest {

    @Test
    void theDemosKeyspaceSpreadsTheTablesThatTheWorkloadNeeds() throws Exception {
        var yaml = new ObjectMapper(new YAMLFactory());
        var spec =
                yaml.treeToValue(yaml.readTree(Demo.resource("keyspace.yaml")).path("spec"), KeyspaceSpec.class);

        assertThat(spec.vschema()).isEqualTo(ChatVindexes.vschema());
    }
}
