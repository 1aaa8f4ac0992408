package dev.shardwright.router.planner.scan;

import java.util.Set;

/** Names of character sets that may stand before a literal, in lower case. */
public final class Introducers {
    public static final Set<String> KNOWN =
            Set.of("_utf8mb4", "_utf8mb3", "_utf8", "_latin1", "_ascii", "_binary", "_ucs2", "_utf16", "_utf32");

    private Introducers() {}
}
