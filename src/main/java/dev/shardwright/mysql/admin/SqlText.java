package dev.shardwright.mysql.admin;

/** Names and strings as MySQL reads them back unchanged, for sessions whose sql_mode has neither ANSI_QUOTES nor NO_BACKSLASH_ESCAPES. */
public final class SqlText {
    private SqlText() {}

    /** An identifier in backticks. */
    public static String name(String identifier) {
        return '`' + identifier.replace("`", "``") + '`';
    }

    /** A database as GRANT reads it, where {@code _} and {@code %} are wildcards unless escaped. */
    public static String grantedDatabase(String database) {
        return name(database.replace("_", "\\_").replace("%", "\\%"));
    }

    /** A string literal. */
    public static String string(String value) {
        return '\'' + value.replace("\\", "\\\\").replace("'", "''") + '\'';
    }

    /** An account that may connect from anywhere. */
    public static String account(String user) {
        return string(user) + "@'%'";
    }
}
