package dev.shardwright.router.executor;

import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardEntry;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;

/**
 * The connections on which statements are or were prepared, of all event loops. Each keeps some that nobody may need any
 * more, while a server's max_prepared_stmt_count is for all of them together. Thread-safe.
 */
final class PreparedCaches {
    private final Set<SessionBackend> backends =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    void add(SessionBackend backend) {
        backends.add(backend);
    }

    /** Closes what is prepared on this shard's connections that rest; gives how many that were. The server hears of it soon. */
    CompletableFuture<Integer> closeResting(ShardEntry shard) {
        List<SessionBackend> all;
        synchronized (backends) {
            all = backends.stream()
                    .filter(backend -> backend.shard().uid().equals(shard.uid()))
                    .toList();
        }
        return all.stream()
                .map(backend -> CompletableFuture.supplyAsync(
                        () -> backend.isSpare() ? InternalCommand.closeStatements(backend) : 0,
                        backend.connection().eventLoop()))
                .reduce(CompletableFuture.completedFuture(0), (one, other) -> one.thenCombine(other, Integer::sum));
    }
}
