package dev.shardwright.router.session;

import dev.shardwright.router.planner.SessionStatement.Assignment;
import java.util.ArrayList;
import java.util.List;

/**
 * What the client has SET, in an order that gives the same state when it is replayed. Each assignment has
 * a growing version, so a backend connection needs only those after the one it has.
 */
public final class SessionVariables {
    /** A session that sets more than this by expressions is refused, so that its memory stays bounded. */
    static final int MAX_ASSIGNMENTS = 1_000;

    /** One assignment at its place in the session's life. */
    public record Versioned(long version, Assignment assignment) {}

    private final List<Versioned> log = new ArrayList<>();
    private long version;
    private boolean hasExpressions;

    public long version() {
        return version;
    }

    public boolean isFull() {
        return log.size() >= MAX_ASSIGNMENTS;
    }

    /** The server has accepted this assignment. */
    public void add(Assignment assignment) {
        boolean expression = isExpression(assignment);
        hasExpressions |= expression;
        // An expression may read what an earlier assignment set, so then nothing is dropped.
        if (!hasExpressions) {
            log.removeIf(earlier -> earlier.assignment().name().equals(assignment.name()));
        }
        log.add(new Versioned(++version, assignment));
    }

    private static boolean isExpression(Assignment assignment) {
        int equals = assignment.sql().indexOf('=');
        var value = assignment.sql().substring(equals + 1);
        return value.indexOf('@') >= 0 || value.indexOf('(') >= 0;
    }

    /** The first assignment after this version, or null. */
    public @org.jspecify.annotations.Nullable Versioned after(long known) {
        if (known >= version) {
            return null;
        }
        for (var entry : log) {
            if (entry.version() > known) {
                return entry;
            }
        }
        return null;
    }

    public void clear() {
        log.clear();
        version = 0;
        hasExpressions = false;
    }
}
