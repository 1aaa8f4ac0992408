package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.copy.Throttling;
import dev.shardwright.reshard.copy.Throttling.Reason;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether sources are spared while rows are read from them.
 *
 * @param reason what the slowest is slowed by
 * @param message for a DBA, with the setting that decides
 */
public record Slowing(Reason reason, String message) {

    /** Empty while nothing is read. */
    static Optional<Slowing> of(List<SourceProgress> sources) {
        var reading = sources.stream().filter(SourceProgress::reads).toList();
        if (reading.isEmpty()) {
            return Optional.empty();
        }
        var slowed = reading.stream()
                .filter(source -> source.progress().throttle().reason() != Reason.None)
                .toList();
        if (slowed.isEmpty()) {
            return Optional.of(new Slowing(Reason.None, "nothing slows the reading of rows"));
        }
        return Optional.of(new Slowing(
                slowed.getFirst().progress().throttle().reason(),
                slowed.stream()
                        .map(source -> "shard " + source.source() + " "
                                + words(source.progress().throttle()))
                        .collect(Collectors.joining("; "))));
    }

    private static String words(Throttling throttle) {
        var speed = "is read at " + throttle.speedPercent() + "% of full speed: ";
        return switch (throttle.reason()) {
            case None -> "is read at full speed";
            case RowsPerSecond -> "is read as fast as throttle.maxRowsPerSecond allows";
            case CommitLatency ->
                speed
                        + String.format(
                                Locale.ROOT,
                                "a commit takes %.1f ms there, and %.1f ms while nothing is read (throttle.maxCommitLatencyPercent)",
                                throttle.commitMicros() / 1e3,
                                throttle.quietCommitMicros() / 1e3);
            case ThreadsRunning ->
                speed + throttle.threadsRunning() + " threads run there (throttle.maxThreadsRunning)";
            case TargetLag ->
                speed + "a target is " + throttle.lagMillis() / 1_000 + " s behind (throttle.maxTargetLag)";
        };
    }
}
