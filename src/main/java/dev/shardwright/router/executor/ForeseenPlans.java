package dev.shardwright.router.executor;

import dev.shardwright.router.planner.StatementContext;
import dev.shardwright.router.planner.StatementPlanner;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Plans statements for the shards to come, so that they need not be planned while everybody waits. Thread-safe. */
final class ForeseenPlans {
    /** What clients wait for comes first. */
    private static final int MOST_AT_ONCE = 4;

    private final StatementPlanner planner;
    private final AtomicInteger running = new AtomicInteger();

    ForeseenPlans(StatementPlanner planner) {
        this.planner = planner;
    }

    StatementPlanner planner() {
        return planner;
    }

    /** On one of these threads, unless it is planned already or too much is being planned: then when it is needed. */
    void plan(byte[] sql, StatementContext context, Executor planners) {
        if (planner.cached(sql, context) != null) {
            return;
        }
        if (running.incrementAndGet() > MOST_AT_ONCE) {
            running.decrementAndGet();
            return;
        }
        try {
            planners.execute(() -> planNow(sql, context));
        } catch (RejectedExecutionException e) {
            running.decrementAndGet();
        }
    }

    private void planNow(byte[] sql, StatementContext context) {
        try {
            // Others may have asked for it in the meantime.
            if (planner.cached(sql, context) == null) {
                planner.plan(sql, context);
            }
        } finally {
            running.decrementAndGet();
        }
    }
}
