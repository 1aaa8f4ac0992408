package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.protocol.ResponseSink;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardEntry;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A DDL statement on all shards at once. One answer goes to the client: OK when all shards have done it,
 * the servers' own error when all refuse with the same one, else a report of what happened where.
 */
final class DdlRun implements MultiShardRun, BackendGroup.Callback {
    private final Execution execution;
    private final SessionRunner runner;
    private final Subject subject;
    private final Map<String, String> failures = new LinkedHashMap<>();
    private final List<ErrPacket> errors = new ArrayList<>();
    private int running;
    private int shards;

    private DdlRun(Execution execution, Subject subject) {
        this.execution = execution;
        this.runner = execution.runner;
        this.subject = subject;
    }

    static MultiShardRun start(Execution execution, Subject subject, List<ShardEntry> shards) {
        var run = new DdlRun(execution, subject);
        BackendGroup.ready(execution, shards, subject.needs(false), run);
        return run;
    }

    @Override
    public void ready(List<SessionBackend> backends) {
        shards = backends.size();
        running = shards;
        runner.session().ran(null);
        for (var backend : backends) {
            backend.runs(Access.WRITE);
            backend.connection().send(subject.commandFor(backend), subject.kind(), new Sink(backend));
        }
    }

    private void ended() {
        if (--running > 0 || runner.isGone()) {
            return;
        }
        if (errors.isEmpty() && failures.isEmpty()) {
            runner.ok();
        } else if (errors.size() == shards && sameErrors()) {
            runner.error(errors.getFirst());
        } else {
            runner.error(ErrorCatalogue.ddlPartlyDone(report()));
        }
    }

    private boolean sameErrors() {
        return errors.stream().map(ErrPacket::errno).distinct().count() == 1;
    }

    private String report() {
        var done = shards - failures.size();
        return failures.entrySet().stream()
                        .map(failure -> "shard " + failure.getKey() + ": " + failure.getValue())
                        .collect(Collectors.joining("; "))
                + "; done on " + done + " of " + shards + " shards";
    }

    private final class Sink implements ResponseSink {
        private final SessionBackend backend;

        Sink(SessionBackend backend) {
            this.backend = backend;
        }

        @Override
        public void onBytes(ByteBuf bytes) {
            bytes.release();
        }

        @Override
        public void onComplete(ResponseScanner result) {
            runner.session().transaction().observe(backend, result.status());
            runner.rests(backend);
            ended();
        }

        @Override
        public void onError(ErrPacket error, ByteBuf packet) {
            packet.release();
            errors.add(error);
            failures.put(backend.shard().name(), error.errno() + " " + error.message());
            runner.rests(backend);
            ended();
        }

        @Override
        public void onLost(ResponseScanner result) {
            backend.rests();
            failures.put(backend.shard().name(), "the connection was lost, whether it was done is unknown");
            ended();
        }
    }

    @Override
    public String toString() {
        return "DDL of " + execution;
    }
}
