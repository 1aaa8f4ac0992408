package dev.shardwright.reshard.mover;

import dev.shardwright.reshard.copy.TargetSchema;
import dev.shardwright.reshard.table.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates the source's tables on several targets at the same time, and several on each: MySQL mostly waits for its disk
 * meanwhile. What is there already stays, so it can be repeated after any failure.
 */
final class TableCreation {
    private static final int CONNECTIONS = 4;
    /** A few are made as soon as one more connection is. */
    private static final int TABLES_PER_CONNECTION = 8;

    @FunctionalInterface
    interface Opening {
        /** With autocommit on. */
        Connection open(MoverSpec.Peer target) throws SQLException;
    }

    private final Opening opening;
    private final RunScope scope;
    private final Counters counters;

    TableCreation(Opening opening, RunScope scope, Counters counters) {
        this.opening = opening;
        this.scope = scope;
        this.counters = counters;
    }

    /** Returns once all are there; throws what any of them failed with. */
    void run(List<MoverSpec.Peer> targets, List<Table> tables) throws Exception {
        var created = new AtomicInteger();
        var wanted = targets.size() * tables.size();
        counters.preparing(() -> "creating tables: " + created + " of " + wanted);
        var work = new ArrayList<CompletableFuture<Void>>();
        for (var target : targets) {
            var waiting = new ConcurrentLinkedQueue<>(tables);
            for (int i = 0; i < Math.min(CONNECTIONS, Math.ceilDiv(tables.size(), TABLES_PER_CONNECTION)); i++) {
                work.add(scope.start("create-" + target.range() + "-" + i, () -> {
                    try (var connection = opening.open(target)) {
                        scope.own(connection);
                        for (var table = waiting.poll(); table != null; table = waiting.poll()) {
                            TargetSchema.create(connection, MoverRun.name(target), table);
                            created.incrementAndGet();
                        }
                        scope.disown(connection);
                    }
                }));
            }
        }
        scope.await(CompletableFuture.allOf(work.toArray(CompletableFuture[]::new)));
    }
}
