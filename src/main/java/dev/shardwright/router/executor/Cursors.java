package dev.shardwright.router.executor;

import dev.shardwright.router.session.PreparedStatement;
import dev.shardwright.router.session.SessionBackend;

/**
 * The session's open cursors. The rows of one lie in a temporary table of one connection, which therefore
 * stays the session's own until {@link #ended}.
 */
final class Cursors {
    private final SessionRunner runner;

    Cursors(SessionRunner runner) {
        this.runner = runner;
    }

    /** The statement that runs on this connection has opened one; it has not come to rest yet. */
    void opened(PreparedStatement statement, SessionBackend on) {
        statement.cursorOn(on);
        on.cursorOpened();
    }

    /** The server has none any more: the last row was sent, it failed, or its connection is gone. */
    void ended(PreparedStatement statement) {
        var on = statement.cursor();
        if (on != null) {
            statement.cursorOn(null);
            on.cursorEnded();
        }
    }

    /** The client is done with it, if the statement has one. The server needs no answer to be told. */
    void close(PreparedStatement statement) {
        var on = statement.cursor();
        if (on != null) {
            InternalCommand.closeStatement(on, statement.keyWithCursor());
            ended(statement);
            runner.rests(on);
        }
    }
}
