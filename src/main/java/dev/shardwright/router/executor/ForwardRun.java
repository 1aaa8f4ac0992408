package dev.shardwright.router.executor;

import dev.shardwright.router.planner.Plan.Access;

/** A command that needs no plan: it goes as it came to the shard at the minimum, beside any transaction. */
final class ForwardRun extends RoutedRun {
    private final Subject subject;

    ForwardRun(SessionRunner runner, Subject subject) {
        super(runner);
        this.subject = subject;
    }

    @Override
    void attempt(TopologyView view) {
        one(view, view.shards().getFirst(), subject, Access.READ, false, Effects.NONE);
    }
}
