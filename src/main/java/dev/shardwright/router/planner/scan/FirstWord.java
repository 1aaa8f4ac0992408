package dev.shardwright.router.planner.scan;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** The word that a statement begins with. */
public final class FirstWord {
    /** Statements whose plan does not depend on the values of their literals. */
    private static final Set<String> DATA =
            Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "VALUES", "TABLE");

    private FirstWord() {}

    static boolean hasInterchangeableLiterals(byte[] statement) {
        return DATA.contains(of(statement));
    }

    /** In upper case; empty when the text begins with something else. Skips comments and opening parentheses. */
    public static String of(byte[] statement) {
        var pos = skipped(statement);
        var end = pos;
        while (end < statement.length && Ascii.isNamePart(statement[end])) {
            end++;
        }
        return new String(statement, pos, end - pos, StandardCharsets.ISO_8859_1).toUpperCase(Locale.ROOT);
    }

    private static int skipped(byte[] in) {
        var pos = 0;
        while (pos < in.length) {
            if (Ascii.isSpace(in[pos]) || in[pos] == '(') {
                pos++;
            } else if (in[pos] == '#' || startsWith(in, pos, "-- ") || startsWith(in, pos, "--\n")) {
                pos = after(in, pos, "\n");
            } else if (startsWith(in, pos, "/*") && !startsWith(in, pos, "/*!")) {
                pos = after(in, pos + 2, "*/");
            } else {
                return pos;
            }
        }
        return pos;
    }

    private static int after(byte[] in, int from, String what) {
        for (var i = from; i < in.length; i++) {
            if (startsWith(in, i, what)) {
                return i + what.length();
            }
        }
        return in.length;
    }

    private static boolean startsWith(byte[] in, int at, String what) {
        if (at + what.length() > in.length) {
            return false;
        }
        for (var i = 0; i < what.length(); i++) {
            if (in[at + i] != what.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
