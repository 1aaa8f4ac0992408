package dev.shardwright.router.executor;

import dev.shardwright.router.session.SessionBackend;
import java.util.concurrent.TimeUnit;

/**
 * What is done when a server takes no more prepared statements: those that the router keeps without need are closed, first
 * on the connection itself, then on those that rest. For one statement.
 */
final class PrepareRetries {
    private static final long FIRST_PAUSE_MILLIS = 1;
    /** Servers hear of what is closed on other connections within moments; pauses of half a second in all. */
    private static final long LONGEST_PAUSE_MILLIS = 256;

    private final SessionRunner runner;
    private long pause;

    PrepareRetries(SessionRunner runner) {
        this.runner = runner;
    }

    /**
     * The server of this connection has just refused.
     *
     * @param again called when the statement may be prepared now; the connection may have gone
     * @param full called when there is nothing left to be closed
     */
    void after(SessionBackend backend, Runnable again, Runnable full) {
        if (InternalCommand.closeStatements(backend) > 0) {
            again.run();
        } else if (pause > 0) {
            later(again, full);
        } else {
            pause = FIRST_PAUSE_MILLIS;
            runner.loop()
                    .sessions()
                    .preparedCaches()
                    .closeResting(backend.shard())
                    .whenCompleteAsync(
                            (closed, failure) -> goOn(failure == null && closed > 0 ? () -> later(again, full) : full),
                            runner.loop().eventLoop());
        }
    }

    private void later(Runnable again, Runnable full) {
        if (pause > LONGEST_PAUSE_MILLIS) {
            full.run();
            return;
        }
        runner.loop().eventLoop().schedule(() -> goOn(again), pause, TimeUnit.MILLISECONDS);
        pause *= 2;
    }

    private void goOn(Runnable step) {
        if (!runner.isGone()) {
            runner.guarded(step);
        }
    }
}
