package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.SessionBackend;
import org.jspecify.annotations.Nullable;

/**
 * How long one session's statement has run, and its end when that is too long: {@code KILL QUERY} on each server that
 * runs it, whose answer then is the client's. The session's next statement waits for the servers' word that this is
 * over, so that it can't be hit.
 */
final class StatementClock {
    private static final int INTERRUPTED = 1317;

    private final SessionRunner runner;
    private final long limit;
    private long began;
    private @Nullable Execution overran;
    private int pending;
    private boolean answerWaits;

    /** @param limitNanos 0: no statement is ever ended, and nothing is measured */
    StatementClock(SessionRunner runner, long limitNanos) {
        this.runner = runner;
        this.limit = limitNanos;
    }

    /** A statement begins. */
    void start() {
        if (limit > 0) {
            began = System.nanoTime();
            overran = null;
        }
    }

    /** Called now and then. */
    void look(long now) {
        var running = runner.current();
        if (running != null && running != overran && now - began > limit && running.mayTimeOut()) {
            end(running);
        }
    }

    private void end(Execution running) {
        if (runner.endWait(ErrorCatalogue.statementTimeout())) {
            runner.loop().metrics().timedOut().increment();
            return;
        }
        var busy = runner.backends().busy();
        if (busy.isEmpty()) {
            // What waits for a connection has a limit of its own, and what is being planned takes no time.
            runner.backends().closeUnready();
        } else {
            runner.loop().metrics().timedOut().increment();
            overran = running;
            busy.forEach(backend -> interrupt(running, backend));
        }
    }

    private void interrupt(Execution running, SessionBackend backend) {
        pending++;
        Interruption.start(
                runner,
                backend,
                true,
                () -> stillRuns(running, backend),
                failure -> runner.guarded(() -> interrupted(running, backend, failure)));
    }

    /** A connection that was closed meanwhile may have left its statement behind. */
    private boolean stillRuns(Execution running, SessionBackend backend) {
        return !backend.connection().isOpen()
                || runner.current() == running && runner.backends().isBusy(backend);
    }

    private void interrupted(Execution running, SessionBackend backend, @Nullable ErrPacket failure) {
        if (failure != null && stillRuns(running, backend)) {
            // A server that takes no KILL may never answer.
            backend.connection().close();
        }
        if (--pending == 0 && answerWaits) {
            answerWaits = false;
            runner.answered();
        }
    }

    /** Whether the client must not go on yet; it is let go when it may. */
    boolean holdsAnswer() {
        answerWaits |= pending > 0 && !runner.isGone();
        return answerWaits;
    }

    /** Whether the time of the statement that runs is up. */
    boolean isUp() {
        return overran != null && overran == runner.current();
    }

    /** What the client is told of a server's error: the same, unless it is there because the time was up. */
    ErrPacket told(ErrPacket error) {
        return isUp() && error.errno() == INTERRUPTED ? ErrorCatalogue.statementTimeout() : error;
    }
}
