package dev.shardwright.router.executor;

import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.protocol.ErrorCatalogue;

/** A command that needs no plan: it goes as it came to the shard at the minimum, beside any transaction. */
final class ForwardRun extends RoutedRun {
    private final Subject subject;

    ForwardRun(SessionRunner runner, Subject subject) {
        super(runner);
        this.subject = subject;
    }

    @Override
    void attempt() {
        var view = runner.loop().view();
        if (runner.isGone()) {
            return;
        }
        startsOver();
        if (view == null) {
            runner.error(ErrorCatalogue.noTopology());
        } else {
            one(view, view.shards().getFirst(), subject, Access.READ, false, Effects.NONE);
        }
    }
}
