package dev.shardwright.router.planner.parse;

/** The text is not a statement of MySQL's grammar as we know it. */
public final class SyntaxException extends Exception {
    private final String where;

    public SyntaxException(String where) {
        super(where);
        this.where = where;
    }

    /** Where the text can't be read, or why. */
    public String where() {
        return where;
    }
}
