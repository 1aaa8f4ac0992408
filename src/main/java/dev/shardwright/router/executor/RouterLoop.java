package dev.shardwright.router.executor;

import dev.shardwright.router.buffer.ByteBudget;
import dev.shardwright.router.buffer.HoldQueue;
import dev.shardwright.router.pool.BackendPools;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All sessions of one event loop and the topology that they act under. A topology is applied in one task
 * of the loop, so each statement is sent under one epoch and none starts on a fenced shard afterwards.
 */
public final class RouterLoop {
    private static final long LOOKS_PER_LIMIT = 10;
    private static final long SHORTEST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    private final EventLoop eventLoop;
    private final ExecutorSettings settings;
    private final BackendPools pools;
    private final Map<Integer, String> collations = new HashMap<>();
    private final Executor planners;
    private final RouterMetrics metrics;
    private final Sessions sessions;
    private final HoldQueue holds;
    private final ByteBudget statementBudget;
    private final Set<SessionRunner> runners = new HashSet<>();
    private final EarlyConnections early = new EarlyConnections(this);
    private final OpeningShards opening;
    private @Nullable TopologyView view;

    /**
     * @param planners runs what may take long; bounded, rejects when it is full
     * @param holdBudget of statements that wait for a shard
     * @param statementBudget of all large statements
     * @param sessions those of all loops of this router
     */
    public RouterLoop(
            EventLoop eventLoop,
            ExecutorSettings settings,
            BackendPools pools,
            Executor planners,
            ByteBudget holdBudget,
            ByteBudget statementBudget,
            RouterMetrics metrics,
            Sessions sessions) {
        this.eventLoop = eventLoop;
        this.settings = settings;
        this.pools = pools;
        this.planners = planners;
        this.metrics = metrics;
        this.sessions = sessions;
        this.holds = new HoldQueue(eventLoop, holdBudget);
        this.statementBudget = statementBudget;
        this.opening = new OpeningShards(() -> eventLoop.execute(holds::releaseRetries));
        pools.whenServerOpens(holds::releaseRetries);
        watchTime(settings.statementTimeout());
    }

    /** Looks at all sessions now and then: a timer for each statement would cost each of them something. */
    private void watchTime(Duration limit) {
        if (limit.isZero()) {
            return;
        }
        long pause = Math.clamp(limit.toMillis() / LOOKS_PER_LIMIT, SHORTEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS);
        eventLoop.scheduleWithFixedDelay(this::lookAtTime, pause, pause, TimeUnit.MILLISECONDS);
    }

    private void lookAtTime() {
        long now = System.nanoTime();
        for (var runner : new ArrayList<>(runners)) {
            runner.guarded(() -> runner.clock().look(now));
        }
    }

    /** Must be called on the event loop. */
    public void apply(TopologyView next) {
        opening.onTopology(view, next);
        view = next;
        early.stop();
        for (var runner : new ArrayList<>(runners)) {
            runner.onTopology(next);
        }
        pools.onTopology(next::serves);
        holds.releaseAll();
    }

    /**
     * Connects the sessions to those shards of the workflow that do not serve yet, so that none has to when they do. Ends
     * with the next topology. Must be called on the event loop.
     */
    public void connectEarly(String workflowUid) {
        var now = view;
        if (now != null) {
            early.start(now, workflowUid, runners);
        }
    }

    /** What a router tells of one loop: see {@code Routers.RouterState} for the numbers' meaning. */
    public record State(
            long epoch,
            int openTransactions,
            int runningWrites,
            Map<String, List<Long>> runningReads,
            int connecting,
            int held) {}

    /** Must be called on the event loop. */
    public State state() {
        var now = view;
        if (now == null) {
            return new State(0, 0, 0, Map.of(), 0, holds.size());
        }
        var count = new OffShardCount(now);
        runners.forEach(count::add);
        return new State(
                now.epoch(), count.openTransactions(), count.writes(), count.reads(), early.left(), holds.size());
    }

    /** Ends all sessions that rest; with {@code force} all. Returns how many are left. On the event loop. */
    public int drain(boolean force) {
        for (var runner : new ArrayList<>(runners)) {
            runner.shutDown(force);
        }
        return runners.size();
    }

    public EventLoop eventLoop() {
        return eventLoop;
    }

    public ExecutorSettings settings() {
        return settings;
    }

    BackendPools pools() {
        return pools;
    }

    /** What {@code SET} is given to have a collation that clients name by its number at their login; filled as needed. */
    Map<Integer, String> collations() {
        return collations;
    }

    Executor planners() {
        return planners;
    }

    RouterMetrics metrics() {
        return metrics;
    }

    Sessions sessions() {
        return sessions;
    }

    HoldQueue holds() {
        return holds;
    }

    /** Whether other shards are about to take over; for as long as it has connected early and the topology is the same. */
    boolean isAboutToChange() {
        return early.isOn();
    }

    OpeningShards opening() {
        return opening;
    }

    /** Out of which large statements of this router's clients come. */
    public ByteBudget statementBudget() {
        return statementBudget;
    }

    @Nullable
    TopologyView view() {
        return view;
    }

    void add(SessionRunner runner) {
        runners.add(runner);
        sessions.add(runner);
    }

    void remove(SessionRunner runner) {
        runners.remove(runner);
        sessions.remove(runner);
    }
}
