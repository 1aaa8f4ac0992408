package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.executor.RouterMetrics.Kind;
import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.Residue;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import org.jspecify.annotations.Nullable;

/** A command that goes to one shard, under the rules of the session's transaction and of the topology. */
abstract class RoutedRun extends Execution {
    private @Nullable SingleShardRun single;
    private boolean committing;

    RoutedRun(SessionRunner runner) {
        super(runner);
    }

    /**
     * Runs on one shard, if the session's transaction and the topology allow it.
     *
     * @param joins see {@link SingleShardRun}
     */
    final void one(
            TopologyView view, ShardEntry shard, Subject subject, Access access, boolean joins, Effects effects) {
        var open = runner.session().transaction().backend();
        var pinned = runner.session().pinned();
        if (open != null && !open.shard().uid().equals(shard.uid())) {
            runner.error(ErrorCatalogue.crossShardTransaction(open.shard().name(), shard.name()));
        } else if (pinned != null && !pinned.shard().uid().equals(shard.uid())) {
            runner.error(ErrorCatalogue.pinnedElsewhere(pinned.shard().name(), shard.name()));
        } else if (open == null && shard.state() != ShardState.Serving) {
            holdFor(shard, view);
        } else {
            runner.loop().metrics().statements(Kind.SINGLE).increment();
            var run = new SingleShardRun(this, subject, shard, access, joins, effects);
            single = run;
            run.start();
        }
    }

    /** The shard that is best for a statement that any shard can run. */
    final ShardEntry anyShard(TopologyView view) {
        var session = runner.session();
        var open = session.transaction().backend();
        if (open != null) {
            return open.shard();
        }
        var pinned = session.pinned();
        if (pinned != null) {
            return pinned.shard();
        }
        var last = session.last();
        if (last != null && view.serves(last.shard())) {
            return last.shard();
        }
        return session.backends().stream()
                .filter(backend -> view.serves(backend.shard()))
                .map(backend -> backend.shard())
                .findFirst()
                .orElseGet(view::anyShard);
    }

    /** Commits the open transaction if there is one; {@code then} runs only if that succeeds. */
    final void commit(Runnable then) {
        finish("COMMIT", then);
    }

    /** Rolls the open transaction back if there is one. */
    final void rollback(Runnable then) {
        finish("ROLLBACK", then);
    }

    /** Releases what LOCK TABLES has locked, as a BEGIN does, though the server will hear of that later. */
    final void unlockTables(Runnable then) {
        var session = runner.session();
        var holder = session.pinned();
        if (holder == null || !session.hasTableLocks()) {
            then.run();
            return;
        }
        holder.use();
        holder.runs(Access.WRITE);
        InternalCommand.query(holder, "UNLOCK TABLES", new InternalCommand.Callback() {
            @Override
            public void succeeded(ResponseScanner result) {
                session.transaction().observe(holder, result.status());
                session.left(Residue.Plain.NO_TABLE_LOCKS, null, true, null);
                runner.rests(holder);
                then.run();
            }

            @Override
            public void refused(ErrPacket error) {
                runner.rests(holder);
                runner.error(error);
            }

            @Override
            public void lost() {
                if (!runner.isGone()) {
                    runner.error(ErrorCatalogue.sessionStateLost(holder.shard().name()));
                }
            }
        });
    }

    /** See {@link dev.shardwright.router.session.Transaction#keeper}; null also if the session has it no more. */
    final @Nullable SessionBackend keeper() {
        var keeper = runner.session().transaction().keeper();
        return keeper != null && runner.session().backend(keeper.shard().uid()) == keeper ? keeper : null;
    }

    private void finish(String sql, Runnable then) {
        var transaction = runner.session().transaction();
        boolean isOpen = transaction.backend() != null;
        // Where nothing is open, what SET TRANSACTION said ends all the same.
        var open = isOpen ? transaction.backend() : keeper();
        if (open == null) {
            transaction.end();
            then.run();
            return;
        }
        boolean commits = isOpen && sql.equals("COMMIT");
        committing = true;
        open.use();
        open.runs(Access.WRITE);
        InternalCommand.query(open, sql, new InternalCommand.Callback() {
            @Override
            public void succeeded(ResponseScanner result) {
                committing = false;
                transaction.observe(open, result.status());
                transaction.end();
                runner.session().ran(open);
                runner.rests(open);
                then.run();
            }

            @Override
            public void refused(ErrPacket error) {
                committing = false;
                if (error.errno() == ErrorCatalogue.WRONG_XA_STATE) {
                    // Only XA statements end such a transaction; it is as it was.
                    runner.session().ran(open);
                    runner.rests(open);
                    runner.error(error);
                    return;
                }
                transaction.end();
                // Closing makes sure that nothing of it stays open on the server.
                open.connection().close();
                if (!isOpen) {
                    then.run();
                } else if (ErrorCatalogue.refusedUnrun(error)) {
                    runner.transactionEnded(
                            ErrorCatalogue.transactionMoved(open.shard().name()));
                } else {
                    runner.error(error);
                }
            }

            @Override
            public void lost() {
                committing = false;
                transaction.end();
                if (runner.isGone()) {
                    return;
                }
                if (commits) {
                    runner.error(ErrorCatalogue.outcomeUnknown(open.shard().name()));
                } else {
                    then.run();
                }
            }
        });
    }

    @Override
    final void attempt() {
        if (runner.isGone()) {
            return;
        }
        single = null;
        var view = runner.loop().view();
        if (view == null) {
            runner.error(ErrorCatalogue.noTopology());
        } else {
            attempt(view);
        }
    }

    /** Starts from the beginning under this topology. */
    abstract void attempt(TopologyView view);

    @Override
    boolean mayTimeOut() {
        return !committing;
    }

    @Override
    Ending endTransaction() {
        if (committing) {
            return Ending.TOO_LATE;
        }
        return single == null ? Ending.NOT_SENT : single.endTransaction();
    }
}
