package dev.shardwright.local.bench;

import dev.shardwright.local.Parts;
import dev.shardwright.local.bench.Contender.Span;
import dev.shardwright.local.demo.Terminal;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * What an application's inserts cost in the quiet time before their shard is split, while it is copied and compared, and after
 * the new shards have taken over: some clients insert a row every few milliseconds.
 */
public final class InsertBench implements AutoCloseable {
    private static final Duration QUIET = Duration.ofSeconds(20);
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration SETTLING = Duration.ofSeconds(3);
    private static final int FEWEST_INSERTS = 100;

    private final ContenderChoice choice;
    private final Options options;
    private final Terminal terminal;
    private final PrintWriter out;
    private final Parts parts;

    /**
     * @param rows that are there before
     * @param clients that insert
     */
    public record Options(long rows, int clients) {}

    /** @param out gets the figures, a line for each stretch of time */
    public InsertBench(ContenderChoice choice, Options options, Terminal terminal, PrintWriter out) {
        this.choice = choice;
        this.options = options;
        this.terminal = terminal;
        this.out = out;
        this.parts = new Parts((_, e) -> terminal.bad("stopping: " + e.getMessage()));
    }

    /** IllegalStateException if the rows are not moved in the end, or a client has given up. */
    public void run() throws SQLException, InterruptedException {
        var contender = parts.add(choice.start(terminal));
        load(contender);
        var clients = new ArrayList<InsertClient>();
        for (int i = 0; i < options.clients(); i++) {
            clients.add(parts.add(new InsertClient(contender.address())));
        }
        Thread.sleep(WARM_UP);
        var before = quiet();
        var moved = contender.move();
        long switching = System.currentTimeMillis();
        contender.serve(true);
        Thread.sleep(SETTLING);
        var switched = new Span(switching, System.currentTimeMillis());
        var after = quiet();
        tell("before", 0, clients, before);
        tell("copy", options.rows(), clients, moved.copy());
        tell("verify", options.rows(), clients, moved.verify());
        tell("switch", 0, clients, switched);
        tell("after", 0, clients, after);
        out.flush();
    }

    private void load(Contender contender) throws SQLException {
        try (var connection = contender.address().connect(false);
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE rows_moved (id BIGINT PRIMARY KEY, body VARCHAR(100) NOT NULL)");
        }
        try (var connection = contender.source().connect(false);
                var statement = connection.createStatement()) {
            statement.execute("INSERT INTO rows_moved VALUES (0, REPEAT('x', 80))");
            for (long rows = 1; rows < options.rows(); ) {
                rows += statement.executeUpdate("INSERT INTO rows_moved SELECT id + " + rows + ", body FROM rows_moved"
                        + " WHERE id >= 0 AND id < " + Math.min(rows, Math.min(100_000, options.rows() - rows)));
                terminal.now(rows + " rows loaded");
            }
        }
    }

    private static Span quiet() throws InterruptedException {
        long from = System.currentTimeMillis();
        Thread.sleep(QUIET);
        return new Span(from, System.currentTimeMillis());
    }

    /** Seconds, rows moved per second, and the inserts: how many, median, p99 and longest in ms, errors. */
    private void tell(String what, long moved, List<InsertClient> clients, Span span) {
        var all = clients.stream().map(client -> client.during(span)).toList();
        var sorted = all.stream()
                .flatMapToInt(inserts -> IntStream.of(inserts.micros()))
                .sorted()
                .toArray();
        if (sorted.length < FEWEST_INSERTS) {
            throw new IllegalStateException("only " + sorted.length + " inserts in the " + span.seconds() + " s of "
                    + what + ": move more rows (--rows) to measure for longer");
        }
        out.printf(
                Locale.ROOT,
                "%s %.2f %.0f %d %.3f %.3f %.3f %d%n",
                what,
                span.seconds(),
                moved / span.seconds(),
                sorted.length,
                sorted[sorted.length / 2] / 1e3,
                sorted[sorted.length * 99 / 100] / 1e3,
                sorted[sorted.length - 1] / 1e3,
                all.stream().mapToInt(InsertClient.Inserts::errors).sum());
    }

    /** Ends all processes and removes the servers' data. */
    @Override
    public synchronized void close() {
        parts.close();
        choice.directory().removeData();
    }
}
