package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.SessionStatement.Assignment;
import dev.shardwright.router.session.SessionBackend;
import java.util.List;

/** A SET: one server judges it, the session remembers it, and the other servers get it when they are needed. */
final class SetSubject extends DelegatingSubject {
    private final SessionRunner runner;
    private final List<Assignment> assignments;
    private final boolean autocommitBefore;

    SetSubject(SessionRunner runner, Subject statement, List<Assignment> assignments) {
        super(statement);
        this.runner = runner;
        this.assignments = assignments;
        this.autocommitBefore = runner.session().transaction().autocommit();
    }

    @Override
    public void succeeded(SessionBackend backend, ResponseScanner response, Runnable done) {
        var variables = runner.session().variables();
        assignments.forEach(variables::add);
        backend.assigned(assignments, variables.version());
        commitIfAutocommitCameOn();
        if (assignments.stream()
                .anyMatch(assignment ->
                        assignment.changesReading() || assignment.name().equals(Assignment.METADATA))) {
            TextReading.ask(runner, backend, done);
        } else {
            done.run();
        }
    }

    /** Turning autocommit on commits; a transaction that has reached no shard has nothing to commit. */
    private void commitIfAutocommitCameOn() {
        var transaction = runner.session().transaction();
        if (!autocommitBefore && transaction.autocommit() && transaction.waitsForShard()) {
            transaction.end();
        }
    }
}
