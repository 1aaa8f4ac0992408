package dev.shardwright.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.local.FaultMatrix.Cell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Something breaks at each step of a reshard, under load: it heals by itself, and no acknowledged write is lost or
 * doubled. {@code -Dfaults=all}: everything at every step; else each step once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsIT {
    private static final String WANTED = System.getProperty("faults", "fast");
    private static final FaultKeyspace.Pace FULL =
            new FaultKeyspace.Pace(Duration.ofSeconds(15), Duration.ofSeconds(5));
    /** An outage is still longer than a switchover may take. */
    private static final FaultKeyspace.Pace FAST = new FaultKeyspace.Pace(Duration.ofSeconds(3), Duration.ofSeconds(2));

    private static final Path REPORT = Path.of("target", "faults.json");

    private final List<Result> results = new ArrayList<>();
    private @Nullable FaultKeyspace keyspace;

    private record Result(String cell, boolean healed, double seconds) {}

    static List<Cell> cells() {
        return switch (WANTED) {
            case "fast" -> FaultMatrix.fast();
            case "all" -> FaultMatrix.all();
            default ->
                FaultMatrix.all().stream()
                        .filter(cell -> cell.toString().matches(WANTED))
                        .toList();
        };
    }

    @Test
    void theFastHalfHasEachFault() {
        var missing = EnumSet.allOf(Fault.class);
        FaultMatrix.fast().forEach(cell -> missing.remove(cell.fault()));
        assertThat(missing).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cells")
    void heals(Cell cell) throws Exception {
        var present = keyspace();
        if (cell.fault() == Fault.DISK_FULL) {
            Assumptions.assumeTrue(present.ownDisks(), "only root can mount a small disk to fill");
        }
        long began = System.nanoTime();
        boolean healed = false;
        try {
            cell.run(present);
            healed = true;
        } finally {
            var result = new Result(cell.toString(), healed, (System.nanoTime() - began) / 1e9);
            results.add(result);
            System.out.printf(
                    Locale.ROOT,
                    "faults: %3d of %d  %-32s %s %6.1f s%n",
                    results.size(),
                    cells().size(),
                    result.cell(),
                    healed ? "healed" : "FAILED",
                    result.seconds());
            if (!healed) {
                close();
            }
        }
    }

    private FaultKeyspace keyspace() throws Exception {
        var present = keyspace;
        if (present == null) {
            var directory = Files.createTempDirectory(Files.createDirectories(Path.of("target", "it")), "faults");
            present = new FaultKeyspace(directory, WANTED.equals("all") ? FULL : FAST);
            keyspace = present;
        }
        return present;
    }

    @AfterAll
    void end() throws Exception {
        close();
        Wishes.JSON.writerWithDefaultPrettyPrinter().writeValue(REPORT.toFile(), results);
        var failed = results.stream().filter(result -> !result.healed()).toList();
        System.out.printf("faults: %d cells, %d did not heal; see %s%n", results.size(), failed.size(), REPORT);
        failed.forEach(result -> System.out.println("faults:     " + result.cell()));
    }

    private void close() throws Exception {
        var present = keyspace;
        keyspace = null;
        if (present != null) {
            present.close();
        }
    }
}
