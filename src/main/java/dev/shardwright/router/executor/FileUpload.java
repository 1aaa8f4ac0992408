package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.protocol.BackendConnection;
import dev.shardwright.router.protocol.FileFrames;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A file's content on its way from the client to a server, for LOAD DATA LOCAL. As much of it is held here
 * as one read brings: while the server is slow the client is not read. The client may not be spoken to before
 * it has sent all, so what comes after a failure is read and dropped.
 */
final class FileUpload {
    private final SessionRunner runner;
    private final BackendConnection server;
    private final FileFrames frames;
    private @Nullable ErrPacket failure;
    private boolean answered;
    private boolean sent;

    FileUpload(SessionRunner runner, BackendConnection server, FileFrames frames) {
        this.runner = runner;
        this.server = server;
        this.frames = frames;
    }

    void received(ByteBuf piece) {
        if (answered || failure != null || !server.isOpen()) {
            piece.release();
        } else {
            server.sendMore(piece);
        }
        if (frames.ended()) {
            sent = true;
            ended();
        } else if (!answered && failure == null && server.isOpen() && !server.isWritable()) {
            runner.pauseFile();
            server.onWritable(runner::resumeFile);
        }
    }

    private void ended() {
        server.onWritable(null);
        if (failure != null) {
            tell(failure);
        } else if (answered) {
            runner.answered();
        }
    }

    private void tell(ErrPacket error) {
        runner.errorAfter(frames.next() - 1 & 0xff, error);
    }

    /** Whether the client has sent all of it. */
    boolean isSent() {
        return sent;
    }

    /** The server has answered before it got all. */
    void answered() {
        answered = true;
        goOn();
    }

    /** The server is gone; the client is told as soon as it listens. */
    void fail(ErrPacket error) {
        failure = error;
        if (isSent()) {
            tell(error);
        } else {
            goOn();
        }
    }

    private void goOn() {
        server.onWritable(null);
        runner.resumeFile();
    }
}
