package dev.shardwright.local.workload;

import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** What one thread measured. It alone records; anybody may look at any time. */
final class ThreadStats {
    private static final int SECONDS_KEPT = 3_600;
    private static final int ANOMALIES_KEPT = 5;

    private final String thread;
    private final Map<StatementKind, Latencies> latencies = new EnumMap<>(StatementKind.class);
    private final Map<Integer, Long> errors = new TreeMap<>();
    private final Map<Integer, String> firstMessages = new TreeMap<>();
    private final List<String> firstAnomalies = new ArrayList<>();
    private final LongAdder errorCount = new LongAdder();
    private final LongAdder retriedTransactions = new LongAdder();
    private final LongAdder reconnects = new LongAdder();
    private final LongAdder anomalies = new LongAdder();
    private final NavigableMap<Long, Stall> longestOfSecond = new ConcurrentSkipListMap<>();
    private volatile Stall longest = Stall.NONE;

    /**
     * The longest time that a client waited for one answer, reconnects and retries included.
     *
     * @param endedAtMillis when the answer came, milliseconds since 1970
     */
    record Stall(String thread, String statement, long micros, long endedAtMillis) {
        static final Stall NONE = new Stall("", "", 0, 0);
    }

    ThreadStats(String thread) {
        this.thread = thread;
        for (var kind : StatementKind.values()) {
            latencies.put(kind, new Latencies());
        }
    }

    void answered(StatementKind kind, long nanos) {
        long micros = nanos / 1_000;
        latencies(kind).record(micros);
        long now = System.currentTimeMillis();
        var stall = new Stall(thread, kind.words(), micros, now);
        if (micros > longest.micros()) {
            longest = stall;
        }
        longestOfSecond.merge(now / 1_000, stall, (one, other) -> one.micros() >= other.micros() ? one : other);
        if (longestOfSecond.size() > SECONDS_KEPT) {
            longestOfSecond.pollFirstEntry();
        }
    }

    void error(SQLException failure) {
        errorCount.increment();
        synchronized (errors) {
            errors.merge(failure.getErrorCode(), 1L, Long::sum);
            firstMessages.putIfAbsent(failure.getErrorCode(), Outcome.message(failure));
        }
    }

    void retriedTransaction() {
        retriedTransactions.increment();
    }

    void reconnected() {
        reconnects.increment();
    }

    /** An answer that can't be right; the first ones are kept to be shown. */
    void anomaly(String text) {
        anomalies.increment();
        synchronized (firstAnomalies) {
            if (firstAnomalies.size() < ANOMALIES_KEPT) {
                firstAnomalies.add(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + thread + ": " + text);
            }
        }
    }

    List<String> firstAnomalies() {
        synchronized (firstAnomalies) {
            return List.copyOf(firstAnomalies);
        }
    }

    Latencies latencies(StatementKind kind) {
        return Objects.requireNonNull(latencies.get(kind));
    }

    Stall longestStall() {
        return longest;
    }

    /** The longest stall of each second, of the last hour. */
    Map<Long, Stall> longestOfSecond() {
        return new TreeMap<>(longestOfSecond);
    }

    Map<Integer, Long> errors() {
        synchronized (errors) {
            return new TreeMap<>(errors);
        }
    }

    /** The first message of each errno. */
    Map<Integer, String> firstMessages() {
        synchronized (errors) {
            return new TreeMap<>(firstMessages);
        }
    }

    long errorCount() {
        return errorCount.sum();
    }

    long retriedTransactions() {
        return retriedTransactions.sum();
    }

    long reconnects() {
        return reconnects.sum();
    }

    long anomalies() {
        return anomalies.sum();
    }
}
