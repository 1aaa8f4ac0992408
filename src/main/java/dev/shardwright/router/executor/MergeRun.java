package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.OkPacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.router.executor.merge.MergeException;
import dev.shardwright.router.executor.merge.RowMerger;
import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.Planned;
import dev.shardwright.router.planner.Route;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardEntry;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

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
    private final RowMerger merger;
    private final List<ShardStream> streams = new ArrayList<>();
    private int sequence;
    private boolean begun;
    private boolean over;
    private boolean answered;

    private MergeRun(Execution execution, Subject subject, Route.Several route, Planned planned) {
        this.execution = execution;
        this.runner = execution.runner;
        this.subject = subject;
        this.route = route;
        this.planned = planned;
        this.merger = RowMerger.of(route.merge(), route.limit(), route.shards().size(), subject.prepared());
    }

    static MultiShardRun start(
            Execution execution, Subject subject, List<ShardEntry> shards, Route.Several route, Planned planned) {
        var run = new MergeRun(execution, subject, route, planned);
        BackendGroup.ready(
                execution, shards, subject.needsForMerge(planned, route).andMetadata(), run);
        return run;
    }

    @Override
    public void ready(List<SessionBackend> backends) {
        sequence = runner.replySequence();
        runner.session().ranMerged();
        for (var backend : backends) {
            streams.add(new ShardStream(streams.size(), backend, this));
        }
        for (var stream : streams) {
            var backend = stream.backend();
            backend.runs(Access.READ);
            backend.connection()
                    .send(subject.commandForMerge(backend, planned, route), subject.kind(), stream)
                    .listen(stream);
        }
    }

    @Override
    public void columns(int shard, List<byte[]> definitions) {
        merging(() -> merger.columns(shard, definitions));
    }

    @Override
    public void row(int shard, byte[] payload) {
        merging(() -> {
            if (!merger.finished()) {
                merger.row(shard, payload);
            }
        });
    }

    @Override
    public void ended(int shard) {
        rests(shard);
        merging(() -> merger.end(shard));
        flushed();
    }

    private void rests(int shard) {
        if (!runner.isGone()) {
            runner.rests(streams.get(shard).backend());
        }
    }

    @Override
    public void flushed() {
        if (runner.isGone()) {
            return;
        }
        merging(this::pump);
        answerWhenAllHaveEnded();
    }

    @Override
    public void clientReadsAgain() {
        if (!streams.isEmpty()) {
            flushed();
        }
    }

    private void merging(Runnable step) {
        if (over) {
            return;
        }
        try {
            step.run();
        } catch (MergeException e) {
            fail(new ErrPacket(e.errno(), e.sqlState(), String.valueOf(e.getMessage())));
        }
    }

    private void pump() {
        if (!merger.columnsKnown()) {
            return;
        }
        if (!begun) {
            begin();
        }
        while (runner.out().isWritable() && writeRows()) {}
        runner.out().flush();
        if (merger.finished()) {
            end();
        } else {
            for (int i = 0; i < streams.size(); i++) {
                streams.get(i).read(merger.wants(i));
            }
        }
    }

    private void begin() {
        begun = true;
        var columns = merger.visibleColumns();
        var out = runner.out().channel().alloc().buffer();
        boolean described = runner.session().wantsMetadata();
        var head = PacketBuilder.begin(out, sequence).lengthEncoded(columns.size());
        if (runner.out().optionalMetadata()) {
            head.int1(described ? 1 : 0);
        }
        sequence = head.end();
        if (described) {
            for (var column : columns) {
                sequence = PacketBuilder.begin(out, sequence).bytes(column).end();
            }
        }
        if (!runner.out().deprecateEof()) {
            sequence = OkPacket.writeEof(out, sequence, status(), 0);
        }
        runner.out().write(out);
    }

    private int status() {
        return runner.session().transaction().status() | runner.moreResults();
    }

    /** False when no further row can be had now. */
    private boolean writeRows() {
        var out = runner.out().channel().alloc().buffer();
        try {
            return fill(out);
        } finally {
            runner.out().write(out);
        }
    }

    private boolean fill(ByteBuf out) {
        while (out.readableBytes() < WRITE_BYTES) {
            var row = merger.next();
            if (row == null) {
                return false;
            }
            sequence = PacketBuilder.begin(out, sequence).bytes(row).end();
        }
        return true;
    }

    private void end() {
        var out = runner.out().channel().alloc().buffer(16);
        OkPacket.writeEnd(out, sequence, status(), 0, runner.out().deprecateEof());
        runner.wrote(sequence);
        runner.out().write(out);
        runner.out().flush();
        over = true;
        streams.forEach(stream -> stream.read(true));
    }

    private void answerWhenAllHaveEnded() {
        if (over && !answered && streams.stream().allMatch(ShardStream::hasEnded)) {
            answered = true;
            runner.answered();
        }
    }

    @Override
    public void failed(int shard, ErrPacket error) {
        rests(shard);
        if (over) {
            answerWhenAllHaveEnded();
        } else if (ErrorCatalogue.refusedUnrun(error) && !begun) {
            streams.get(shard).backend().connection().close();
            startAgain(error);
        } else {
            fail(runner.clock().told(error));
        }
    }

    @Override
    public void lost(int shard) {
        var backend = streams.get(shard).backend();
        backend.rests();
        if (runner.isGone()) {
            return;
        }
        if (over) {
            answerWhenAllHaveEnded();
        } else if (runner.clock().isUp()) {
            fail(ErrorCatalogue.statementTimeout());
        } else if (begun) {
            fail(ErrorCatalogue.movedDuringResult(backend.shard().name()));
        } else {
            startAgain(ErrorCatalogue.connectionLost(backend.shard().name()));
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
        if (begun) {
            runner.errorAfter(sequence - 1, error);
        } else {
            runner.error(error);
        }
    }

    /** Connections on which the statement still runs can't be used before it ends, so they are closed. */
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
