package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.planner.Plan;
import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.Planned;
import dev.shardwright.router.planner.SessionStatement;
import dev.shardwright.router.protocol.ErrorCatalogue;

/** COM_STMT_PREPARE: planned like the statement itself, then prepared on one server, which knows its metadata. */
final class PrepareRun extends StatementRun {
    PrepareRun(SessionRunner runner, PrepareSubject prepare) {
        super(runner, prepare);
    }

    @Override
    void proceed(TopologyView view, Planned made) {
        switch (made.plan()) {
            case Plan.Refused refused ->
                runner.error(new ErrPacket(refused.errno(), refused.sqlState(), refused.message()));
            case Plan.Session session
            when !preparable(session.statement(), made) -> runner.error(ErrorCatalogue.notPreparable());
            case Plan.Ddl _ when view.shards().size() > 1 -> runner.error(ErrorCatalogue.notPreparable());
            case Plan.FirstShard _ -> one(view, view.shards().getFirst(), subject(), Access.READ, false, Effects.NONE);
            case Plan.PassThrough _, Plan.AnyShard _, Plan.Keyed _, Plan.Scatter _, Plan.Session _, Plan.Ddl _ ->
                one(view, anyShard(view), subject(), Access.READ, false, Effects.NONE);
        }
    }

    /** The server says what it can prepare; a parameter's value could not be set again on another connection. */
    private static boolean preparable(SessionStatement statement, Planned made) {
        return statement instanceof SessionStatement.AboutLastStatement
                || made.scan().parameters() == 0;
    }
}
