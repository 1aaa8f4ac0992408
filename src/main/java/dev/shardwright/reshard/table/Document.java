package dev.shardwright.reshard.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shardwright.mysql.binlog.JsonDecimal;
import dev.shardwright.mysql.client.RowTooLargeException;
import dev.shardwright.mysql.client.SoftHeap;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * JSON documents in their one form: the text, and behind a line feed, which the text never holds, the scalars that the text
 * alone would make something else of. Each is told by its number among the document's scalars and a letter: D a date, T a time,
 * M a DATETIME, S a TIMESTAMP, B bytes, N a DECIMAL that no double and no integer is.
 */
public final class Document {
    private static final int PIECE = 64 << 10;
    private static final int LARGE_BYTES = 1 << 20;
    /** About how many times its text a document takes as nodes. */
    private static final long NODES_PER_TEXT = 16;

    private static final Pattern BYTES = Pattern.compile("base64:type(\\d+):(.*)", Pattern.DOTALL);
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Document() {}

    /**
     * What to SELECT of a column for {@link #normal}: the text, and if that is not the whole truth the types of the root, of
     * all members and of all elements. A path with two stars gives a container's children, then those of each of them.
     */
    static String selected(String name) {
        var text = "CAST(" + name + " AS CHAR CHARACTER SET utf8mb4)";
        return "IF(" + name + " = CAST(" + text + " AS JSON), " + name + ", CONCAT(" + text + ", '\\n', JSON_TYPE("
                + name + "), '\\n', " + types(name, "$**.*") + ", '\\n', " + types(name, "$**[*]") + "))";
    }

    /** A condition that the column holds a document with the same text and types. */
    static String matches(String name, String written) {
        return "CAST(" + selected(name) + " AS BINARY) = (SELECT CAST(" + selected("`shardwright document`")
                + " AS BINARY) FROM (SELECT CAST(" + written
                + " AS JSON) AS `shardwright document`) `shardwright documents`)";
    }

    private static String types(String name, String path) {
        // JSON_TABLE makes NULL of a null.
        return "COALESCE((SELECT GROUP_CONCAT(COALESCE(JSON_TYPE(`shardwright value`), 'NULL')) FROM JSON_TABLE(" + name
                + ", '" + path + "' COLUMNS (`shardwright value` JSON PATH '$')) `shardwright values`), '')";
    }

    /** The one form of what the server answered to {@link #selected}. */
    static byte[] normal(byte[] selected) {
        var end = lineFeed(selected, 0, selected.length);
        if (end == selected.length) {
            return selected;
        }
        var types = new String(selected, end + 1, selected.length - end - 1, StandardCharsets.US_ASCII).split("\n", -1);
        var text = Arrays.copyOf(selected, end);
        return joined(text, new Types(types[1], types[2]).of(read(text), types[0]));
    }

    private static byte[] joined(byte[] text, Map<Integer, Character> types) {
        if (types.isEmpty()) {
            return text;
        }
        var marks = types.entrySet().stream()
                .map(type -> type.getKey() + String.valueOf(type.getValue()))
                .collect(Collectors.joining(",", "\n", ""))
                .getBytes(StandardCharsets.US_ASCII);
        var value = Arrays.copyOf(text, text.length + marks.length);
        System.arraycopy(marks, 0, value, text.length, marks.length);
        return value;
    }

    /** Gives each scalar of a document its type. */
    private static final class Types {
        private final Iterator<String> ofMembers;
        private final Iterator<String> ofElements;
        private final Map<Integer, Character> found = new LinkedHashMap<>();

        Types(String ofMembers, String ofElements) {
            this.ofMembers = List.of(ofMembers.split(",")).iterator();
            this.ofElements = List.of(ofElements.split(",")).iterator();
        }

        Map<Integer, Character> of(JsonNode root, String type) {
            if (root.isContainerNode()) {
                children(root, 0);
            } else {
                note(0, type, root);
            }
            return found;
        }

        /** Returns the number of the first scalar behind the node. */
        private int children(JsonNode node, int first) {
            var types = new ArrayList<String>();
            node.forEach(child -> types.add(next(node.isObject() ? ofMembers : ofElements)));
            var number = first;
            var type = types.iterator();
            for (var child : node) {
                var its = type.next();
                if (child.isContainerNode()) {
                    number = children(child, number);
                } else {
                    note(number++, its, child);
                }
            }
            return number;
        }

        private static String next(Iterator<String> types) {
            if (!types.hasNext()) {
                throw new MoveException("MySQL tells too few types of the values of a JSON document");
            }
            return types.next();
        }

        private void note(int number, String type, JsonNode value) {
            switch (type) {
                case "DATE" -> found.put(number, 'D');
                case "TIME" -> found.put(number, 'T');
                case "DATETIME" -> found.put(number, 'M');
                case "TIMESTAMP" -> found.put(number, 'S');
                case "DECIMAL" -> {
                    // As the binary log has it: a row that is matched by all of its values may come from either.
                    if (!JsonDecimal.isToldByText(value.decimalValue())) {
                        found.put(number, 'N');
                    }
                }
                case "BLOB", "BIT", "OPAQUE" -> found.put(number, 'B');
                case "STRING", "INTEGER", "UNSIGNED INTEGER", "DOUBLE", "BOOLEAN", "NULL" -> {}
                default -> throw new MoveException("a JSON document holds a value of unknown type " + type);
            }
        }
    }

