package dev.shardwright.router.planner.scan;

import java.util.Locale;
import java.util.Set;

/** The members of sql_mode that change how a statement is read. */
public record SqlModes(
        boolean ansiQuotes,
        boolean noBackslashEscapes,
        boolean pipesAsConcat,
        boolean highNotPrecedence,
        boolean ignoreSpace) {

    /** MySQL's default: none of them. */
    public static final SqlModes DEFAULT = new SqlModes(false, false, false, false, false);

    /** Reads a value of {@code @@sql_mode}; members that do not change the reading are skipped. */
    public static SqlModes parse(String sqlMode) {
        var members = Set.of(sqlMode.toUpperCase(Locale.ROOT).replace(" ", "").split(","));
        var ansi = members.contains("ANSI");
        return new SqlModes(
                ansi || members.contains("ANSI_QUOTES"),
                members.contains("NO_BACKSLASH_ESCAPES"),
                ansi || members.contains("PIPES_AS_CONCAT"),
                members.contains("HIGH_NOT_PRECEDENCE"),
                ansi || members.contains("IGNORE_SPACE"));
    }

    /** One bit for each member, for the plan key. */
    public int bits() {
        return (ansiQuotes ? 1 : 0)
                | (noBackslashEscapes ? 2 : 0)
                | (pipesAsConcat ? 4 : 0)
                | (highNotPrecedence ? 8 : 0)
                | (ignoreSpace ? 16 : 0);
    }
}
