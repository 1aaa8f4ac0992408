package dev.shardwright.reshard.mover;

import dev.shardwright.mysql.binlog.GtidSet;
import dev.shardwright.reshard.stream.Applier;
import dev.shardwright.reshard.stream.TargetQueue;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Compares what the source has committed with what all targets have, over and over. */
final class LagMonitor {
    private static final long POLL_MILLIS = 200;
    private static final int MAX_LOOKS = 10_000;
    /** Longer than a target's slowest transaction on a busy day. */
    private static final long SLOW_SECONDS = 10;

    private record Look(long nanos, GtidSet executed) {}

    /** What is in a target's queue for a moment is less than this share of it. */
    private static final double WAITING = 0.01;

    private final Connection source;
    private final Map<String, TargetQueue> queues;
    private final LagTrend trend;
    private final List<Applier> appliers;
    private final StreamFollower follower;
    private final GtidSet start;
    private final Counters counters;
    private final AtomicLong statements;
    private final ArrayDeque<Look> looks = new ArrayDeque<>();

    /**
     * @param queues by the targets' names
     * @param start where the stream began: if the source does not have that any more, its binary logs were reset
     * @param statements counts what is sent to the source
     */
    LagMonitor(
            Connection source,
            Map<String, TargetQueue> queues,
            LagTrend trend,
            List<Applier> appliers,
            StreamFollower follower,
            GtidSet start,
            Counters counters,
            AtomicLong statements) {
        this.source = source;
        this.queues = queues;
        this.trend = trend;
        this.appliers = appliers;
        this.follower = follower;
        this.start = start;
        this.counters = counters;
        this.statements = statements;
    }

    void run() throws SQLException, InterruptedException {
        while (true) {
            look();
            counters.waitsFor(slow());
            Thread.sleep(POLL_MILLIS);
        }
    }

    private void look() throws SQLException {
        statements.incrementAndGet();
        var state = Source.state(source);
        var executed = state.executed();
        if (!executed.containsAll(start)) {
            throw Preparation.reset(executed, start);
        }
        var now = System.nanoTime();
        // A full list keeps the oldest looks: these are what the lag is measured by.
        if (looks.size() < MAX_LOOKS) {
            looks.add(new Look(now, executed));
        }
        var applied = appliedEverywhere();
        while (!looks.isEmpty() && applied.containsAll(looks.getFirst().executed)) {
            looks.removeFirst();
        }
        var lag = looks.isEmpty() ? 0 : TimeUnit.NANOSECONDS.toMillis(now - looks.getFirst().nanos) + POLL_MILLIS;
        var stays = trend.stays(TimeUnit.NANOSECONDS.toMillis(now), lag) ? whyBehind(lag) : null;
        var perishing = perishing(state, lag);
        counters.lag(lag, perishing == null ? stays : perishing);
    }

    /** A mover that had to begin again would need the binary logs from the oldest change on that it has not applied. */
    private @Nullable String perishing(Source.State state, long lag) {
        var branches = follower.prepared().values();
        var read = follower.readSeconds();
        var branch = state.nowSeconds()
                - branches.stream().min(Comparator.naturalOrder()).orElse(state.nowSeconds());
        var change = lag == 0 || read == 0 ? 0 : Math.max(state.nowSeconds() - read, lag / 1_000);
        var age = Math.max(branch, change);
        if (state.keepsSeconds() == 0 || age <= state.keepsSeconds() / 2) {
            return null;
        }
        return (branch < change
                        ? "changes"
                        : "XA transactions that were prepared and neither committed nor rolled back")
                + " of " + age + " s ago are not applied yet, and the source keeps its binary logs for "
                + state.keepsSeconds() + " s: raise binlog_expire_logs_seconds there"
                + (branch < change ? "" : ", or end them (XA RECOVER CONVERT XID lists them)")
                + ", as without these logs no mover could go on";
    }

    private String whyBehind(long lag) {
        for (var applier : appliers) {
            var table = applier.wholeTable();
            if (table != null) {
                return applier.targetName() + " applies no changes while table " + table
                        + ", which has no key, is copied or compared as a whole (" + lag / 1_000
                        + " s behind); it catches up afterwards";
            }
        }
        var fullest = Collections.max(
                queues.entrySet(),
                Comparator.comparingDouble(queue -> queue.getValue().fill()));
        var seconds = " (" + lag / 1_000 + " s behind, " + trend.lagBefore() / 1_000 + " s behind a while ago)";
        return fullest.getValue().fill() > WAITING
                ? fullest.getKey() + " applies changes more slowly than the source commits them" + seconds
                        + ": give it more CPU or faster storage, or let applications write less"
                : "the mover reads changes more slowly than the source commits them" + seconds
                        + ": give its node more CPU, or let applications write less";
    }

    /** A server whose binary log can't grow holds commits up, without an error, until there is room. */
    private @Nullable String slow() {
        for (var applier : appliers) {
            long seconds = applier.busy().toSeconds();
            if (seconds >= SLOW_SECONDS) {
                return applier.targetName() + " has been at one transaction for " + seconds
                        + " s: if its disk is full, it goes on within a minute once there is room";
            }
        }
        return null;
    }

    private GtidSet appliedEverywhere() {
        var result = appliers.getFirst().committed().copy();
        for (var applier : appliers) {
            result = result.intersect(applier.committed());
        }
        // A branch that nobody has decided yet is nobody's delay.
        follower.prepared().keySet().forEach(result::add);
        return result;
    }
}