    /** The text alone. */
    public static byte[] text(byte[] value) {
        var end = lineFeed(value, 0, value.length);
        return end == value.length ? value : Arrays.copyOf(value, end);
    }

    /** Whether the text is all there is of it. */
    static boolean isText(byte[] memory, int from, int to) {
        return lineFeed(memory, from, to) == to;
    }

    /** As {@link #isText(byte[], int, int)}, of a value that need not be in memory. */
    static boolean isText(InputStream value) {
        var piece = new byte[PIECE];
        try (value) {
            for (var length = value.read(piece); length >= 0; length = value.read(piece)) {
                if (!isText(piece, 0, length)) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Bytes that are the same for two forms of one document: the binary log and SELECT write numbers in different ways.
     * DECIMALs are numbers among numbers, which their texts tell.
     */
    public static byte[] canonical(byte[] value) {
        var bytes = new Bytes(value.length + 16);
        var types = types(value);
        types.values().removeIf(type -> type == 'N');
        bytes.putPacked(types.toString().getBytes(StandardCharsets.US_ASCII));
        try (var parser = JSON.createParser(text(value))) {
            for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
                bytes.put(token.ordinal());
                var text = parser.getText();
                bytes.putPacked(
                        (token == JsonToken.VALUE_NUMBER_FLOAT ? number(text) : text).getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw unreadable(e);
        }
        return bytes.toArray();
    }

    private static String number(String text) {
        return (text.startsWith("-") ? "-" : "") + new BigDecimal(text).abs().stripTrailingZeros();
    }

    private static Map<Integer, Character> types(byte[] value) {
        var types = new LinkedHashMap<Integer, Character>();
        var end = lineFeed(value, 0, value.length);
        if (end < value.length) {
            for (var mark : new String(value, end + 1, value.length - end - 1, StandardCharsets.US_ASCII).split(",")) {
                types.put(Integer.valueOf(mark.substring(0, mark.length() - 1)), mark.charAt(mark.length() - 1));
            }
        }
        return types;
    }

    /** Where it is; {@code to} if it is not there. */
    private static int lineFeed(byte[] memory, int from, int to) {
        var at = from;
        while (at < to && memory[at] != '\n') {
            at++;
        }
        return at;
    }

    /** An SQL expression for the document, given one for its text. */
    static String expression(byte[] value, String text) {
        var types = types(value);
        if (types.isEmpty()) {
            return text;
        }
        var paths = new ArrayList<String>();
        replacements(read(text(value)), "$", types, new int[1], paths);
        return "JSON_REPLACE(CAST(" + text + " AS JSON)" + String.join("", paths) + ")";
    }

    private static void replacements(
            JsonNode node, String path, Map<Integer, Character> types, int[] number, List<String> into) {
        if (node.isObject()) {
            node.properties()
                    .forEach(member ->
                            replacements(member.getValue(), path + "." + quoted(member.getKey()), types, number, into));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                replacements(node.get(i), path + "[" + i + "]", types, number, into);
            }
        } else {
            var type = types.get(number[0]++);
            if (type != null) {
                into.add(", " + Sql.text(path) + ", "
                        + scalar(type, node.isNumber() ? node.decimalValue().toPlainString() : node.asText()));
            }
        }
    }

    private static String quoted(String key) {
        try {
            return JSON.writeValueAsString(key);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String scalar(char type, String text) {
        return switch (type) {
            case 'D' -> "CAST('" + text + "' AS DATE)";
            case 'T' -> "CAST('" + text + "' AS TIME(6))";
            case 'M' -> "CAST('" + text + "' AS DATETIME(6))";
            case 'S' -> column("TIMESTAMP(6)", "'" + text + "'");
            case 'N' -> text.indexOf('.') < 0 ? "CAST(" + text + " AS DECIMAL(65))" : text;
            default -> bytes(text);
        };
    }

    /** A document knows of bytes from which type of column they came. */
    private static String bytes(String text) {
        var parts = BYTES.matcher(text);
        if (!parts.matches()) {
            throw new MoveException("a JSON document holds bytes as " + text + ", which is not understood");
        }
        var bytes = Base64.getMimeDecoder().decode(parts.group(2));
        var literal = Sql.bytes(bytes);
        return switch (parts.group(1)) {
            case "15" -> literal;
            case "16" -> column("BIT(" + 8 * bytes.length + ")", new BigInteger(1, bytes).toString());
            case "249" -> column("TINYBLOB", literal);
            case "250" -> column("MEDIUMBLOB", literal);
            case "251" -> column("LONGBLOB", literal);
            case "252" -> column("BLOB", literal);
            case "254" -> column("BINARY(" + bytes.length + ")", literal);
            default ->
                throw new MoveException("a JSON document holds bytes of a column of type " + parts.group(1)
                        + ", which no statement can write; make a string or a number of them");
        };
    }

    private static String column(String type, String value) {
        return "(SELECT v FROM JSON_TABLE(JSON_ARRAY(" + value + "), '$[*]' COLUMNS (v " + type + " PATH '$')) t)";
    }

    private static JsonNode read(byte[] text) {
        try {
            if (text.length > LARGE_BYTES) {
                SoftHeap.reserve("a JSON document with dates, bytes or large DECIMALs", text.length * NODES_PER_TEXT);
            }
            return JSON.readTree(text);
        } catch (RowTooLargeException e) {
            throw new UncheckedIOException(e);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private static MoveException unreadable(IOException e) {
        return new MoveException("a JSON document can't be read: " + e.getMessage(), e);
    }
}
