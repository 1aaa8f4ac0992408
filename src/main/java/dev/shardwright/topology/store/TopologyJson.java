package dev.shardwright.topology.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.TopologyRules;
import java.util.stream.Collectors;

/** The topology document as text. Strict: what it does not understand wholly, it refuses. */
public final class TopologyJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private TopologyJson() {}

    /** The same text for equal documents. */
    public static String write(Topology topology) {
        try {
            return MAPPER.writeValueAsString(topology) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a topology can always be written as JSON", e);
        }
    }

    /** Throws TopologyFormatException that says what is wrong when the text is not a complete, valid document. */
    public static Topology read(String text) {
        var topology = parse(text);
        var problems = TopologyRules.problems(topology);
        if (!problems.isEmpty()) {
            throw new TopologyFormatException(String.join("; ", problems));
        }
        return topology;
    }

    private static Topology parse(String text) {
        try {
            var tree = MAPPER.readTree(text);
            checkFormat(tree);
            return MAPPER.treeToValue(tree, Topology.class);
        } catch (JsonProcessingException e) {
            throw new TopologyFormatException(
                    "it is not a topology document: " + e.getOriginalMessage() + " (" + place(e) + ")");
        } catch (RuntimeException e) {
            throw new TopologyFormatException("it is not a topology document: " + e.getMessage());
        }
    }

    private static String place(JsonProcessingException e) {
        if (e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()) {
            return "at "
                    + mapping.getPath().stream()
                            .map(step ->
                                    step.getFieldName() == null ? "[" + step.getIndex() + "]" : step.getFieldName())
                            .collect(Collectors.joining("."));
        }
        return e.getLocation() == null
                ? "at its beginning"
                : "line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    private static void checkFormat(JsonNode tree) {
        var format = tree.path("format");
        if (!format.isIntegralNumber()) {
            throw new TopologyFormatException("it is not a topology document: it has no format number");
        }
        if (format.asLong() != Topology.FORMAT) {
            throw new TopologyFormatException("it has format " + format.asText() + ", this version reads format "
                    + Topology.FORMAT + ": update Shardwright, or restore the document of this version");
        }
    }
}
