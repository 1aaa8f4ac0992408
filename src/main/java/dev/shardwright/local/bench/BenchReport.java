package dev.shardwright.local.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a benchmark found, as {@code target/bench/NAME.json}.
 *
 * @param commit of the sources that ran, or "unknown" outside of a checkout
 */
public record BenchReport(String bench, String commit, Machine machine, List<Figure> figures) {

    /** @param memory of the machine, such as "24 GiB" */
    public record Machine(int cpus, String memory) {}

    /**
     * One number.
     *
     * @param runs what single runs gave
     * @param value the median of the runs unless the name says otherwise; null when it could not be measured
     * @param reason why there is no value
     * @param goal what the project wants of it, if anything
     * @param met whether the goal is reached; null without a goal or a value
     */
    public record Figure(
            String name,
            String unit,
            List<Double> runs,
            @Nullable Double value,
            @Nullable String reason,
            @Nullable Goal goal,
            @Nullable Boolean met) {

        public static Figure of(String name, String unit, List<Double> runs, double value) {
            return new Figure(name, unit, runs, value, null, null, null);
        }

        /** The same with the goal to be at most so much. */
        public Figure atMost(double bound) {
            var found = value;
            return new Figure(
                    name,
                    unit,
                    runs,
                    value,
                    reason,
                    new Goal("<=", bound),
                    found == null ? null : (Boolean) (found <= bound));
        }
    }

    /** @param op such as "<=" */
    public record Goal(String op, double value) {}

    public static BenchReport of(String bench, List<Figure> figures) {
        long bytes = ((com.sun.management.OperatingSystemMXBean)
                        java.lang.management.ManagementFactory.getOperatingSystemMXBean())
                .getTotalMemorySize();
        var machine = new Machine(
                Runtime.getRuntime().availableProcessors(), Math.round(bytes / (double) (1L << 30)) + " GiB");
        return new BenchReport(bench, headCommit(), machine, figures);
    }

    private static String headCommit() {
        try {
            var git = new ProcessBuilder("git", "rev-parse", "--short", "HEAD")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            var text = new String(git.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            return git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 ? text : "unknown";
        } catch (IOException e) {
            return "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }

    public void write(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
