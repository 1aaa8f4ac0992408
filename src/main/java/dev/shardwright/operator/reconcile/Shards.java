package dev.shardwright.operator.reconcile;

import dev.shardwright.api.Condition;
import dev.shardwright.api.Condition.Truth;
import dev.shardwright.api.Shard;
import dev.shardwright.operator.status.Problem;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What Shards' status says. */
final class Shards {
    static final String INITIALIZED = "Initialized";
    static final String UP_TO_DATE = "UpToDate";
    static final String STARTING = "Starting";
    private static final Set<String> ORDINARY = Set.of(STARTING);

    private Shards() {}

    static boolean ready(Shard shard) {
        return is(shard, Condition.READY);
    }

    /** Its data directory has been made once. */
    static boolean initialized(Shard shard) {
        return is(shard, INITIALIZED);
    }

    /** What keeps it from being ready, beyond the time that a start takes. */
    static Optional<Problem> trouble(Shard shard) {
        return conditions(shard)
                .filter(condition -> condition.type().equals(Condition.READY)
                        && condition.status() == Truth.False
                        && !ORDINARY.contains(condition.reason()))
                .map(condition -> new Problem(condition.reason(), condition.message()))
                .findFirst();
    }

    private static boolean is(Shard shard, String type) {
        return conditions(shard)
                .anyMatch(condition -> condition.type().equals(type) && condition.status() == Truth.True);
    }

    private static Stream<Condition> conditions(Shard shard) {
        return shard.getStatus() == null ? Stream.of() : shard.getStatus().conditions().stream();
    }
}
