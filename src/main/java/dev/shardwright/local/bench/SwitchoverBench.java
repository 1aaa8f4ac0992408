package dev.shardwright.local.bench;

import dev.shardwright.local.Parts;
import dev.shardwright.local.bench.Contender.Span;
import dev.shardwright.local.demo.ClientProcess;
import dev.shardwright.local.demo.DemoOptions;
import dev.shardwright.local.demo.Terminal;
import dev.shardwright.local.workload.ChatData;
import dev.shardwright.local.workload.Loader;
import dev.shardwright.local.workload.ReportText;
import dev.shardwright.local.workload.RunReport;
import dev.shardwright.topology.vindex.Vindexes;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;

/**
 * How long clients wait at a switchover: splits a shard under load and lets the old and the new shards take over from each
 * other again and again. Beside it, in the same run, the longest wait in the quiet seconds between two switchovers.
 */
public final class SwitchoverBench implements AutoCloseable {
    /** And as many readers. */
    private static final int WRITERS = 8;

    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration QUIET = Duration.ofSeconds(4);
    private static final Duration SETTLING = Duration.ofMillis(1_500);

    private final ContenderChoice choice;
    private final DemoOptions options;
    private final int switchovers;
    private final Terminal terminal;
    private final PrintWriter out;
    private final ChatData data;
    private final Parts parts;

    private record Switched(boolean toNewShards, Span switching, Span quiet, String steps) {}

    /** @param out gets the figures, a line each */
    public SwitchoverBench(
            ContenderChoice choice, DemoOptions options, int switchovers, Terminal terminal, PrintWriter out) {
        this.choice = choice;
        this.options = options.withThreads(WRITERS);
        this.switchovers = switchovers;
        this.terminal = terminal;
        this.out = out;
        this.parts = new Parts((_, e) -> terminal.bad("stopping: " + e.getMessage()));
        this.data = new ChatData(options.shape());
    }

    /** IllegalStateException if a switchover does not come to its end. */
    public void run() throws SQLException, InterruptedException {
        var contender = parts.add(choice.start(terminal));
        long rows = new Loader(contender.address(), data, Vindexes.of("xxhash"), Loader.LoadOptions.DEFAULT)
                .load(so -> terminal.now("loading: " + so + " rows"));
        terminal.now(rows + " rows loaded");
        var clients = new ArrayList<ClientProcess>();
        for (int i = 0; i < options.clients(); i++) {
            clients.add(parts.add(ClientProcess.start(i, options, contender.address(), choice.directory())));
        }
        Thread.sleep(WARM_UP);
        contender.move();
        var all = new ArrayList<Switched>();
        for (int i = 0; i < switchovers; i++) {
            all.add(once(contender, i % 2 == 0));
            terminal.now((i + 1) + " of " + switchovers + " switchovers");
        }
        var report = ClientProcess.stop(clients, choice.directory());
        for (int i = 0; i < all.size(); i++) {
            tell(i + 1, all.get(i), report);
        }
        out.printf(
                "total %d %d %d %d%n",
                report.statements().stream().mapToLong(RunReport.Line::count).sum(),
                report.errors(),
                report.retriedTransactions(),
                report.anomalies());
        out.flush();
        ReportText.of(report).forEach(terminal::line);
    }

    private static Switched once(Contender contender, boolean toNewShards) throws InterruptedException {
        long from = System.currentTimeMillis();
        var steps = contender.serve(toNewShards);
        long to = System.currentTimeMillis() + SETTLING.toMillis();
        Thread.sleep(SETTLING.plus(QUIET));
        return new Switched(toNewShards, new Span(from, to), new Span(to, System.currentTimeMillis()), steps);
    }

    /** Times in milliseconds: the longest wait at the switchover and in the quiet time after it, and each client's at the switchover. */
    private void tell(int number, Switched one, RunReport report) {
        var at = report.longestStallsBetween(
                one.switching().fromMillis(), one.switching().toMillis());
        var quiet = report.longestStallsBetween(
                one.quiet().fromMillis(), one.quiet().toMillis());
        out.printf(
                Locale.ROOT,
                "switchover %d %s %.1f %.1f %s%n",
                number,
                one.toNewShards() ? "forward" : "back",
                at.values().stream().mapToDouble(SwitchoverBench::millis).max().orElse(0),
                quiet.values().stream()
                        .mapToDouble(SwitchoverBench::millis)
                        .max()
                        .orElse(0),
                one.steps());
        at.forEach((client, stall) -> out.printf(Locale.ROOT, "client %d %s %.1f%n", number, client, millis(stall)));
    }

    private static double millis(RunReport.Stall stall) {
        return stall.micros() / 1e3;
    }

    /** Ends all processes and removes the servers' data. */
    @Override
    public synchronized void close() {
        parts.close();
        choice.directory().removeData();
    }
}
