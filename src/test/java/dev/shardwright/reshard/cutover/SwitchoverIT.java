package dev.shardwright.reshard.cutover;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.jdbc.JdbcConnection;
import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.reshard.workflow.Goal;
import dev.shardwright.reshard.workflow.Leadership;
import dev.shardwright.reshard.workflow.WorkflowReport;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import dev.shardwright.reshard.workflow.WorkflowRequest;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.model.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a switchover meets in practice. One cluster; each test begins with the source serving. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SwitchoverIT {
    @SuppressWarnings("NullAway.Init")
    private SplitCluster cluster;

    @BeforeAll
    void verified(@TempDir Path directory) throws SQLException {
        cluster = new SplitCluster(directory);
        cluster.reach(cluster.engine(StepListener.NONE), Goal.Verified);
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @BeforeEach
    void sourceServes() {
        cluster.reach(cluster.engine(StepListener.NONE), Goal.RolledBack);
        cluster.events.clear();
    }

    @AfterEach
    void nothingIsLost() throws SQLException {
        cluster.assertWhole();
    }

    @Test
    void aGentleSwitchoverTellsItsStepsAndShutsTheSourceLast() throws SQLException {
        var offlineWhenFrozen = new AtomicBoolean(true);
        var engine = cluster.engine(after(
                Step.FREEZE,
                () -> offlineWhenFrozen.set(cluster.fence(cluster.source()).offline())));

        var report = cluster.reach(engine, Goal.Switched);

        assertThat(offlineWhenFrozen).isFalse();
        assertThat(cluster.events)
                .anySatisfy(event -> assertThat(event.message()).contains("FREEZE", "READ_G", "FLIP", "OPEN"));
        var timeline = java.util.Objects.requireNonNull(report.switchover());
        assertThat(timeline.steps())
                .extracting(Timeline.Timing::step)
                .startsWith(Step.READY, Step.ADMIT, Step.MARK_FENCED, Step.DRAIN, Step.FREEZE)
                .endsWith(Step.FLIP, Step.OPEN);
        assertThat(timeline.held())
                .isEqualTo(timeline.steps()
                        .getLast()
                        .began()
                        .plus(timeline.steps().getLast().took()));
        sourceIsOffline(engine);
    }

    /** What is put up and taken down in memory first, as clients wait, must be on disk before anything relies on it. */
    @Test
    void aRestartFindsTheFenceAsItIs() throws IOException {
        var atTheFlip = new AtomicReference<String>();
        cluster.reach(
                cluster.engine(before(Step.FLIP, () -> atTheFlip.set(persistedSuperReadOnly(cluster.source())))),
                Goal.Switched);

        assertThat(atTheFlip).hasValue("ON");
        for (var target : cluster.targets()) {
            assertThat(persistedSuperReadOnly(target)).isEqualTo("OFF");
        }
    }

    private static String persistedSuperReadOnly(LocalMysqld server) throws IOException {
        var text = Files.readString(server.directory().resolve("data").resolve("mysqld-auto.cnf"));
        var found = Pattern.compile("\"super_read_only\"\\s*:\\s*\\{\\s*\"Value\"\\s*:\\s*\"(\\w+)\"")
                .matcher(text);
        return found.find() ? found.group(1) : "not persisted: " + text;
    }

    /** So that routers can connect; nobody else has anything to look for there. */
    @Test
    void targetsLetUsersInButNotWriteBeforeTheFenceAndShutThemOutAgainAfterAnUndo() throws SQLException {
        var refused = new ArrayList<Throwable>();
        var engine = cluster.engine(before(Step.MARK_FENCED, () -> {
            for (var target : cluster.targets()) {
                try (var connection = cluster.app(target);
                        var statement = connection.createStatement()) {
                    refused.add(catchThrowable(() -> statement.execute("INSERT INTO chat.counted (v) VALUES (55)")));
                }
            }
        }));
        cluster.clients.writes.set(1);
        await(engine, "WaitingForLongStatements");

        assertThat(refused)
                .isNotEmpty()
                .allSatisfy(error ->
                        assertThat(((SQLException) error).getErrorCode()).isEqualTo(1290));
        assertThat(cluster.clients.connectedEarly).isNotEmpty();
        for (var target : cluster.targets()) {
            assertThat(cluster.fence(target).offline()).isTrue();
        }

        cluster.clients.writes.set(0);
        cluster.reach(engine, Goal.Switched);
    }

    @Test
    void anotherMoversAnswerIsNoReasonToBegin() throws SQLException {
        var begun = new AtomicBoolean();
        var engine = cluster.engine(before(Step.ADMIT, () -> begun.set(true)));
        cluster.strangersAnswer(true);
        var report = await(engine, "WaitingForMovers");
        cluster.advance(engine, Goal.Switched);
        assertThat(report.message()).contains("the mover of - does not answer");
        assertThat(begun).isFalse();

        cluster.strangersAnswer(false);
        cluster.reach(engine, Goal.Switched);
        assertThat(begun).isTrue();
    }

    @Test
    void aSilentRouterIsShutOutAtOnce() throws SQLException {
        var offlineWhenFrozen = new AtomicBoolean();
        var engine = cluster.engine(new StepListener() {
            @Override
            public void before(Step step) {
                if (step == Step.MARK_FENCED) {
                    cluster.clients.silent = true;
                }
            }

            @Override
            public void after(Step step) {
                if (step == Step.FREEZE) {
                    unchecked(() -> offlineWhenFrozen.set(
                            cluster.fence(cluster.source()).offline()));
                }
            }
        });

        cluster.reach(engine, Goal.Switched);
        cluster.clients.silent = false;

        assertThat(offlineWhenFrozen).isTrue();
    }

    @Test
    void anOpenTransactionIsEndedAndRolledBack() throws SQLException {
        try (var connection = cluster.app(cluster.source());
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO chat.counted (v) VALUES (77)");

            cluster.reach(cluster.engine(StepListener.NONE), Goal.Switched);

            assertThat(catchThrowable(connection::commit)).isInstanceOf(SQLException.class);
        }
        try (var connection = cluster.app(cluster.targets().getFirst());
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM chat.counted WHERE v = 77")) {
            rows.next();
            assertThat(rows.getInt(1)).isZero();
        }
    }

    @Test
    void aLongReadOutlivesTheSwitchover() throws Exception {
        try (var connection = cluster.app(cluster.source());
                var statement = connection.createStatement()) {
            cluster.clients.reads = Map.of(
                    "source", List.of(connection.unwrap(JdbcConnection.class).getId()));
            var read = longRead(statement);

            var engine = cluster.engine(StepListener.NONE);
            cluster.reach(engine, Goal.Switched);
            assertThat(read).isNotDone();
            assertThat(cluster.fence(cluster.source()).offline()).isFalse();

            assertThat(read.get())
                    .as("SLEEP tells by 1 that it was interrupted")
                    .isZero();
            cluster.clients.reads = Map.of();
            sourceIsOffline(engine);
        }
    }

    /** It may be part of a transaction, which nobody but its client can know. */
    @Test
    void aLongReadThatNoRouterKnowsOfIsEnded() throws Exception {
        try (var connection = cluster.app(cluster.source());
                var statement = connection.createStatement()) {
            var read = longRead(statement);
            cluster.reach(cluster.engine(StepListener.NONE), Goal.Switched);
            assertThat(catchThrowable(read::get)).isInstanceOf(ExecutionException.class);
        }
    }

    private CompletableFuture<Integer> longRead(Statement statement) {
        var read = CompletableFuture.supplyAsync(() -> unchecked(() -> {
            try (var rows = statement.executeQuery("SELECT id, SLEEP(20), '🙂' FROM chat.t ORDER BY id LIMIT 1")) {
                rows.next();
                return rows.getInt(2);
            }
        }));
        Clients.within(
                Duration.ofSeconds(30),
                () -> unchecked(() -> running("SLEEP(20)") ? Optional.of(true) : Optional.<Boolean>empty()),
                "the read runs");
        return read;
    }

    @Test
    void aLongWriteIsWaitedForAndNotEnded() throws Exception {
        try (var connection = cluster.app(cluster.source());
                var statement = connection.createStatement()) {
            var write = CompletableFuture.supplyAsync(() ->
                    unchecked(() -> statement.executeUpdate("INSERT INTO chat.counted (v) SELECT 88 + SLEEP(5)")));
            var engine = cluster.engine(StepListener.NONE);
            await(engine, "WaitingForLongStatements");
            cluster.reach(engine, Goal.Switched);
            assertThat(write.get()).isEqualTo(1);
        }
    }

    @Test
    void aLongWriteThatBeginsWhileTargetsGetReadyHoldsUpNobody() throws Exception {
        try (var connection = cluster.app(cluster.source());
                var statement = connection.createStatement()) {
            var write = new AtomicReference<CompletableFuture<Integer>>();
            var fenced = new AtomicBoolean();
            var engine = cluster.engine(onceAdmitted(fenced, () -> {
                if (write.get() == null) {
                    write.set(CompletableFuture.supplyAsync(() -> unchecked(
                            () -> statement.executeUpdate("INSERT INTO chat.counted (v) SELECT 77 + SLEEP(6)"))));
                    Clients.within(
                            Duration.ofSeconds(60),
                            () -> unchecked(() -> Optional.of(running("77", 2)).filter(Boolean::booleanValue)),
                            "the write runs");
                }
            }));
            var report = await(engine, "WaitingForLongStatements");
            assertThat(report.message()).contains("77");
            assertThat(fenced).isFalse();
            for (var target : cluster.targets()) {
                assertThat(cluster.fence(target).offline()).isTrue();
            }
            cluster.reach(engine, Goal.Switched);
            assertThat(write.get().get()).isEqualTo(1);
        }
    }

    @Test
    void aStreamThatStopsWhileTargetsGetReadyHoldsUpNobody() throws SQLException {
        var fenced = new AtomicBoolean();
        var engine = cluster.engine(onceAdmitted(fenced, () -> cluster.strangersAnswer(true)));
        Clients.within(
                Duration.ofSeconds(60),
                () -> Optional.of(cluster.advance(engine, Goal.Switched).message())
                        .filter(message -> message.contains("does not answer")),
                "the stream is asked for once more");
        assertThat(fenced).isFalse();

        cluster.strangersAnswer(false);
        cluster.reach(cluster.engine(StepListener.NONE), Goal.Switched);
    }

    @Test
    void aWriteThatOverrunsMeansUndoAndAnotherTryLater() throws SQLException {
        cluster.clients.writes.set(1);
        var engine = cluster.engine(StepListener.NONE);

        var report = await(engine, "WaitingForLongStatements");
        assertThat(report.message()).contains("undone", "nothing is lost");
        assertThat(report.succeeded()).isEqualTo(Succeeded.UNKNOWN);
        assertThat(cluster.sourceServes()).isTrue();
        assertThat(cluster.fence(cluster.source()).open()).isTrue();

        cluster.clients.writes.set(0);
        cluster.reach(engine, Goal.Switched);
    }

    @Test
    void forceAfterEndsTheWrite() throws Exception {
        var forced = new WorkflowRequest.Settings(
                Duration.ofSeconds(20),
                Duration.ofMillis(250),
                Duration.ofSeconds(60),
                Duration.ZERO,
                TestServers.UNHINDERED);
        try (var connection = cluster.app(cluster.source());
                var statement = connection.createStatement()) {
            var write = CompletableFuture.supplyAsync(() ->
                    unchecked(() -> statement.executeUpdate("INSERT INTO chat.counted (v) SELECT 99 + SLEEP(60)")));
            var engine = cluster.engine(StepListener.NONE);
            await(engine, "WaitingForLongStatements");
            Clients.within(
                    Duration.ofSeconds(60),
                    () -> cluster.advance(engine, Goal.Switched, forced).succeeded() == Succeeded.TRUE
                            ? Optional.of(true)
                            : Optional.empty(),
                    "switched by force");
            assertThat(write).failsWithin(Duration.ofSeconds(30));
        }
    }

    @Test
    void aPreparedTransactionIsNamedAndWaitedFor() throws SQLException {
        try (var connection = cluster.app(cluster.source());
                var statement = connection.createStatement()) {
            statement.execute("XA START 'left-behind'");
            statement.execute("INSERT INTO chat.counted (v) VALUES (66)");
            statement.execute("XA END 'left-behind'");
            statement.execute("XA PREPARE 'left-behind'");

            var engine = cluster.engine(StepListener.NONE);
            var report = await(engine, "PreparedTransactions");
            assertThat(report.message()).contains("XA RECOVER");
            assertThat(cluster.fence(cluster.source()).open()).isTrue();

            statement.execute("XA ROLLBACK 'left-behind'");
            cluster.reach(engine, Goal.Switched);
        }
    }

    @Test
    void aConflictAtTheFlipIsDecidedByALiveRead() {
        cluster.reach(
                cluster.engine(before(Step.FLIP, () -> cluster.store.beforeNextWrite(cluster.store::touch))),
                Goal.Switched);
        assertThat(cluster.sourceServes()).isFalse();
    }

    @Test
    void aFlipWhoseAnswerIsLostIsNotUndone() {
        cluster.reach(cluster.engine(before(Step.FLIP, () -> cluster.store.loseAnswerOnce())), Goal.Switched);
        assertThat(cluster.sourceServes()).isFalse();
        assertThat(cluster.events)
                .noneSatisfy(event -> assertThat(event.warning()).isTrue());
    }

    @Test
    void aFlipThatIsLostIsMadeAgain() {
        cluster.reach(cluster.engine(before(Step.FLIP, () -> cluster.store.loseRequestOnce())), Goal.Switched);
        assertThat(cluster.sourceServes()).isFalse();
    }

    /** {@code knows}: its lease is seen to be gone; else only its ended sessions and the epoch stop it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLeaderThatSleptCanDoNothing(boolean knows) throws Exception {
        var asleep = new CountDownLatch(1);
        var wake = new CountDownLatch(1);
        var deposed = new AtomicBoolean();
        Leadership leadership = () -> {
            if (knows && deposed.get()) {
                throw new IllegalStateException("not the leader any more");
            }
        };
        var old = cluster.engine(
                before(Step.FREEZE, () -> {
                    asleep.countDown();
                    wake.await();
                }),
                leadership);
        var request = new AtomicReference<WorkflowReport>();
        var sleeper = Thread.ofPlatform().start(() -> {
            try {
                while (request.get() == null) {
                    var report = cluster.advance(old, Goal.Switched);
                    if (asleep.getCount() == 0) {
                        request.set(report);
                    }
                }
            } catch (IllegalStateException e) {
                // Deposed.
            }
        });
        asleep.await();
        deposed.set(true);

        cluster.reach(cluster.engine(StepListener.NONE), Goal.RolledBack);
        long epoch = cluster.store.topology().epoch();
        wake.countDown();
        sleeper.join();

        assertThat(cluster.store.topology().epoch()).isEqualTo(epoch);
        assertThat(cluster.sourceServes()).isTrue();
        assertThat(cluster.fence(cluster.source()).open()).isTrue();
    }

    @Test
    void aTargetThatDiesWhileItCatchesUpMeansUndo() throws SQLException {
        var victim = cluster.targets().getFirst();
        var killed = new AtomicBoolean();
        var engine = cluster.engine(before(Step.APPLY_G, () -> {
            if (!killed.getAndSet(true)) {
                victim.kill();
            }
        }));
        var report = await(engine, "ServerFailed");
        assertThat(report.message()).contains("undone");
        assertThat(cluster.sourceServes()).isTrue();
        assertThat(cluster.fence(cluster.source()).open()).isTrue();

        victim.restart();
        cluster.reach(engine, Goal.Switched);
    }

    @Test
    void autoIncrementGoesOnWhereItWas() throws SQLException {
        cluster.reach(cluster.engine(StepListener.NONE), Goal.Switched);
        try (var connection = cluster.app(cluster.targets().getFirst());
                var statement = connection.createStatement()) {
            assertThat(nextId(statement)).isGreaterThan(5000);
        }
    }

    /** By a transaction that was rolled back: no row tells the targets of it. */
    @Test
    void autoIncrementValuesTakenAtTheLastMomentAreNotGivenOutAgain() throws SQLException {
        var taken = new java.util.concurrent.atomic.AtomicLong();
        var engine = cluster.engine(before(Step.MARK_FENCED, () -> {
            try (var connection = cluster.app(cluster.source());
                    var statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                taken.set(nextId(statement));
                connection.rollback();
            }
        }));
        cluster.reach(engine, Goal.Switched);
        try (var connection = cluster.app(cluster.targets().getFirst());
                var statement = connection.createStatement()) {
            assertThat(nextId(statement)).isGreaterThan(taken.get());
        }
    }

    private static long nextId(Statement statement) throws SQLException {
        statement.execute("INSERT INTO chat.counted (v) VALUES (1)");
        try (var rows = statement.executeQuery("SELECT LAST_INSERT_ID()")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void fencesAreKeptAsTheTopologySays() throws SQLException {
        var fences = cluster.engine(StepListener.NONE).fenceReconciler();
        var source = cluster.source();
        var endpoint = new Endpoint(source.host(), source.port());
        assertThat(fences.reconcile("source", endpoint)).isEqualTo(FenceReconciler.Result.OPEN);
        byOperator(source.identity().shardUid(), "SET PERSIST super_read_only = ON");
        assertThat(fences.reconcile("source", endpoint)).isEqualTo(FenceReconciler.Result.OPENED);

        var target = cluster.targets().getFirst();
        var other = new Endpoint(target.host(), target.port());
        assertThat(fences.reconcile(target.identity().shardUid(), other)).isEqualTo(FenceReconciler.Result.SHUT);
        byOperator(target.identity().shardUid(), "SET PERSIST read_only = OFF");
        assertThat(fences.reconcile(target.identity().shardUid(), other)).isEqualTo(FenceReconciler.Result.CLOSED);
    }

    private void byOperator(String uid, String sql) throws SQLException {
        try (var connection = cluster.server(uid).connect(dev.shardwright.testing.TestServers.OPERATOR);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private WorkflowReport await(dev.shardwright.reshard.workflow.WorkflowEngine engine, String reason) {
        var last = new AtomicReference<WorkflowReport>();
        return Clients.within(
                Duration.ofSeconds(60),
                () -> {
                    last.set(cluster.advance(engine, Goal.Switched));
                    return Optional.of(last.get())
                            .filter(report -> report.reason().equals(reason));
                },
                reason);
    }

    private void sourceIsOffline(dev.shardwright.reshard.workflow.WorkflowEngine engine) {
        Clients.within(
                Duration.ofSeconds(30),
                () -> unchecked(() -> {
                    cluster.advance(engine, Goal.Switched);
                    return cluster.fence(cluster.source()).offline() ? Optional.of(true) : Optional.<Boolean>empty();
                }),
                "the source is shut once its reads have ended");
    }

    private boolean running(String part) throws SQLException {
        return running(part, 0);
    }

    private boolean running(String part, int seconds) throws SQLException {
        try (var connection = cluster.source().connect(dev.shardwright.testing.TestServers.OPERATOR);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SHOW FULL PROCESSLIST")) {
            boolean found = false;
            while (rows.next()) {
                var running = rows.getString("Info");
                found |= rows.getString("User").equals("app")
                        && running != null
                        && running.contains(part)
                        && rows.getInt("Time") >= seconds;
            }
            return found;
        }
    }

    private interface Deed {
        void run() throws Exception;
    }

    private interface Question<T> {
        T ask() throws Exception;
    }

    private static StepListener before(Step step, Deed deed) {
        return new StepListener() {
            @Override
            public void before(Step reached) {
                if (reached == step) {
                    unchecked(deed);
                }
            }
        };
    }

    private static StepListener after(Step step, Deed deed) {
        return new StepListener() {
            @Override
            public void after(Step reached) {
                if (reached == step) {
                    unchecked(deed);
                }
            }
        };
    }

    /** @param fenced becomes true once clients are held up */
    private static StepListener onceAdmitted(AtomicBoolean fenced, Deed deed) {
        return new StepListener() {
            @Override
            public void before(Step reached) {
                fenced.compareAndSet(false, reached == Step.MARK_FENCED);
            }

            @Override
            public void after(Step reached) {
                if (reached == Step.ADMIT) {
                    unchecked(deed);
                }
            }
        };
    }

    private static void unchecked(Deed deed) {
        unchecked(() -> {
            deed.run();
            return true;
        });
    }

    private static <T> T unchecked(Question<T> question) {
        try {
            return question.ask();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static @org.jspecify.annotations.Nullable Throwable catchThrowable(Deed deed) {
        try {
            deed.run();
            return null;
        } catch (Exception e) {
            return e;
        }
    }
}
