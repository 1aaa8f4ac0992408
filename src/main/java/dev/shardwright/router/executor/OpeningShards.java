package dev.shardwright.router.executor;

import dev.shardwright.topology.model.ShardEntry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shards that have taken over and may not be open yet. Their servers let users in some time before they let them write:
 * a transaction that began there in between would fail at its first write. So the first statement to come asks the
 * server, and the others wait.
 */
final class OpeningShards {
    /** By one statement, before it waits as the others do. Each takes a millisecond. */
    static final int MOST_QUESTIONS = 50;

    /** Whoever has asked this long ago, in nanoseconds, and has not come back has been given up. */
    private static final long LONGEST_ANSWER = Duration.ofMillis(20).toNanos();

    private final Runnable whenOpen;
    /** By uid, when its server was asked for the last time, as {@link System#nanoTime}; null: never. */
    private final Map<String, @Nullable Long> asked = new HashMap<>();

    /** @param whenOpen lets those go on that wait */
    OpeningShards(Runnable whenOpen) {
        this.whenOpen = whenOpen;
    }

    /** For a router that has just started, those of a workflow may be new. */
    void onTopology(@Nullable TopologyView before, TopologyView now) {
        asked.keySet()
                .removeIf(uid ->
                        now.shards().stream().noneMatch(shard -> shard.uid().equals(uid)));
        now.shards().stream()
                .filter(shard -> before == null ? now.takesPart(shard) : before.lacks(shard))
                .forEach(shard -> asked.put(shard.uid(), null));
    }

    boolean isOpen(ShardEntry shard) {
        return asked.isEmpty() || !asked.containsKey(shard.uid());
    }

    /** Whether nobody is asking just now; the caller then does, at once. */
    boolean mayAsk(ShardEntry shard) {
        var last = asked.get(shard.uid());
        boolean free = last == null || System.nanoTime() - last > LONGEST_ANSWER;
        if (free) {
            asksAgain(shard);
        }
        return free;
    }

    void asksAgain(ShardEntry shard) {
        asked.replace(shard.uid(), System.nanoTime());
    }

    void opened(ShardEntry shard) {
        if (!isOpen(shard)) {
            asked.remove(shard.uid());
            whenOpen.run();
        }
    }

    /** Answered by 0 once it is open. @param before how many this statement has asked already */
    static String question(int before) {
        // The limit of its own goes before the session's sql_select_limit.
        return before == 0
                ? "SELECT @@GLOBAL.read_only LIMIT 1"
                : "SELECT @@GLOBAL.read_only FROM (SELECT SLEEP(0.001)) AS pause LIMIT 1";
    }
}
