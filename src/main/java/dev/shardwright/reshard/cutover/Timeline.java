package dev.shardwright.reshard.cutover;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * When each step of a switchover began and how long it took, so that one sees where the clients' wait went. Steps that
 * run side by side overlap.
 *
 * @param steps in the order in which they began
 */
public record Timeline(List<Timing> steps) {

    public Timeline {
        steps = List.copyOf(steps);
    }

    /**
     * One step.
     *
     * @param began since the fence was begun ({@link Step#MARK_FENCED}), before which nobody waits; negative before it
     */
    public record Timing(Step step, Duration began, Duration took) {
        Duration ended() {
            return began.plus(took);
        }
    }

    /** How long statements for the shards were held: from the first write of the fence until servers let them in again. */
    public Duration held() {
        return steps.stream()
                .filter(timing -> timing.step() == Step.OPEN || timing.step() == Step.MARK_SERVING)
                .map(Timing::ended)
                .reduce(Duration.ZERO, (one, other) -> one.compareTo(other) > 0 ? one : other);
    }

    /** Such as {@code 12.3ms}. */
    public static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.1fms", time.toNanos() / 1e6);
    }

    /** On one line. */
    @Override
    public String toString() {
        return "statements were held for " + millis(held()) + "; steps by when they began, and how long they took: "
                + steps.stream()
                        .map(timing ->
                                timing.step() + " " + millis(timing.began()) + " (" + millis(timing.took()) + ")")
                        .collect(Collectors.joining(", "));
    }
}
