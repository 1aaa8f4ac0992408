package dev.shardwright.router.executor.merge;

import java.util.HexFormat;
import java.util.Map;

/**
 * How weights of a collation are compared: byte by byte; and where the collation pads with spaces, the
 * shorter one as if it went on with the weight of a space. Weights themselves always come from MySQL.
 */
final class Collations {
    private static final byte[] NO_PAD = {};

    private static final Map<String, byte[]> SPACES = Map.ofEntries(
            space("utf8mb4_general_ci", "0020"),
            space("utf8mb4_bin", "000020"),
            space("utf8mb4_unicode_ci", "0209"),
            space("utf8mb4_unicode_520_ci", "020a"),
            space("utf8mb3_general_ci", "0020"),
            space("utf8mb3_bin", "0020"),
            space("utf8mb3_unicode_ci", "0209"),
            space("latin1_swedish_ci", "20"),
            space("latin1_bin", "20"),
            space("latin1_general_ci", "20"),
            space("latin1_general_cs", "20"),
            space("ascii_general_ci", "20"),
            space("ascii_bin", "20"));

    private Collations() {}

    private static Map.Entry<String, byte[]> space(String collation, String weight) {
        return Map.entry(collation, HexFormat.of().parseHex(weight));
    }

    /** A space's weight; empty when the collation does not pad. */
    static byte[] padding(String collation) {
        if (collation.contains("_0900_") || collation.equals("binary")) {
            return NO_PAD;
        }
        var space = SPACES.get(collation);
        if (space == null) {
            throw MergeException.unsupported(
                    "sorting by collation " + collation,
                    "use utf8mb4_0900_ai_ci or another of the utf8mb4_0900 collations");
        }
        return space;
    }
}
