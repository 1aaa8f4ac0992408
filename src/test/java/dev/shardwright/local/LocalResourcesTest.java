package dev.shardwright.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LocalResourcesTest {
    private static final String KEYSPACE = """
            apiVersion: v1
            kind: Secret
            metadata: {name: other}
            ---
            apiVersion: shardwright.dev/v1alpha1
            kind: Keyspace
            metadata: {name: chat}
            spec:
              initialShards: %s
            """;
    private static final String WORKFLOW = """
            apiVersion: shardwright.dev/v1alpha1
            kind: ReshardWorkflow
            metadata: {name: split}
            spec:
              keyspace: chat
              sourceShards: %s
              targetShards: %s
            """;

    @Test
    void aKeyspaceIsFoundAmongOtherDocuments() {
        var keyspace = LocalResources.keyspace(KEYSPACE.formatted("[\"-80\", \"80-\"]"));

        assertThat(keyspace.name()).isEqualTo("chat");
        assertThat(SpecRules.check(keyspace.spec())).hasSize(2);
    }

    @Test
    void aMisspeltFieldIsNamed() {
        assertThatThrownBy(() -> LocalResources.keyspace(KEYSPACE.formatted("[\"-\"]") + "  initialShard: []\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("initialShard");
    }

    @Test
    void aTextWithoutKeyspaceSaysWhatIsExpected() {
        assertThatThrownBy(() -> LocalResources.keyspace("kind: Pod")).hasMessageContaining("expected one Keyspace");
    }

    @Test
    void gapsAndOverlapsAreRefused() {
        for (String ranges : new String[] {"[\"-40\", \"80-\"]", "[\"-80\", \"40-\"]", "[\"40-\"]", "[\"-40\"]"}) {
            var spec = LocalResources.keyspace(KEYSPACE.formatted(ranges)).spec();
            assertThatThrownBy(() -> SpecRules.check(spec)).hasMessageContaining("cover the key space");
        }
    }

    @Test
    void targetsMustCoverTheSourcesExactly() {
        assertRefused("[\"c0-\"]", "[\"c0-e0\"]", "cover exactly");
        assertRefused("[\"c0-\"]", "[\"c0-d0\", \"e0-\"]", "neighbours");
        assertRefused("[\"c0-\"]", "[\"c0-\"]", "merge several");
    }

    private static void assertRefused(String sources, String targets, String why) {
        var spec = LocalResources.workflow(WORKFLOW.formatted(sources, targets)).spec();
        assertThatThrownBy(() -> SpecRules.check(spec)).hasMessageContaining(why);
    }
}
