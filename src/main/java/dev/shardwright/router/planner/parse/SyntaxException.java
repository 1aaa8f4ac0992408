package dev.shardwright.router.planner.parse;

/** The text is not a statement of MySQL's grammar as we know it. */
public final class SyntaxException extends Exception {
    public SyntaxException(String message) {
        super(message);
    }
}
