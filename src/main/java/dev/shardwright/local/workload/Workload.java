package dev.shardwright.local.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.shardwright.topology.vindex.Vindex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** One client: writers and readers that run together until it is time to stop. */
public final class Workload {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(130);
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final RunOptions options;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final List<ThreadStats> stats = new ArrayList<>();
    private final ClientContext context;

    /** What a client has done so far. */
    public record Progress(
            long seconds, long writes, long reads, long errors, long anomalies, long longestStallMicros) {}

    /** The vindex must be the one that the keyspace uses for accounts. */
    public Workload(Address address, ChatData data, Vindex vindex, RunOptions options) {
        this.options = options;
        this.context = new ClientContext(
                address, data, new Known(data), new Cells(vindex, data.shape().accounts()), options, stopping::get);
    }

    /** Asks all threads to end after the statement that they run. */
    public void stop() {
        stopping.set(true);
    }

    /**
     * Runs until the duration is over, the stop file is there or {@link #stop} was called, and writes
     * {@code client-N.json}. {@code progress} is called every second.
     */
    public RunReport run(Consumer<Progress> progress) throws InterruptedException {
        long began = System.nanoTime();
        try (var workers = new Workers("client-" + options.client())) {
            start(workers);
            long lastTold = began;
            while (!timeIsUp(began) && !workers.done()) {
                Thread.sleep(POLL);
                if (System.nanoTime() - lastTold >= 1_000_000_000L) {
                    lastTold = System.nanoTime();
                    progress.accept(progress(began));
                }
            }
            stop();
            awaitEnd(workers);
        }
        var report = RunReport.of(options.client(), secondsSince(began), stats);
        write(options.history().resolve("client-" + options.client() + ".json"), report);
        return report;
    }

    private void start(Workers workers) {
        for (int i = 0; i < options.writers(); i++) {
            workers.start(new Writer(context, i, statsOf("writer-" + i))::run);
        }
        for (int i = 0; i < options.readers(); i++) {
            workers.start(new Reader(context, i, statsOf("reader-" + i))::run);
        }
    }

    private ThreadStats statsOf(String thread) {
        var added = new ThreadStats("client-" + options.client() + "-" + thread);
        stats.add(added);
        return added;
    }

    private boolean timeIsUp(long began) {
        return stopping.get()
                || System.nanoTime() - began >= options.duration().toNanos()
                || (options.stopFile() != null && Files.exists(options.stopFile()));
    }

    private void awaitEnd(Workers workers) throws InterruptedException {
        long until = System.nanoTime() + STOP_WITHIN.toNanos();
        while (!workers.done()) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("client " + options.client() + " has statements that do not end within "
                        + STOP_WITHIN.toSeconds() + " s");
            }
            Thread.sleep(POLL);
        }
    }

    private Progress progress(long began) {
        return new Progress(
                secondsSince(began),
                count(true),
                count(false),
                stats.stream().mapToLong(ThreadStats::errorCount).sum(),
                stats.stream().mapToLong(ThreadStats::anomalies).sum(),
                stats.stream()
                        .mapToLong(thread -> thread.longestStall().micros())
                        .max()
                        .orElse(0));
    }

    private long count(boolean writes) {
        long sum = 0;
        for (var kind : StatementKind.values()) {
            if (kind.isWrite() == writes) {
                for (var thread : stats) {
                    sum += thread.latencies(kind).count();
                }
            }
        }
        return sum;
    }

    private static long secondsSince(long began) {
        return Duration.ofNanos(System.nanoTime() - began).toSeconds();
    }

    static void write(Path file, Object report) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            JSON.writeValue(file.toFile(), report);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
