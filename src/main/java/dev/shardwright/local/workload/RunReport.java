package dev.shardwright.local.workload;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one client measured; {@code client-N.json} in the history directory. Times in microseconds.
 *
 * @param errors errors that the application saw; retried transactions are not among them
 * @param errorExamples the first message of each errno
 * @param retriedTransactions transactions that were told to try again (1213) and did
 * @param anomalies answers that can't be right
 * @param anomalyExamples the first ones of each thread, with the time and the thread
 * @param stalls the longest wait of each thread, longest first
 * @param stallsBySecond the longest wait of each thread that ended in each second, in the order of their ends
 */
public record RunReport(
        int client,
        long seconds,
        List<Line> statements,
        long errors,
        Map<Integer, Long> errorsByErrno,
        Map<Integer, String> errorExamples,
        long retriedTransactions,
        long reconnects,
        long anomalies,
        List<String> anomalyExamples,
        List<Stall> stalls,
        List<Stall> stallsBySecond) {

    public record Line(String statement, long count, long p50, long p99, long p999) {}

    public record Stall(String thread, String statement, long micros, long endedAtMillis) {}

    public long longestStallMicros() {
        return stalls.isEmpty() ? 0 : stalls.getFirst().micros();
    }

    /** Several clients' reports as one; a percentile is that of the slowest of them. */
    public static RunReport together(List<RunReport> clients) {
        var lines = new LinkedHashMap<String, Line>();
        var errors = new TreeMap<Integer, Long>();
        var examples = new TreeMap<Integer, String>();
        for (var client : clients) {
            client.statements().forEach(line -> lines.merge(line.statement(), line, RunReport::slower));
            client.errorsByErrno().forEach((errno, count) -> errors.merge(errno, count, Long::sum));
            client.errorExamples().forEach(examples::putIfAbsent);
        }
        return new RunReport(
                clients.getFirst().client(),
                clients.stream().mapToLong(RunReport::seconds).max().orElse(0),
                List.copyOf(lines.values()),
                clients.stream().mapToLong(RunReport::errors).sum(),
                errors,
                examples,
                clients.stream().mapToLong(RunReport::retriedTransactions).sum(),
                clients.stream().mapToLong(RunReport::reconnects).sum(),
                clients.stream().mapToLong(RunReport::anomalies).sum(),
                clients.stream()
                        .flatMap(client -> client.anomalyExamples().stream())
                        .toList(),
                clients.stream()
                        .flatMap(client -> client.stalls().stream())
                        .sorted(Comparator.comparingLong(Stall::micros).reversed())
                        .toList(),
                clients.stream()
                        .flatMap(client -> client.stallsBySecond().stream())
                        .sorted(Comparator.comparingLong(Stall::endedAtMillis))
                        .toList());
    }

    /** The longest wait that ended within these times, milliseconds since 1970; empty if nothing ended then. */
    public Optional<Stall> longestStallBetween(long fromMillis, long toMillis) {
        return longestStallsBetween(fromMillis, toMillis).values().stream()
                .max(Comparator.comparingLong(Stall::micros));
    }

    /** The same for each thread, by its name; threads for which nothing ended then are left out. */
    public Map<String, Stall> longestStallsBetween(long fromMillis, long toMillis) {
        var longest = new TreeMap<String, Stall>();
        stallsBySecond.stream()
                .filter(stall -> stall.endedAtMillis() >= fromMillis && stall.endedAtMillis() <= toMillis)
                .forEach(stall -> longest.merge(
                        stall.thread(), stall, (one, other) -> one.micros() >= other.micros() ? one : other));
        return longest;
    }

    private static Line slower(Line one, Line other) {
        return new Line(
                one.statement(),
                one.count() + other.count(),
                Math.max(one.p50(), other.p50()),
                Math.max(one.p99(), other.p99()),
                Math.max(one.p999(), other.p999()));
    }

    static RunReport of(int client, long seconds, List<ThreadStats> threads) {
        var errors = new TreeMap<Integer, Long>();
        var examples = new TreeMap<Integer, String>();
        threads.forEach(thread -> thread.firstMessages().forEach(examples::putIfAbsent));
        threads.forEach(thread -> thread.errors().forEach((errno, count) -> errors.merge(errno, count, Long::sum)));
        var lines = java.util.Arrays.stream(StatementKind.values())
                .map(kind -> line(kind, threads))
                .filter(line -> line.count() > 0)
                .toList();
        var stalls = threads.stream()
                .map(ThreadStats::longestStall)
                .filter(stall -> stall.micros() > 0)
                .map(RunReport::stall)
                .sorted(Comparator.comparingLong(Stall::micros).reversed())
                .toList();
        return new RunReport(
                client,
                seconds,
                lines,
                threads.stream().mapToLong(ThreadStats::errorCount).sum(),
                errors,
                examples,
                threads.stream().mapToLong(ThreadStats::retriedTransactions).sum(),
                threads.stream().mapToLong(ThreadStats::reconnects).sum(),
                threads.stream().mapToLong(ThreadStats::anomalies).sum(),
                threads.stream()
                        .flatMap(thread -> thread.firstAnomalies().stream())
                        .toList(),
                stalls,
                bySecond(threads));
    }

    private static List<Stall> bySecond(List<ThreadStats> threads) {
        return threads.stream()
                .flatMap(thread -> thread.longestOfSecond().values().stream())
                .map(RunReport::stall)
                .sorted(Comparator.comparingLong(Stall::endedAtMillis))
                .toList();
    }

    private static Stall stall(ThreadStats.Stall stall) {
        return new Stall(stall.thread(), stall.statement(), stall.micros(), stall.endedAtMillis());
    }

    private static Line line(StatementKind kind, List<ThreadStats> threads) {
        var all = new Latencies();
        threads.forEach(thread -> all.add(thread.latencies(kind)));
        return new Line(kind.words(), all.count(), all.percentile(0.5), all.percentile(0.99), all.percentile(0.999));
    }
}
