package dev.shardwright.reshard.mover;

import dev.shardwright.mysql.binlog.RowSpace;
import dev.shardwright.mysql.binlog.TransactionReader;
import dev.shardwright.mysql.client.RowConnection;
import dev.shardwright.reshard.copy.BytesBudget;
import dev.shardwright.reshard.copy.ChunkHandoff;
import dev.shardwright.reshard.copy.ChunkReader;
import dev.shardwright.reshard.copy.PartitionState;
import dev.shardwright.reshard.copy.Reconciler;
import dev.shardwright.reshard.copy.SnapshotReader;
import dev.shardwright.reshard.copy.SourceProbe;
import dev.shardwright.reshard.copy.Throttle;
import dev.shardwright.reshard.copy.Throttling;
import dev.shardwright.reshard.copy.Walk;
import dev.shardwright.reshard.copy.Watermarks;
import dev.shardwright.reshard.copy.WindowRoom;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.reshard.mover.Preparation.Prepared;
import dev.shardwright.reshard.stream.Applier;
import dev.shardwright.reshard.stream.TargetQueue;
import dev.shardwright.reshard.stream.TargetStore;
import dev.shardwright.reshard.stream.TargetStore.Progress;
import dev.shardwright.reshard.table.Table;
import dev.shardwright.reshard.table.Weights;
import dev.shardwright.reshard.verify.Comparison;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a mover: from the targets' checkpoints until something fails. A lost server and a killed
 * mover are the same to the next attempt.
 */
final class MoverRun {
    private static final int MAX_MISMATCHES = 100;
    private static final long CAUGHT_UP_MILLIS = 1_000;
    private static final long POLL_MILLIS = 50;

    private final MoverSpec spec;
    private final Sessions sessions;
    private final MoverTuning tuning;
    private final Counters counters;
    private final RunScope scope;
    /** What has been sent to the source while it is read. */
    private final AtomicLong statements = new AtomicLong();

    private volatile boolean inPass;
    private final List<TargetStore> stores = new ArrayList<>();
    private final List<TargetQueue> queues = new ArrayList<>();
    private final List<Applier> appliers = new ArrayList<>();

    MoverRun(MoverSpec spec, Sessions sessions, MoverTuning tuning, Counters counters, RunScope scope) {
        this.spec = spec;
        this.sessions = sessions;
        this.tuning = tuning;
        this.counters = counters;
        this.scope = scope;
    }

    /** Never returns normally. */
    void run() throws Exception {
        var source = openSource();
        var targets = new ArrayList<Connection>();
        for (var target : spec.targets()) {
            targets.add(scope.own(sessions.open(target, false)));
            stores.add(new TargetStore(name(target), spec.stream(), spec.workflowUid(), spec.token()));
            queues.add(new TargetQueue(tuning.queueBytes()));
        }
        var prepared = new Preparation(
                        spec,
                        tuning,
                        source,
                        targets,
                        stores,
                        new TableCreation(target -> sessions.open(target, true), scope, counters))
                .run();
        restoreCounters(prepared, targets);
        startAppliers(prepared, targets);
        follow(prepared, source);
    }

    private Connection openSource() throws Exception {
        return scope.own(sessions.open(spec.source(), true));
    }

    private RowConnection openRows(MoverSpec.Peer server, @Nullable RowConnection ended) throws IOException {
        if (ended != null) {
            scope.disown(ended);
        }
        return scope.own(sessions.openRows(server));
    }

    static String name(MoverSpec.Peer peer) {
        return "target " + peer.range();
    }

    private void restoreCounters(Prepared prepared, List<Connection> targets) throws Exception {
        var mismatches = new LinkedHashSet<String>();
        for (int i = 0; i < targets.size(); i++) {
            mismatches.addAll(stores.get(i).mismatches(targets.get(i), MAX_MISMATCHES));
            targets.get(i).commit();
        }
        counters.restart(
                rows(prepared, TargetStore.COPY),
                rows(prepared, TargetStore.VERIFY),
                prepared.tables().stream().mapToLong(Table::rowsEstimated).sum(),
                List.copyOf(mismatches));
    }

    private static long rows(Prepared prepared, String phase) {
        return prepared.progress().stream()
                .flatMap(List::stream)
                .filter(part -> part.phase().equals(phase))
                .mapToLong(Progress::rows)
                .sum();
    }

    private void startAppliers(Prepared prepared, List<Connection> targets) {
        for (int i = 0; i < targets.size(); i++) {
            var target = i;
            var name = name(spec.targets().get(i));
            var comparison = new Comparison(
                    name,
                    ended -> openRows(spec.targets().get(target), ended),
                    (table, row) -> prepared.placement().isForeign(target, table, row));
            var applier = new Applier(
                    targets.get(i),
                    name,
                    stores.get(i),
                    queues.get(i),
                    comparison,
                    counters,
                    prepared.applied().get(i));
            appliers.add(applier);
            scope.start("apply-" + spec.targets().get(i).range(), applier::run);
        }
    }

