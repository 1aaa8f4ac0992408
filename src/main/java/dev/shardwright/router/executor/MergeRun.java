package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.OkPacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.Planned;
import dev.shardwright.router.planner.Route;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardEntry;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read on several shards whose rows are merged as they come. It is sent to all shards under one epoch; if
 * a shard is lost before the client has got anything, the whole statement starts again.
 */
final class MergeRun implements MultiShardRun, BackendGroup.Callback, ShardStream.Listener {
    private static final int WRITE_BYTES = 64 << 10;

    private final Execution execution;
    private final SessionRunner runner;
    private final Subject subject;
    private final Route.Several route;
    private final Planned planned;
    private final List<ShardStream> streams = new ArrayList<>();
    private @Nullable RowMerger merger;
    private int sequence;
    private boolean answered;
    private boolean over;

    private MergeRun(Execution execution, Subject subject, Route.Several route, Planned planned) {
        this.execution = execution;
        this.runner = execution.runner;
        this.subject = subject;
        this.route = route;
        this.planned = planned;
    }

    static MultiShardRun start(
            Execution execution, Subject subject, List<ShardEntry> shards, Route.Several route, Planned planned) {
        var run = new MergeRun(execution, subject, route, planned);
        BackendGroup.ready(execution, shards, subject.needsForMerge(planned, route), run);
        return run;
    }

    @Override
    public void ready(List<SessionBackend> backends) {
        sequence = runner.replySequence();
        runner.session().ran(null);
        backends.forEach(backend -> streams.add(new ShardStream(backend, this)));
        for (var stream : streams) {
            var backend = stream.backend();
            backend.runs(Access.READ);
            backend.connection()
                    .send(subject.commandForMerge(backend, planned, route), subject.kind(), stream)
                    .listen(stream);
        }
    }

    @Override
    public void progressed() {
        if (runner.isGone()) {
            return;
        }
        streams.stream().filter(ShardStream::hasEnded).forEach(stream -> runner.rests(stream.backend()));
        if (over) {
            answerWhenAllHaveEnded();
        } else {
            pump();
        }
    }

    @Override
    public void clientReadsAgain() {
        if (!over && !streams.isEmpty()) {
            pump();
        }
    }

    private void pump() {
        try {
            var ready = merger == null ? begin() : merger;
            if (ready != null) {
                write(ready);
            }
        } catch (RowMerger.CannotMergeException e) {
            fail(ErrorCatalogue.notSupported(e.getMessage()));
        }
    }

    /** Null until every shard has sent its columns. */
    private @Nullable RowMerger begin() {
        if (streams.stream().anyMatch(stream -> stream.columns() == null)) {
            return null;
        }
        var made = RowMerger.of(route, streams, subject.prepared());
        merger = made;
        var out = runner.out().channel().alloc().buffer();
        sequence = PacketBuilder.begin(out, sequence)
                .lengthEncoded(made.columns().size())
                .end();
        for (var column : made.columns()) {
            sequence = PacketBuilder.begin(out, sequence).bytes(column).end();
        }
        if (!runner.out().deprecateEof()) {
            sequence = OkPacket.writeEof(
                    out, sequence, runner.session().transaction().status(), 0);
        }
        runner.out().write(out);
        return made;
    }

    private void write(RowMerger rows) {
        while (runner.out().isWritable()) {
            var out = runner.out().channel().alloc().buffer();
            boolean more = fill(out, rows);
            runner.out().write(out);
            if (!more) {
                break;
            }
        }
        runner.out().flush();
        if (rows.finished()) {
            end();
        }
    }

    /** False when no further row can be had now. */
    private boolean fill(ByteBuf out, RowMerger rows) {
        while (out.readableBytes() < WRITE_BYTES) {
            var row = rows.next();
            if (row == null) {
                return false;
            }
            sequence = PacketBuilder.begin(out, sequence).bytes(row).end();
        }
        return true;
    }

    private void end() {
        var out = runner.out().channel().alloc().buffer(16);
        OkPacket.writeEnd(
                out,
                sequence,
                runner.session().transaction().status(),
                0,
                runner.out().deprecateEof());
        runner.out().write(out);
        runner.out().flush();
        over = true;
        streams.stream().filter(stream -> !stream.hasEnded()).forEach(ShardStream::discard);
        answerWhenAllHaveEnded();
    }

    private void answerWhenAllHaveEnded() {
        if (!answered && streams.stream().allMatch(ShardStream::hasEnded)) {
            answered = true;
            runner.answered();
        }
    }

    @Override
    public void failed(ShardStream stream, ErrPacket error) {
        if (!runner.isGone()) {
            runner.rests(stream.backend());
        }
        if (over) {
            progressed();
        } else if (ErrorCatalogue.refusedUnrun(error) && merger == null) {
            stream.backend().connection().close();
            startAgain(error);
        } else {
            fail(error);
        }
    }

    @Override
    public void lost(ShardStream stream) {
        stream.backend().rests();
        if (over) {
            progressed();
        } else if (merger == null) {
            startAgain(ErrorCatalogue.shardUnreachable(stream.backend().shard().name(), "the connection was lost"));
        } else {
            fail(ErrorCatalogue.movedDuringResult(stream.backend().shard().name()));
        }
    }

    private void startAgain(ErrPacket error) {
        stopStreams();
        if (!runner.isGone()) {
            execution.retryLater(error);
        }
    }

    private void fail(ErrPacket error) {
        stopStreams();
        if (runner.isGone()) {
            return;
        }
        if (merger == null) {
            runner.error(error);
        } else {
            runner.errorAfter(sequence - 1, error);
        }
    }

    /** Shards that still run the statement are left alone; their connections can't be used before they end. */
    private void stopStreams() {
        over = true;
        answered = true;
        for (var stream : streams) {
            if (!stream.hasEnded()) {
                stream.backend().connection().close();
            }
        }
    }
}
