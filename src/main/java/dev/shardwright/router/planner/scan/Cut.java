package dev.shardwright.router.planner.scan;

import java.util.Set;

/**
 * One statement in a text of several.
 *
 * @param start offset of its first byte that is no white space
 * @param end offset behind it, without the semicolon
 * @param next where the text goes on behind the semicolon; -1: this is the last statement
 * @param unsure only MySQL's own parser can tell where it ends: it may have a body with semicolons in it, or
 *     can't be read with certainty
 */
public record Cut(int start, int end, int next, boolean unsure) {
    /** What can be created or altered without a body of statements; anything else may have one. */
    private static final Set<String> WITHOUT_BODY = Set.of(
            "TABLE",
            "TEMPORARY",
            "INDEX",
            "UNIQUE",
            "FULLTEXT",
            "SPATIAL",
            "VIEW",
            "ALGORITHM",
            "SQL",
            "DATABASE",
            "SCHEMA",
            "USER",
            "ROLE",
            "SERVER",
            "TABLESPACE",
            "UNDO",
            "LOGFILE",
            "RESOURCE",
            "INSTANCE");

    static boolean mayHaveBody(String first, String second) {
        return (first.equals("CREATE") || first.equals("ALTER")) && !WITHOUT_BODY.contains(second);
    }

    public boolean isLast() {
        return next < 0;
    }

    public boolean isEmpty() {
        return start == end;
    }
}
