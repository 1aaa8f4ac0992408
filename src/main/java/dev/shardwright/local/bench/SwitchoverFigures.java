package dev.shardwright.local.bench;

import dev.shardwright.local.bench.BenchReport.Figure;
import dev.shardwright.local.bench.SwitchoverBench.Switched;
import dev.shardwright.local.workload.RunReport;
import dev.shardwright.reshard.workflow.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What {@link SwitchoverBench} found. Times in milliseconds.
 *
 * @param medianMillis of the longest wait at each switchover
 * @param longestMillis the longest of all waits at switchovers
 * @param quietMedianMillis of the longest wait in each quiet time of some seconds between two switchovers
 * @param ratio medianMillis by quietMedianMillis: what a switchover adds to what clients meet anyway
 */
public record SwitchoverFigures(
        List<Line> switchovers,
        double medianMillis,
        double longestMillis,
        double quietMedianMillis,
        double ratio,
        long statements,
        long errors,
        long retriedTransactions) {

    private static final double MEDIAN_GOAL_MILLIS = 60;
    private static final double LONGEST_GOAL_MILLIS = 150;

    /** One switchover: the longest wait of any client in it, and in the quiet time after it. */
    public record Line(Goal goal, double stallMillis, double quietMillis, String steps) {}

    static SwitchoverFigures of(List<Switched> all, RunReport clients) {
        var lines = all.stream()
                .map(one -> new Line(
                        one.goal(),
                        longest(clients, one.fromMillis(), one.toMillis()),
                        longest(clients, one.toMillis(), one.quietUntilMillis()),
                        one.steps()))
                .toList();
        double median = median(lines.stream().map(Line::stallMillis).toList());
        double quiet = median(lines.stream().map(Line::quietMillis).toList());
        return new SwitchoverFigures(
                lines,
                median,
                lines.stream().mapToDouble(Line::stallMillis).max().orElse(0),
                quiet,
                quiet == 0 ? 0 : median / quiet,
                clients.statements().stream().mapToLong(RunReport.Line::count).sum(),
                clients.errors(),
                clients.retriedTransactions());
    }

    /** The same for {@code target/bench/reshard.json}. */
    public BenchReport report() {
        var stalls = switchovers.stream().map(Line::stallMillis).toList();
        var quiet = switchovers.stream().map(Line::quietMillis).toList();
        var name = "longest wait of a client at a switchover";
        return BenchReport.of(
                "reshard",
                List.of(
                        Figure.of(name + ", ratio to a quiet time", "ratio", List.of(), ratio),
                        Figure.of(name + ", median", "ms", stalls, medianMillis).atMost(MEDIAN_GOAL_MILLIS),
                        Figure.of(name + ", longest", "ms", stalls, longestMillis)
                                .atMost(LONGEST_GOAL_MILLIS),
                        Figure.of("longest wait of a client in a quiet time, median", "ms", quiet, quietMedianMillis),
                        Figure.of("errors on autocommit statements", "count", List.of(), errors)
                                .atMost(0)));
    }

    private static double longest(RunReport clients, long from, long to) {
        return clients.longestStallBetween(from, to)
                .map(stall -> stall.micros() / 1_000.0)
                .orElse(0.0);
    }

    private static double median(List<Double> values) {
        var sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.isEmpty()
                ? 0
                : sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** A table for a terminal. */
    public List<String> table() {
        var text = new ArrayList<String>();
        text.add(String.format(Locale.ROOT, "%3s  %-11s %10s %10s   %s", "", "to", "stall ms", "quiet ms", "steps"));
        for (int i = 0; i < switchovers.size(); i++) {
            var line = switchovers.get(i);
            text.add(String.format(
                    Locale.ROOT,
                    "%3d  %-11s %10.1f %10.1f   %s",
                    i + 1,
                    line.goal(),
                    line.stallMillis(),
                    line.quietMillis(),
                    line.steps()));
        }
        text.add("");
        text.add(String.format(
                Locale.ROOT,
                "stall: median %.1f ms, longest %.1f ms; without a switchover: median %.1f ms; ratio %.1f",
                medianMillis,
                longestMillis,
                quietMedianMillis,
                ratio));
        text.add(String.format(
                Locale.ROOT,
                "%,d statements, %d errors, %d transactions told to try again",
                statements,
                errors,
                retriedTransactions));
        return text;
    }
}
