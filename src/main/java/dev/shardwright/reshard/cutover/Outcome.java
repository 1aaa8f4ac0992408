package dev.shardwright.reshard.cutover;

/** How a switchover attempt ended. */
public sealed interface Outcome {

    /** The new shards serve. Opening them and the way back may need to be brought to an end by {@link AfterFlip}. */
    record Flipped(Timeline timeline) implements Outcome {}

    /** It has not begun. {@code blocked}: it does not go away by waiting. */
    record NotReady(boolean blocked, String reason, String message) implements Outcome {}

    /** It was begun and undone: everything is as before. */
    record Reverted(String reason, String message, Timeline timeline) implements Outcome {}

    /** It is neither flipped nor undone: the shards are held and their servers fenced; resume it soon. */
    record Unfinished(String reason, String message) implements Outcome {}
}
