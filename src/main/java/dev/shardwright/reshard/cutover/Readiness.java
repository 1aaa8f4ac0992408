package dev.shardwright.reshard.cutover;

import dev.shardwright.mysql.admin.ServerSession;
import dev.shardwright.reshard.cutover.Outcome.NotReady;
import dev.shardwright.reshard.mover.MoverProgress;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.reshard.mover.MoverSpec;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/** Step 0: whether a switchover may begin. Looks, and changes nothing. */
final class Readiness {
    private static final long MOST_LAG_MILLIS = 1_000;
    private static final Duration ROUTER_ANSWER = Duration.ofMillis(500);

    private final World world;
    private final Sides sides;
    private final Topology topology;
    private final WorkflowEntry entry;

    Readiness(World world, Sides sides, Topology topology, WorkflowEntry entry) {
        this.world = world;
        this.sides = sides;
        this.topology = topology;
        this.entry = entry;
    }

    /** Empty when it may begin. {@code force}: writes that run for long are no reason to wait. */
    Optional<NotReady> obstacle(Servers servers, boolean force) throws SQLException {
        return streams().or(this::oppositeStreams).or(this::routers).or(() -> {
            try {
                return onServers(servers, force);
            } catch (SQLException e) {
                return Optional.of(waiting("ServerUnreachable", String.valueOf(e.getMessage())));
            }
        });
    }

    /** What may have come up since {@link #obstacle} found none, and would hold up clients for long. */
    Optional<NotReady> newObstacle(Servers servers, boolean force) throws SQLException {
        var obstacle = streams();
        return obstacle.isPresent() || force
                ? obstacle
                : first(servers.each(
                                sides.from(entry),
                                (member, all) ->
                                        longWrite(member, all.of(member).sessions()))
                        .values());
    }

    private Optional<NotReady> streams() {
        for (var spec : sides.streams(topology, entry)) {
            var progress = world.movers().progress(spec);
            if (progress.isEmpty()) {
                return Optional.of(waiting(
                        "WaitingForMovers", "the mover of " + spec.source().range() + " does not answer"));
            }
            var obstacle = stream(spec, progress.get());
            if (obstacle.isPresent()) {
                return obstacle;
            }
        }
        return Optional.empty();
    }

    private Optional<NotReady> stream(MoverSpec spec, MoverProgress progress) {
        var mover = "the mover of " + spec.source().range();
        if (progress.stage() == Stage.Failed) {
            return Optional.of(new NotReady(true, "MoverFailed", mover + " has stopped: " + progress.failure()));
        }
        if (progress.stage() == Stage.Mismatched) {
            return Optional.of(new NotReady(
                    true, "Mismatch", mover + " found differences: " + String.join("; ", progress.mismatches())));
        }
        if (progress.stage() != Stage.Streaming) {
            return Optional.of(waiting("WaitingForMovers", mover + " is still " + progress.stage()));
        }
        if (progress.waiting() != null) {
            return Optional.of(waiting("MoverWaiting", mover + " waits: " + progress.waiting()));
        }
        if (progress.lagMillis() < 0 || progress.lagMillis() >= MOST_LAG_MILLIS) {
            return Optional.of(waiting(
                    "WaitingForLag",
                    mover + " is " + progress.lagMillis() + " ms behind; the switchover begins below "
                            + MOST_LAG_MILLIS));
        }
        return Optional.empty();
    }

    private Optional<NotReady> oppositeStreams() {
        for (var spec : sides.opposite(topology, entry)) {
            if (!world.movers().stop(spec.stream())) {
                return Optional.of(waiting(
                        "WaitingForMovers",
                        "the former mover of " + spec.source().range() + " is still there"));
            }
        }
        return Optional.empty();
    }

    private Optional<NotReady> routers() {
        return world.routers().states(ROUTER_ANSWER).stream()
                .filter(state -> !state.answered() || state.epoch() < topology.epoch())
                .findFirst()
                .map(
                        state -> waiting(
                                "WaitingForRouters",
                                "router " + state.router()
                                        + (state.answered()
                                                ? " is at epoch " + state.epoch() + ", not yet at " + topology.epoch()
                                                : " does not answer on its management port; if it is gone for good, remove it")));
    }

    private Optional<NotReady> onServers(Servers servers, boolean force) throws SQLException {
        var to = servers.each(sides.to(entry), (member, all) -> receiver(member, all));
        var from = servers.each(sides.from(entry), (member, all) -> giver(member, all, force));
        var obstacle = first(from.values()).or(() -> first(to.values()));
        return obstacle.isPresent()
                ? obstacle
                : CatchUp.userDifference(servers, sides, entry, CatchUp.users(servers, sides, entry))
                        .map(text -> new NotReady(true, "UsersDiffer", text));
    }

    private static Optional<NotReady> first(Collection<Optional<NotReady>> obstacles) {
        return obstacles.stream().flatMap(Optional::stream).findFirst();
    }

    private static Optional<NotReady> receiver(Member member, Servers servers) throws SQLException {
        var fence = servers.of(member).fence();
        if (!fence.readOnly() || fence.superReadOnly()) {
            return Optional.of(waiting(
                    "TargetNotFenced",
                    "the server of " + member.name() + " is not fenced as a shard that is being filled must be: "
                            + fence));
        }
        // Users may be able to log in: it served a moment ago, or an attempt broke off. Only what they run counts.
        return fence.offline() || servers.of(member).sessions().stream().noneMatch(ServerSession::running)
                ? Optional.empty()
                : Optional.of(waiting(
                        "WaitingForReads",
                        "the last reads of the time when " + member.name() + " served still run there; they may end"));
    }

    private static Optional<NotReady> giver(Member member, Servers servers, boolean force) throws SQLException {
        var admin = servers.of(member);
        if (!admin.fence().open()) {
            return Optional.of(
                    waiting("SourceNotOpen", "the server of " + member.name() + " is fenced; it is being opened"));
        }
        var prepared = admin.preparedTransactions();
        if (!prepared.isEmpty()) {
            return Optional.of(preparedTransactions(member, prepared.size(), prepared.getFirst()));
        }
        return force ? Optional.empty() : longWrite(member, admin.sessions());
    }

    private static Optional<NotReady> longWrite(Member member, Iterable<ServerSession> sessions) {
        for (var session : sessions) {
            if (session.runsWrite() && session.seconds() >= 1) {
                return Optional.of(waiting(
                        "WaitingForLongStatements",
                        "a write statement on " + member.name()
                                + " runs for long; it is not ended unless spec.forceAfter" + " is set: "
                                + session.describe()));
            }
        }
        return Optional.empty();
    }

    private static NotReady preparedTransactions(Member member, int count, String first) {
        return waiting(
                "PreparedTransactions",
                count + " prepared XA transaction(s) on " + member.name() + ", the first " + first
                        + ": commit or roll them back (XA RECOVER CONVERT XID lists them)");
    }

    private static NotReady waiting(String reason, String message) {
        return new NotReady(false, reason, message);
    }
}
