package dev.shardwright.local.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Reports as tables for a terminal. */
public final class ReportText {
    private ReportText() {}

    /** What a client measured. */
    public static List<String> of(RunReport report) {
        var lines = new ArrayList<>(statements(report));
        lines.add("errors " + report.errors() + errnos(report.errorsByErrno()) + ", transactions told to retry "
                + report.retriedTransactions() + ", reconnects " + report.reconnects() + ", wrong answers "
                + report.anomalies());
        report.errorExamples().forEach((errno, message) -> lines.add("  errno " + errno + ": " + message));
        report.anomalyExamples().forEach(example -> lines.add("  " + example));
        report.stalls().stream()
                .limit(1)
                .forEach(stall -> lines.add("longest stall " + millis(stall.micros()) + " ms (" + stall.statement()
                        + ", " + stall.thread() + ")"));
        return lines;
    }

    /** Each kind of statement with its count and how long it took. */
    public static List<String> statements(RunReport report) {
        var lines = new ArrayList<String>();
        lines.add(String.format(
                Locale.ROOT, "%-24s %10s %9s %9s %9s", "statement", "count", "p50 ms", "p99 ms", "p99.9 ms"));
        for (var line : report.statements()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-24s %,10d %9s %9s %9s",
                    line.statement(),
                    line.count(),
                    millis(line.p50()),
                    millis(line.p99()),
                    millis(line.p999())));
        }
        return lines;
    }

    /** The verdict, with the first violations. */
    public static List<String> of(CheckReport report, int examples) {
        var lines = new ArrayList<String>();
        lines.add(report.acknowledged() + " writes acknowledged, " + report.failed() + " failed, " + report.unknown()
                + " of unknown outcome" + errnos(report.errorsByErrno()) + "; " + report.histories() + " histories");
        lines.add("rows on the shards: "
                + report.rows().entrySet().stream()
                        .map(row -> row.getKey() + " " + row.getValue())
                        .collect(Collectors.joining(", ")));
        lines.add(report.violations().entrySet().stream()
                .map(kind -> kind.getKey().words() + " " + kind.getValue())
                .collect(Collectors.joining(", ")));
        report.examples().stream().limit(examples).forEach(violation -> lines.add("  " + violation));
        return lines;
    }

    /** Such as {@code  (errno 1105: 3)}; empty when there are none. */
    public static String errnos(Map<Integer, Long> errors) {
        return errors.isEmpty()
                ? ""
                : errors.entrySet().stream()
                        .map(error -> error.getKey() + ": " + error.getValue())
                        .collect(Collectors.joining(", ", " (errno ", ")"));
    }

    /** Microseconds as milliseconds with the precision that matters. */
    public static String millis(long micros) {
        return String.format(Locale.ROOT, micros < 100_000 ? "%.2f" : "%.0f", micros / 1_000.0);
    }
}
