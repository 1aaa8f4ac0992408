package dev.shardwright.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.shardwright.api.KeyspaceSpec;
import dev.shardwright.api.ReshardWorkflowSpec;
import java.io.IOException;
import java.util.ArrayList;

/** Reads the same YAML that kubectl applies. Documents of other kinds in the same text are passed over. */
final class LocalResources {
    private static final ObjectMapper YAML =
            new ObjectMapper(new YAMLFactory()).enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    private static final String GROUP = "shardwright.dev/";

    /** A resource's name and spec. */
    record Named<T>(String name, T spec) {}

    private LocalResources() {}

    /** IllegalArgumentException says what is wrong with the text. */
    static Named<KeyspaceSpec> keyspace(String yaml) {
        return only(yaml, "Keyspace", KeyspaceSpec.class);
    }

    /** IllegalArgumentException says what is wrong with the text. */
    static Named<ReshardWorkflowSpec> workflow(String yaml) {
        return only(yaml, "ReshardWorkflow", ReshardWorkflowSpec.class);
    }

    private static <T> Named<T> only(String yaml, String kind, Class<T> type) {
        var found = new ArrayList<Named<T>>();
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(yaml)) {
            while (documents.hasNext()) {
                var document = documents.next();
                if (document.path("kind").asText().equals(kind)
                        && document.path("apiVersion").asText().startsWith(GROUP)) {
                    found.add(read(document, kind, type));
                }
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("this is not a valid " + kind + ": " + said(e), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("the YAML can't be read: " + e.getMessage(), e);
        }
        if (found.size() != 1) {
            throw new IllegalArgumentException(
                    "expected one " + kind + " of " + GROUP + "v1alpha1, found " + found.size());
        }
        return found.getFirst();
    }

    private static <T> Named<T> read(JsonNode document, String kind, Class<T> type) throws JsonProcessingException {
        String name = document.path("metadata").path("name").asText();
        if (!name.matches("[a-z]([-a-z0-9]*[a-z0-9])?")) {
            throw new IllegalArgumentException("the " + kind + "'s metadata.name '" + name
                    + "' is not usable: write lower-case letters, digits and dashes, beginning with a letter");
        }
        var spec = document.path("spec");
        return new Named<>(name, YAML.treeToValue(spec instanceof MissingNode ? YAML.createObjectNode() : spec, type));
    }

    /** The parser's first line, without the position in an intermediate tree that nobody can see. */
    private static String said(JsonProcessingException e) {
        return e.getOriginalMessage().lines().findFirst().orElse("");
    }
}
