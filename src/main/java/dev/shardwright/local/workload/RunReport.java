package dev.shardwright.local.workload;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one client measured; {@code client-N.json} in the history directory. Times in microseconds.
 *
 * @param errors errors that the application saw; retried transactions are not among them
 * @param retriedTransactions transactions that were told to try again (1213) and did
 * @param anomalies answers that can't be right
 * @param stalls the longest wait of each thread, longest first
 */
public record RunReport(
        int client,
        long seconds,
        List<Line> statements,
        long errors,
        Map<Integer, Long> errorsByErrno,
        long retriedTransactions,
        long reconnects,
        long anomalies,
        List<Stall> stalls) {

    public record Line(String statement, long count, long p50, long p99, long p999) {}

    public record Stall(String thread, String statement, long micros, long endedAtMillis) {}

    public long longestStallMicros() {
        return stalls.isEmpty() ? 0 : stalls.getFirst().micros();
    }

    static RunReport of(int client, long seconds, List<ThreadStats> threads) {
        var errors = new TreeMap<Integer, Long>();
        threads.forEach(thread -> thread.errors().forEach((errno, count) -> errors.merge(errno, count, Long::sum)));
        var lines = java.util.Arrays.stream(StatementKind.values())
                .map(kind -> line(kind, threads))
                .filter(line -> line.count() > 0)
                .toList();
        var stalls = threads.stream()
                .map(ThreadStats::longestStall)
                .filter(stall -> stall.micros() > 0)
                .map(stall -> new Stall(stall.thread(), stall.statement(), stall.micros(), stall.endedAtMillis()))
                .sorted(java.util.Comparator.comparingLong(Stall::micros).reversed())
                .toList();
        return new RunReport(
                client,
                seconds,
                lines,
                threads.stream().mapToLong(ThreadStats::errorCount).sum(),
                errors,
                threads.stream().mapToLong(ThreadStats::retriedTransactions).sum(),
                threads.stream().mapToLong(ThreadStats::reconnects).sum(),
                threads.stream().mapToLong(ThreadStats::anomalies).sum(),
                stalls);
    }

    private static Line line(StatementKind kind, List<ThreadStats> threads) {
        var all = new Latencies();
        threads.forEach(thread -> all.add(thread.latencies(kind)));
        return new Line(kind.words(), all.count(), all.percentile(0.5), all.percentile(0.99), all.percentile(0.999));
    }
}
