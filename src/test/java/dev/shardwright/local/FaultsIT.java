package dev.shardwright.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.local.FaultMatrix.Cell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;

/**
 * Something breaks at each step of a reshard, under load: it heals by itself, and no acknowledged write is lost or
 * doubled. {@code -Dfaults=all}: everything at every step, {@code -Dfaults=REGEX}: cells by their names; else each step
 * once. Cells mostly wait for an outage to end, so {@code -Dfaults.lanes} keyspaces are struck at the same time.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsIT {
    private static final String FAST_HALF = "fast";
    private static final String WANTED = System.getProperty("faults", FAST_HALF);
    private static final int LANES = Integer.getInteger("faults.lanes", 2);
    private static final FaultKeyspace.Pace FULL =
            new FaultKeyspace.Pace(Duration.ofSeconds(15), Duration.ofSeconds(5));
    /** An outage is still longer than a switchover may take. */
    private static final FaultKeyspace.Pace FAST = new FaultKeyspace.Pace(Duration.ofSeconds(3), Duration.ofSeconds(2));

    private static final Path REPORT = Path.of("target", "faults.json");

    private final Map<Cell, CompletableFuture<@Nullable Void>> outcomes = new LinkedHashMap<>();
    private final List<Result> results = Collections.synchronizedList(new ArrayList<>());
    private final ExecutorService lanes = Executors.newFixedThreadPool(LANES);

    private record Result(String cell, boolean healed, double seconds) {}

    static List<Cell> cells() {
        return switch (WANTED) {
            case FAST_HALF -> FaultMatrix.fast();
            case "all" -> FaultMatrix.all();
            default ->
                FaultMatrix.all().stream()
                        .filter(cell -> cell.toString().matches(WANTED))
                        .toList();
        };
    }

    @BeforeAll
    void begin() {
        cells().forEach(cell -> outcomes.put(cell, new CompletableFuture<>()));
        var waiting = new ConcurrentLinkedQueue<>(outcomes.keySet());
        for (int i = 0; i < LANES; i++) {
            lanes.submit(() -> strikeAll(waiting));
        }
        lanes.shutdown();
    }

    @Test
    void theFastHalfHasEachFault() {
        var missing = EnumSet.allOf(Fault.class);
        FaultMatrix.fast().forEach(cell -> missing.remove(cell.fault()));
        assertThat(missing).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cells")
    void heals(Cell cell) throws Throwable {
        try {
            outcomes.get(cell).get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private void strikeAll(Queue<Cell> waiting) {
        try (var lane = new Lane()) {
            for (var cell = waiting.poll(); cell != null; cell = waiting.poll()) {
                long began = System.nanoTime();
                var outcome = outcomes.get(cell);
                try {
                    lane.strike(cell);
                    tell(cell, null, began);
                    outcome.complete(null);
                } catch (Throwable e) {
                    if (!(e instanceof TestAbortedException)) {
                        tell(cell, e, began);
                    }
                    outcome.completeExceptionally(e);
                }
            }
        }
    }

    /** What went wrong at once, as a run of hours may never come to its report. */
    private void tell(Cell cell, @Nullable Throwable failure, long began) {
        var healed = failure == null;
        var result = new Result(cell.toString(), healed, (System.nanoTime() - began) / 1e9);
        results.add(result);
        System.out.printf(
                Locale.ROOT,
                "faults: %3d of %d  %-32s %s %6.1f s%n",
                results.size(),
                outcomes.size(),
                result.cell(),
                healed ? "healed" : "FAILED",
                result.seconds());
        if (failure != null) {
            System.out.println("faults:     " + failure);
        }
    }

    /** One keyspace after another: a new one for each cell after one that did not heal. */
    private static final class Lane implements AutoCloseable {
        /** With more of them its history takes longer to check than a new keyspace takes to start. */
        private static final int CELLS = 30;

        private @Nullable FaultKeyspace keyspace;
        private int cells;

        void strike(Cell cell) throws Exception {
            if (cells++ == CELLS) {
                close();
            }
            var present = keyspace;
            if (present == null) {
                var directory = Files.createTempDirectory(Files.createDirectories(Path.of("target", "it")), "faults");
                present = new FaultKeyspace(directory, WANTED.equals(FAST_HALF) ? FAST : FULL);
                keyspace = present;
            }
            if (cell.fault() == Fault.DISK_FULL) {
                Assumptions.assumeTrue(present.ownDisks(), "only root can mount a small disk to fill");
            }
            boolean healed = false;
            try {
                cell.run(present);
                healed = true;
            } finally {
                if (!healed) {
                    close();
                }
            }
        }

        @Override
        public void close() {
            var present = keyspace;
            keyspace = null;
            cells = 0;
            if (present != null) {
                present.close();
            }
        }
    }

    @AfterAll
    void end() throws Exception {
        assertThat(lanes.awaitTermination(5, TimeUnit.MINUTES))
                .as("all lanes end")
                .isTrue();
        Wishes.JSON.writerWithDefaultPrettyPrinter().writeValue(REPORT.toFile(), results);
        var failed = results.stream().filter(result -> !result.healed()).toList();
        System.out.printf("faults: %d cells, %d did not heal; see %s%n", results.size(), failed.size(), REPORT);
        failed.forEach(result -> System.out.println("faults:     " + result.cell()));
    }
}
