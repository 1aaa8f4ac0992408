package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.SessionBackend;

/**
 * A text that the only shard's server takes apart. What its statements do to the session is not known, so the
 * session keeps the connection, and asks it afterwards how texts are read.
 */
final class WholeTextRun extends RoutedRun {
    private final Subject subject;

    WholeTextRun(SessionRunner runner, TextSubject text) {
        super(runner);
        this.subject = new WholeText(runner, text);
    }

    @Override
    void attempt(TopologyView view) {
        if (view.shards().size() > 1) {
            runner.error(ErrorCatalogue.statementWithBody());
        } else if (view.anyWorkflow() instanceof String workflow) {
            runner.error(ErrorCatalogue.ddlDuringWorkflow(workflow));
        } else {
            one(view, view.shards().getFirst(), subject, Access.WRITE, true, Effects.UNKNOWN);
        }
    }

    private static final class WholeText extends DelegatingSubject {
        private final SessionRunner runner;

        WholeText(SessionRunner runner, TextSubject text) {
            super(text);
            this.runner = runner;
        }

        @Override
        public Readying.Needs needs(boolean begin) {
            return Readying.Needs.ofSeveral(begin);
        }

        @Override
        public void succeeded(SessionBackend backend, ResponseScanner response, Runnable done) {
            TextReading.ask(runner, backend, done);
        }
    }
}
