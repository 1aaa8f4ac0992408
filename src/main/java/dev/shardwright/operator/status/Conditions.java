package dev.shardwright.operator.status;

import dev.shardwright.api.Condition;
import dev.shardwright.api.Condition.Truth;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** A resource's next conditions: a condition keeps its time for as long as its status stays the same. */
public final class Conditions {
    private static final int LONGEST_MESSAGE = 2_000;

    private final List<Condition> before;
    private final Long generation;
    private final Clock clock;
    private final List<Condition> next = new ArrayList<>();

    /** {@code before}: those that the resource has now; {@code generation}: its metadata.generation. */
    public Conditions(List<Condition> before, Long generation, Clock clock) {
        this.before = before;
        this.generation = generation;
        this.clock = clock;
    }

    public Conditions with(String type, Truth status, String reason, String message) {
        var since = before.stream()
                .filter(condition -> condition.type().equals(type) && condition.status() == status)
                .map(Condition::lastTransitionTime)
                .findFirst()
                .orElseGet(
                        () -> Instant.now(clock).truncatedTo(ChronoUnit.SECONDS).toString());
        next.add(new Condition(type, status, reason, shortened(message), since, generation));
        return this;
    }

    /** False with the problem's words. */
    public Conditions without(String type, Problem problem) {
        return with(type, Truth.False, problem.reason(), problem.message());
    }

    public List<Condition> list() {
        return List.copyOf(next);
    }

    private static String shortened(String message) {
        return message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE) + "...";
    }
}