    private void follow(Prepared prepared, Connection source) throws Exception {
        var position = prepared.position();
        var binlog = scope.own(sessions.openBinlog(spec.source()));
        binlog.dump(position);
        var weights = new Weights(source);
        var copying = states(TargetStore.COPY, prepared, weights, 0);
        var verifying = states(TargetStore.VERIFY, prepared, weights, copying.size());
        var reconciler = new Reconciler(queues.size(), prepared.placement()::target);
        copying.forEach(reconciler::copy);
        verifying.forEach(reconciler::verify);
        var watermarks = new Watermarks(spec.stream());
        var handoff = new ChunkHandoff();
        var space = scope.own(new RowSpace(
                Path.of(System.getProperty("java.io.tmpdir")), tuning.transactionBytes(), tuning.spillBytes()));
        var follower = new StreamFollower(
                spec,
                new TransactionReader(binlog, space),
                reconciler,
                watermarks,
                handoff,
                weights,
                prepared.tables(),
                queues,
                prepared.applied());
        scope.start("follow", follower::run);
        var waiting = new LinkedHashMap<String, TargetQueue>();
        for (int i = 0; i < queues.size(); i++) {
            waiting.put(name(spec.targets().get(i)), queues.get(i));
        }
        var trend = new LagTrend(tuning.lagWindowMillis());
        var monitor = new LagMonitor(openSource(), waiting, trend, appliers, follower, position, counters, statements);
        scope.start("lag", monitor::run);
        walk(copying, verifying, prepared.placement()::target, watermarks, handoff);
        scope.await(new CompletableFuture<>());
    }

    private List<PartitionState> states(String phase, Prepared prepared, Weights weights, int firstSlot)
            throws Exception {
        return prepared.progress().getFirst().isEmpty()
                ? List.of()
                : CopyPlan.states(
                        phase,
                        prepared.tables(),
                        prepared.progress(),
                        weights,
                        firstSlot,
                        new WindowRoom(tuning.windowBytes()));
    }

    private void walk(
            List<PartitionState> copying,
            List<PartitionState> verifying,
            Reconciler.Owners owners,
            Watermarks watermarks,
            ChunkHandoff handoff)
            throws Exception {
        // With nothing left to read nothing is written to the source, which may be fenced by now.
        if (Stream.concat(copying.stream(), verifying.stream())
                .allMatch(state -> state.reached().complete())) {
            counters.stage(Stage.CatchingUp);
            catchUp();
        } else {
            read(copying, verifying, owners, watermarks, handoff);
        }
        counters.stage(counters.hasMismatches() ? Stage.Mismatched : Stage.Streaming);
    }

    private void read(
            List<PartitionState> copying,
            List<PartitionState> verifying,
            Reconciler.Owners owners,
            Watermarks watermarks,
            ChunkHandoff handoff)
            throws Exception {
        var throttle = new Throttle(spec.throttle());
        counters.throttle(() -> throttle.state(tuning.readers()));
        var probe = new SourceProbe(
                openSource(),
                watermarks,
                throttle,
                () -> inPass ? -1 : counters.progress().lagMillis(),
                statements::get);
        probe.begin();
        var probing = scope.start("probe", probe::run);
        var shared = new ChunkReader.Shared(
                watermarks,
                handoff,
                throttle,
                counters,
                new BytesBudget(tuning.roomBytes()),
                new AtomicLong(),
                statements,
                queues.size(),
                tuning.chunkRows());
        appliers.forEach(applier -> applier.patient(true));
        phase(Stage.Copying, copying, owners, shared);
        counters.stage(Stage.CatchingUp);
        catchUp();
        phase(Stage.Verifying, verifying, owners, shared);
        appliers.forEach(applier -> applier.patient(false));
        probe.end();
        scope.await(probing);
        counters.throttle(() -> Throttling.NONE);
    }

    private void catchUp() throws Exception {
        for (var lag = counters.progress().lagMillis();
                lag < 0 || lag > CAUGHT_UP_MILLIS;
                lag = counters.progress().lagMillis()) {
            scope.sleep(POLL_MILLIS);
        }
    }

    /** Returns once every chunk is on every target. */
    private void phase(Stage stage, List<PartitionState> states, Reconciler.Owners owners, ChunkReader.Shared shared)
            throws Exception {
        var keyed = new ArrayList<Walk>();
        var keyless = new ArrayList<PartitionState>();
        for (var state : states) {
            var from = state.reached();
            if (from.complete()) {
                continue;
            }
            if (state.table().isKeyless()) {
                keyless.add(state);
            } else {
                keyed.add(new Walk(state, from));
            }
        }
        if (keyed.isEmpty() && keyless.isEmpty()) {
            return;
        }
        counters.stage(stage);
        pass(stage, keyless, owners, shared);
        Queue<List<Walk>> open = new ConcurrentLinkedQueue<>(Walk.grouped(keyed, tuning.readers()));
        var readers = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < tuning.readers(); i++) {
            var reader = new ChunkReader(openSource(), ended -> openRows(spec.source(), ended), shared);
            readers.add(scope.start(stage + "-" + i, () -> {
                for (var walks = open.poll(); walks != null; walks = open.poll()) {
                    reader.walk(walks);
                }
            }));
        }
        scope.await(CompletableFuture.allOf(readers.toArray(CompletableFuture[]::new)));
        scope.await(scope.start(stage + "-end", shared.room()::awaitAll));
    }

    /**
     * Tables without a key, one after the other and before the others: a target is at nothing else until it has one whole, and
     * lags behind for so long, which no slower reading would help.
     */
    private void pass(Stage stage, List<PartitionState> keyless, Reconciler.Owners owners, ChunkReader.Shared shared)
            throws Exception {
        if (keyless.isEmpty()) {
            return;
        }
        inPass = true;
        var reader = new SnapshotReader(openSource(), openSource(), openRows(spec.source(), null), shared, owners);
        scope.await(scope.start(stage + "-snapshots", () -> {
            for (var state : keyless) {
                reader.walk(state);
            }
        }));
        inPass = false;
    }
}
