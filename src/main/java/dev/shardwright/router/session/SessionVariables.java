package dev.shardwright.router.session;

import dev.shardwright.router.planner.SessionStatement.Assignment;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What has been SET in a session, in an order that gives the same state when it is replayed; all values are constants.
 * Each assignment has a growing version, so a backend connection needs only those after the one it has.
 */
public final class SessionVariables {
    /** A session that sets more variables than this is refused, so that its memory stays bounded. */
    static final int MAX_ASSIGNMENTS = 1_000;

    private static final Pattern READ_ONLY =
            Pattern.compile("(READ\\s+ONLY|=\\s*(ON|1|TRUE|'ON'|\"ON\"))\\s*$", Pattern.CASE_INSENSITIVE);

    /** One assignment at its place in the session's life. */
    public record Versioned(long version, Assignment assignment) {}

    private final List<Versioned> log = new ArrayList<>();
    private List<Assignment> reading = List.of();
    private boolean onlyReads;
    private long version;

    public long version() {
        return version;
    }

    public boolean isFull() {
        return log.size() >= MAX_ASSIGNMENTS;
    }

    /** The server has accepted this assignment. */
    public void add(Assignment assignment) {
        log.removeIf(earlier -> earlier.assignment().name().equals(assignment.name()));
        log.add(new Versioned(++version, assignment));
        if (assignment.changesReading()) {
            reading = log.stream()
                    .map(Versioned::assignment)
                    .filter(Assignment::changesReading)
                    .toList();
        }
        if (assignment.name().equals("transaction_read_only")) {
            onlyReads = READ_ONLY.matcher(assignment.sql()).find();
        }
    }

    /** Those that decide how a server reads a statement's text. */
    public List<Assignment> reading() {
        return reading;
    }

    /** Whether the session has set this one; of a user variable the name begins with {@code @}. */
    public boolean has(String name) {
        return log.stream().anyMatch(entry -> entry.assignment().name().equals(name));
    }

    /** Whether transactions may only read whose mode nobody names. */
    public boolean onlyReads() {
        return onlyReads;
    }

    /** The first assignment after this version, or null. */
    public @Nullable Versioned after(long known) {
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

    /**
     * Which version a connection has on which exactly these were set, in this order; 0 when nothing was, -1 when it has
     * something that this session has not.
     */
    public long versionOf(List<Assignment> assigned) {
        if (assigned.size() > log.size()) {
            return -1;
        }
        for (int i = 0; i < assigned.size(); i++) {
            if (!assigned.get(i).equals(log.get(i).assignment())) {
                return -1;
            }
        }
        return assigned.isEmpty() ? 0 : log.get(assigned.size() - 1).version();
    }

    /** As MySQL resets a session: active roles stay. */
    void reset() {
        var roles = log.stream()
                .map(Versioned::assignment)
                .filter(assignment -> assignment.name().equals(Assignment.ROLE))
                .toList();
        clear();
        roles.forEach(this::add);
    }

    void clear() {
        log.clear();
        reading = List.of();
        onlyReads = false;
        version = 0;
    }
}
