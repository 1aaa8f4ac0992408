package dev.shardwright.local.workload;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one client process does.
 *
 * @param client its number, from 0; no two runs over the same data may use the same one
 * @param clients how many numbers there are in all: each owns its part of the loaded messages
 * @param pause how long each thread rests after a statement
 * @param duration the client stops after this time at the latest
 * @param stopFile the client also stops when this file is there; null: no such file
 * @param history directory of the histories and of {@code client-N.json}
 */
public record RunOptions(
        int client,
        int clients,
        int writers,
        int readers,
        Duration pause,
        Duration duration,
        @Nullable Path stopFile,
        Path history) {
    public RunOptions {
        if (client < 0 || client >= clients) {
            throw new IllegalArgumentException(
                    "client " + client + " of " + clients + ": clients count from 0 to " + (clients - 1));
        }
        if (writers + readers < 1 || writers < 0 || readers < 0) {
            throw new IllegalArgumentException("give at least one writer or reader");
        }
    }
}
