package dev.shardwright.router.session;

/** Character sets of the collations that clients name at their login. */
final class Charsets {
    private Charsets() {}

    /** In lower case; {@code unknown} for a collation that no common driver names. */
    static String ofCollation(int id) {
        return switch (id) {
            case 45, 46, 255 -> "utf8mb4";
            case 33, 76, 83, 223 -> "utf8mb3";
            case 5, 8, 15, 31, 47, 48, 49, 94 -> "latin1";
            case 11, 65 -> "ascii";
            case 63 -> "binary";
            default ->
                id >= 224 && id <= 247 || id >= 256 && id <= 323
                        ? "utf8mb4"
                        : id >= 192 && id <= 215 ? "utf8mb3" : "unknown";
        };
    }
}
