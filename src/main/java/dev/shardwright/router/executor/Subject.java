package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.Parameters;
import dev.shardwright.router.planner.Planned;
import dev.shardwright.router.planner.Route;
import dev.shardwright.router.session.SessionBackend;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** What is to be run: a text, an execution of a prepared statement, or the preparing itself. */
interface Subject {
    byte[] sql();

    boolean prepared();

    /** Where tables are that the statement names without a database; null: nowhere. */
    @Nullable
    String database();

    Parameters parameters();

    /** What its connection needs before it can be sent. */
    Readying.Needs needs(boolean begin);

    /** The command for this server; the caller releases it. */
    ByteBuf commandFor(SessionBackend backend);

    ResponseScanner.Kind kind();

    /** What a connection needs before it can be sent this as one of several shards. */
    Readying.Needs needsForMerge(Planned planned, Route.Several route);

    /** The command for this server when it is one of several; the caller releases it. */
    ByteBuf commandForMerge(SessionBackend backend, Planned planned, Route.Several route);

    /** Whether the client wants to fetch rows later. */
    default boolean wantsCursor() {
        return false;
    }

    /** The same with another text, which takes the place of the running command. */
    default Subject withText(byte[] text) {
        throw new IllegalStateException("the text of this command can't be changed");
    }

    /** Called before the first byte of the answer is looked at. */
    default void sent(ResponseScanner response) {}

    /**
     * The server has answered without an error, and the client has the answer.
     *
     * @param done to be run when the client may go on
     */
    default void succeeded(SessionBackend backend, ResponseScanner response, Runnable done) {
        done.run();
    }

    /** The client has its answer, whatever it is. */
    default void finished() {}
}
