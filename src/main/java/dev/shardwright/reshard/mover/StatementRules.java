package dev.shardwright.reshard.mover;

import java.util.regex.Pattern;

/** Which statements in the source's binary log have no effect on the rows that are moved. */
final class StatementRules {
    private static final Pattern COMMENTS =
            Pattern.compile("^(\\s|/\\*(?!!).*?\\*/|#[^\\n]*\\n|--\\s[^\\n]*\\n)+", Pattern.DOTALL);
    /** Events drop themselves; a switchover takes them along as they are then. */
    private static final Pattern HARMLESS = Pattern.compile(
            "^(GRANT|REVOKE|FLUSH|ANALYZE|OPTIMIZE|CHECK|REPAIR|SET|(CREATE|ALTER|DROP|RENAME) (USER|ROLE|RESOURCE|SERVER|UNDO|LOGFILE|TABLESPACE)"
                    + "|(CREATE|ALTER)( DEFINER ?= ?\\S+)? EVENT|DROP EVENT|CREATE TEMPORARY TABLE|DROP (/\\*!40005 TEMPORARY \\*/|TEMPORARY) TABLE|(CREATE|DROP) SPATIAL REFERENCE)\\b",
            Pattern.CASE_INSENSITIVE);

    private final String keyspace;
    private final Pattern mention;

    StatementRules(String keyspace) {
        this.keyspace = keyspace;
        var name = "(?<![\\w$`-])`?" + Pattern.quote(keyspace) + "`?";
        this.mention = Pattern.compile(
                name + "\\s*\\.|\\b(DATABASE|SCHEMA)\\s+(IF\\s+(NOT\\s+)?EXISTS\\s+)?" + name + "(?![\\w$-])",
                Pattern.CASE_INSENSITIVE);
    }

    /** False when it may have changed a table, or anything else, of the keyspace's database. */
    boolean isHarmless(String database, String sql) {
        var text = COMMENTS.matcher(sql).replaceFirst("").replaceAll("\\s+", " ");
        if (HARMLESS.matcher(text).find()) {
            return true;
        }
        return !database.equals(keyspace) && !mention.matcher(text).find();
    }
}
