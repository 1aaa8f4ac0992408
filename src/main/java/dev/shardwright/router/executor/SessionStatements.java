package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.SessionStatement;
import dev.shardwright.router.planner.SessionUse;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.ClientSession;
import dev.shardwright.router.session.Transaction;
import dev.shardwright.topology.model.ShardEntry;
import org.jspecify.annotations.Nullable;

/** Runs the statements that are about the session: transactions, variables, the current database. */
final class SessionStatements {
    private final StatementRun run;
    private final SessionRunner runner;
    private final ClientSession session;
    private final Subject subject;
    private final TopologyView view;
    private final SessionUse use;

    SessionStatements(StatementRun run, Subject subject, TopologyView view, SessionUse use) {
        this.run = run;
        this.runner = run.runner;
        this.session = runner.session();
        this.subject = subject;
        this.view = view;
        this.use = use;
    }

    void run(SessionStatement statement) {
        switch (statement) {
            case SessionStatement.Use use -> UseDatabase.run(runner, use.database());
            case SessionStatement.Begin begin -> begin(begin);
            case SessionStatement.Commit commit -> {
                var chained = commit.chain() ? session.transaction().chained() : null;
                run.commit(() -> ended(chained, commit.release()));
            }
            case SessionStatement.Rollback rollback -> {
                var chained = rollback.chain() ? session.transaction().chained() : null;
                run.rollback(() -> ended(chained, rollback.release()));
            }
            case SessionStatement.Savepoint savepoint -> savepoint(savepoint);
            case SessionStatement.SetVariables set -> set(set);
            case SessionStatement.SetNextTransaction next -> characterise(next.sql());
            case SessionStatement.AboutLastStatement _ -> aboutLast();
            case SessionStatement.Kill _ -> kill();
        }
    }

    private void begin(SessionStatement.Begin begin) {
        if (isForKeeper()) {
            anywhere(new BeginSubject(runner, subject, begin.mode()), Access.READ);
            return;
        }
        run.commit(() -> run.unlockTables(() -> {
            session.transaction().begin(begin.mode(), session.variables().onlyReads());
            runner.ok();
        }));
    }

    /** With one shard, a transaction may begin at once there, where alone is known what SET TRANSACTION still says of it. */
    private boolean isForKeeper() {
        var keeper = run.keeper();
        return keeper != null
                && view.shards().size() == 1
                && keeper.shard().uid().equals(view.shards().getFirst().uid())
                && !session.transaction().isOpen()
                && !session.hasTableLocks();
    }

    /** @param chained what a transaction that is chained to it has to be like; null: none is */
    private void ended(Transaction.@Nullable Chained chained, boolean release) {
        if (release) {
            runner.stopBatch();
            runner.closeWhenAnswered();
        }
        if (chained != null) {
            session.transaction().begin(chained, session.variables().onlyReads());
        }
        runner.ok();
    }

    private void savepoint(SessionStatement.Savepoint savepoint) {
        var transaction = session.transaction();
        boolean set = savepoint.action() == SessionStatement.SavepointAction.SET;
        if (set && !transaction.autocommit() && !transaction.isOpen()) {
            // The transaction begins after it, on whatever shard its first statement touches.
            transaction.beginImplicitly(session.variables().onlyReads());
        }
        if (!transaction.waitsForShard()) {
            anywhere(subject, Access.READ);
        } else if (!set) {
            boolean release = savepoint.action() == SessionStatement.SavepointAction.RELEASE;
            if (transaction.backToEarly(savepoint.name(), release)) {
                runner.ok();
            } else {
                runner.error(ErrorCatalogue.noSavepoint(savepoint.name()));
            }
        } else if (transaction.saveEarly(savepoint)) {
            runner.ok();
        } else {
            runner.error(ErrorCatalogue.notSupported(
                    "too many savepoints in a transaction that has not touched a table yet"));
        }
    }

    private void set(SessionStatement.SetVariables set) {
        if (session.variables().isFull()) {
            runner.error(ErrorCatalogue.notSupported("this session has set too many variables by expressions;"
                    + " connect again or reset the connection"));
        } else {
            anywhere(new SetSubject(runner, subject, set.assignments()), Access.READ);
        }
    }

    private void anywhere(Subject what, Access access) {
        run.one(view, run.anyShard(view), what, access, false, Effects.of(use, session));
    }

    private void characterise(String sql) {
        if (session.transaction().hasBegun()) {
            runner.error(new ErrPacket(
                    1568, "25001", "Transaction characteristics can't be changed while a transaction is in progress"));
        } else {
            session.transaction().characterise(sql);
            runner.ok();
        }
    }

    /** An id that no router gives is a server's own, as its process list has it; those of several can't be told apart. */
    private void kill() {
        boolean oneShard = view.shards().size() == 1;
        var kill = Kill.of(runner, subject.sql(), oneShard);
        if (kill != null) {
            kill.run();
        } else if (oneShard) {
            anywhere(subject, Access.WRITE);
        } else {
            runner.error(ErrorCatalogue.notSupported(
                    "KILL of another id than a client's own, as its login was told, on a keyspace of several shards"));
        }
    }

    private void aboutLast() {
        var shard = use.lastStatement() ? shardOfLast() : shardOfInsertId();
        if (shard != null) {
            run.one(view, shard, subject, Access.READ, false, Effects.of(use, session));
        } else if (use.lastStatement() && session.lastIsMerged()) {
            runner.error(ErrorCatalogue.lastStatementMerged());
        } else {
            anywhere(subject, Access.READ);
        }
    }

    private @Nullable ShardEntry shardOfLast() {
        var last = session.last();
        return last == null ? null : last.shard();
    }

    private @Nullable ShardEntry shardOfInsertId() {
        var holder = session.insertId().backend();
        return holder == null || !view.serves(holder.shard()) ? null : holder.shard();
    }
}
