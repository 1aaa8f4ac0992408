package dev.shardwright.local.demo;

import dev.shardwright.local.WorkflowStatus.PhaseStart;
import dev.shardwright.local.workload.ReportText;
import dev.shardwright.local.workload.RunReport;
import dev.shardwright.local.workload.Violation.Kind;
import dev.shardwright.topology.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The demo's last words: what was loaded, moved, met and lost. */
final class DemoSummary {
    private static final int EXAMPLES = 10;
    /** The event that tells of a switchover comes at its end. */
    private static final long BEFORE_MILLIS = 2_000;

    private static final long AFTER_MILLIS = 1_000;

    private final Terminal terminal;
    private final Topology topology;

    DemoSummary(Terminal terminal, Topology topology) {
        this.terminal = terminal;
        this.topology = topology;
    }

    void print(Demo.Result result) {
        terminal.line("");
        ReportText.statements(result.clients()).forEach(line -> terminal.line("    " + line));
        terminal.line("");
        var check = result.check();
        row("rows loaded", String.format(Locale.ROOT, "%,d", result.rowsLoaded()));
        row("writes acknowledged", String.format(Locale.ROOT, "%,d", check.acknowledged()));
        row(
                "shards that serve",
                topology.shards().stream()
                        .map(shard -> shard.range().toString())
                        .collect(Collectors.joining("  ")));
        row("split phases", phases(result.split().phases()));
        row(
                "errors",
                result.clients().errors()
                        + ReportText.errnos(result.clients().errorsByErrno())
                        + retried(result.clients()));
        row("lost", String.valueOf(check.count(Kind.LOST)));
        row("doubled", String.valueOf(check.count(Kind.DOUBLED)));
        row("otherwise wrong", otherwise(result));
        row("longest stall", stall(result));
        switchoverStall(result).ifPresent(text -> row("at the switchover", text));
        terminal.line("");
        result.clients().errorExamples().forEach((errno, message) -> terminal.bad("errno " + errno + ": " + message));
        check.examples().stream().limit(EXAMPLES).forEach(violation -> terminal.bad(violation.toString()));
        conclude(result);
    }

    private void conclude(Demo.Result result) {
        if (result.nothingLost()) {
            terminal.good("Nothing was lost, nothing doubled, and no client saw an error.");
        } else if (result.split().settled()
                && result.check().clean()
                && result.clients().errors() == 0) {
            terminal.bad("The split did not get to its end: " + result.split().message());
            terminal.line("    The old shards still serve, and no client saw an error.");
        } else {
            terminal.bad("This must not happen. The histories and logs are kept.");
        }
    }

    private void row(String what, String value) {
        terminal.line(String.format(Locale.ROOT, "    %-20s %s", what, value));
    }

    private static String retried(RunReport clients) {
        return clients.retriedTransactions() == 0
                ? ""
                : "   (and " + clients.retriedTransactions() + " transactions were told to try again, which they did)";
    }

    private static String otherwise(Demo.Result result) {
        long others = result.check().violations().entrySet().stream()
                .filter(kind -> kind.getKey() != Kind.LOST && kind.getKey() != Kind.DOUBLED)
                .mapToLong(kind -> kind.getValue())
                .sum();
        return String.valueOf(others);
    }

    private static String phases(List<PhaseStart> phases) {
        var texts = new ArrayList<String>();
        for (int i = 0; i < phases.size() - 1; i++) {
            texts.add(String.format(
                    Locale.ROOT,
                    "%s %.2f s",
                    phases.get(i).phase(),
                    (phases.get(i + 1).atMillis() - phases.get(i).atMillis()) / 1_000.0));
        }
        if (!phases.isEmpty()) {
            texts.add(phases.getLast().phase());
        }
        return String.join(", ", texts);
    }

    private static Optional<String> switchoverStall(Demo.Result result) {
        return result.split().events().stream()
                .filter(event -> event.reason().equals(SplitWatch.SWITCHOVER))
                .findFirst()
                .flatMap(event -> result.clients()
                        .longestStallBetween(event.atMillis() - BEFORE_MILLIS, event.atMillis() + AFTER_MILLIS))
                .map(stall -> ReportText.millis(stall.micros()) + " ms   (" + stall.thread() + ", " + stall.statement()
                        + ")");
    }

    private static String stall(Demo.Result result) {
        var stalls = result.clients().stalls();
        if (stalls.isEmpty()) {
            return "none";
        }
        var longest = stalls.getFirst();
        String phase = SplitWatch.phaseAt(result.split().phases(), longest.endedAtMillis());
        return ReportText.millis(longest.micros()) + " ms   (" + longest.thread() + ", " + longest.statement()
                + (phase.isEmpty() ? ", before the split" : ", ended in phase " + phase) + ")";
    }
}
