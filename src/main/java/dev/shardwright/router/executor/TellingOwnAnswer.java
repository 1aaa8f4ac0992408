package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.OwnAnswer;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardEntry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes a server know what the router has answered itself, before a statement there asks about it. */
final class TellingOwnAnswer implements Readying.Callback, InternalCommand.Callback {
    private final Execution execution;
    private final SessionRunner runner;
    private final OwnAnswer answer;
    private @Nullable SessionBackend backend;
    private boolean pings;

    private TellingOwnAnswer(Execution execution, OwnAnswer answer) {
        this.execution = execution;
        this.runner = execution.runner;
        this.answer = answer;
    }

    /** Then attempts the execution again. @param subject what asks: preparing it later would take the answer's place */
    static void start(Execution execution, Subject subject, ShardEntry anyShard, OwnAnswer answer) {
        var telling = new TellingOwnAnswer(execution, answer);
        var last = execution.runner.session().last();
        if (answer.statement() == null && last != null) {
            last.use();
            telling.ready(last);
        } else {
            var needs = subject.needs(false).and(false, last == null);
            Readying.start(execution.runner, anyShard, needs, telling);
        }
    }

    @Override
    public void ready(SessionBackend ready) {
        if (runner.isGone()) {
            return;
        }
        backend = ready;
        var statement = answer.statement();
        if (statement == null) {
            ping(ready);
        } else {
            InternalCommand.query(ready, statement, this);
        }
    }

    private void ping(SessionBackend on) {
        pings = true;
        InternalCommand.ping(on, this);
    }

    @Override
    public void unavailable(ErrPacket error) {
        execution.retryLater(error);
    }

    @Override
    public void succeeded(ResponseScanner result) {
        told();
    }

    private void told() {
        var on = asked();
        if (answer.counts() && !pings) {
            ping(on);
            return;
        }
        runner.session().ran(on);
        execution.attempt();
    }

    /** By a server that makes a connection ready, or instead of what it was asked to. */
    @Override
    public void refused(ErrPacket error) {
        var own = answer.error();
        if (backend != null && own != null && !pings && own.errno() == error.errno()) {
            told();
        } else {
            runner.error(ErrorCatalogue.refusedUnrun(error) ? ErrorCatalogue.lastStatementGone() : error);
        }
    }

    @Override
    public void lost() {
        execution.retryLater(ErrorCatalogue.connectionLost(asked().shard().name()));
    }

    private SessionBackend asked() {
        return Objects.requireNonNull(backend, "nothing has been sent");
    }
}
