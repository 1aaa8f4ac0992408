package dev.shardwright.reshard.objects;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the SQL of objects far enough to see what it may touch; when in doubt, it may. */
final class Code {
    /** Comments but those that MySQL runs; strings and quoted names whole, so that nothing in them begins a comment. */
    private static final Pattern TOKENS = Pattern.compile(
            "(?<comment>/\\*(?!!).*?(?:\\*/|\\z)|#[^\\n]*|--(?=[\\s\\x00-\\x1f]|\\z)[^\\n]*)"
                    + "|'(?:[^'\\\\]|\\\\.|'')*+'|\"(?:[^\"\\\\]|\\\\.|\"\")*+\"|`(?:[^`]|``)*+`",
            Pattern.DOTALL);

    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_$]+");

    private static final Pattern TOUCHES_TABLES = Pattern.compile(
            "\\b(FROM|JOIN|UPDATE|DELETE|CALL|PREPARE|EXECUTE|TABLE|TRUNCATE|HANDLER\\s+\\S+\\s+(OPEN|READ)|LOAD|IMPORT|(INSERT|REPLACE)(?!\\s*\\())\\b",
            Pattern.CASE_INSENSITIVE);

    private Code() {}

    static String withoutComments(String sql) {
        return TOKENS.matcher(sql)
                .replaceAll(match -> java.util.regex.Matcher.quoteReplacement(
                        sql.startsWith("'", match.start())
                                        || sql.startsWith("\"", match.start())
                                        || sql.startsWith("`", match.start())
                                ? match.group()
                                : " "));
    }

    /** Every word in it in lower case, names and those in strings included: a string may be run as a statement. */
    static Set<String> words(String sql) {
        var words = new HashSet<String>();
        var matcher = WORD.matcher(withoutComments(sql));
        while (matcher.find()) {
            words.add(matcher.group().toLowerCase(Locale.ROOT));
        }
        return words;
    }

    /** Whether a trigger's body sets this column of the row. */
    static boolean assigns(String body, String column) {
        return Pattern.compile(
                        "(SET|,)\\s*NEW\\s*\\.\\s*`?" + Pattern.quote(column) + "`?\\s*:?=", Pattern.CASE_INSENSITIVE)
                .matcher(withoutComments(body))
                .find();
    }

    /** The routines that touch no table, neither themselves nor by others that they call. */
    static Set<SchemaObject> routinesWithoutTables(List<SchemaObject> objects) {
        var free = new LinkedHashSet<SchemaObject>();
        var touching = new HashSet<String>();
        for (var object : objects) {
            if (object.kind().isRoutine()) {
                if (TOUCHES_TABLES.matcher(withoutComments(object.definition())).find()) {
                    touching.add(object.name().toLowerCase(Locale.ROOT));
                } else {
                    free.add(object);
                }
            }
        }
        boolean found = true;
        while (found) {
            var callers = new ArrayList<SchemaObject>();
            for (var routine : free) {
                if (words(routine.definition()).stream().anyMatch(touching::contains)) {
                    callers.add(routine);
                }
            }
            found = !callers.isEmpty();
            free.removeAll(callers);
            callers.forEach(caller -> touching.add(caller.name().toLowerCase(Locale.ROOT)));
        }
        return free;
    }
}
