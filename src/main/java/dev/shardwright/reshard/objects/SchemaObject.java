package dev.shardwright.reshard.objects;

/**
 * An object as information_schema tells of it. Two servers have the same one when these are equal.
 *
 * @param table what a trigger is on; empty for others
 * @param order among the triggers of the same table, time and event, from 1; 0 for others
 * @param definition a view's query, else the body
 * @param attributes all else that SHOW CREATE would show but its ALGORITHM: definer, parameters, schedule, comment...
 * @param session what the session was set to that made it
 */
record SchemaObject(
        Kind kind, String name, String table, int order, String definition, String attributes, Session session) {

    enum Kind {
        DATABASE,
        FUNCTION,
        PROCEDURE,
        VIEW,
        EVENT,
        TRIGGER;

        /** As a message says it. */
        String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        boolean isRoutine() {
            return this == FUNCTION || this == PROCEDURE;
        }
    }

    /**
     * Kept with an object, and in force whenever its code runs. Empty where the kind has no such thing.
     *
     * @param charset of the text that it was made by
     * @param collation of literals
     * @param databaseCollation the database's default at that time
     */
    record Session(String sqlMode, String timeZone, String charset, String collation, String databaseCollation) {}

    /** Kind and name, for people. */
    String title() {
        return kind.word() + " " + name + (table.isEmpty() ? "" : " on table " + table);
    }

    boolean isAscii() {
        return definition.chars().allMatch(c -> c < 128)
                && attributes.chars().allMatch(c -> c < 128)
                && name.chars().allMatch(c -> c < 128);
    }
}
