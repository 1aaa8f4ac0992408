package dev.shardwright.reshard.cutover;

import java.time.Duration;
import java.util.List;

/** How a switchover attempt ended. */
public sealed interface Outcome {

    /** The new shards serve. Opening them and the way back may need to be brought to an end by {@link AfterFlip}. */
    record Flipped(List<Timing> timings) implements Outcome {
        public Flipped {
            timings = List.copyOf(timings);
        }
    }

    /** It has not begun. {@code blocked}: it does not go away by waiting. */
    record NotReady(boolean blocked, String reason, String message) implements Outcome {}

    /** It was begun and undone: everything is as before. */
    record Reverted(String reason, String message) implements Outcome {}

    /** It is neither flipped nor undone: the shards are held and their servers fenced; resume it soon. */
    record Unfinished(String reason, String message) implements Outcome {}

    /** How long a step took. */
    record Timing(Step step, Duration took) {
        @Override
        public String toString() {
            return step + " " + took.toNanos() / 100_000 / 10.0 + " ms";
        }
    }
}
