package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.cutover.AfterFlip;
import dev.shardwright.reshard.cutover.Outcome;
import dev.shardwright.reshard.cutover.Sides;
import dev.shardwright.reshard.cutover.StepListener;
import dev.shardwright.reshard.cutover.Switchover;
import dev.shardwright.reshard.cutover.World;
import dev.shardwright.reshard.workflow.WorkflowReport.Event;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The phases around a switchover: keeping what is reached, switching, switching back, and trying again. */
final class Handovers {
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(30);

    private final WorkflowPorts ports;
    private final World world;
    private final Moving moving;
    private final Clock clock;
    private final StepListener listener;
    private final Map<String, Memory> memories = new HashMap<>();

    Handovers(WorkflowPorts ports, World world, Moving moving, Clock clock, StepListener listener) {
        this.ports = ports;
        this.world = world;
        this.moving = moving;
        this.clock = clock;
        this.listener = listener;
    }

    /** What need not survive this process: waiting begins anew after a restart. */
    private static final class Memory {
        int reverted;
        Instant notBefore = Instant.MIN;
        Instant waitingSince = Instant.MAX;
        Instant readsMayRunUntil = Instant.MAX;
        boolean openedForGood;
        boolean closed;
    }

    /** Keeps a phase in which nothing is to change: Verified, Switched or RolledBack. */
    WorkflowReport hold(Situation situation) throws SQLException {
        var entry = situation.entry();
        boolean back = situation.phase() instanceof Phase.Switched;
        var specs = back ? Streams.back(situation.topology(), entry) : Streams.forward(situation.topology(), entry);
        if (situation.phase() instanceof Phase.Verified) {
            moving.ensureForward(situation, specs);
        } else {
            converge(situation);
        }
        var watch = Moving.Watch.of(ports.movers(), specs);
        var report = watch.trouble(situation.phase())
                .map(trouble -> back ? wayBackBroken(situation, trouble) : trouble)
                .orElseGet(() -> reached(situation.phase(), again(situation)));
        return Reports.with(report, "", watch.lag(), watch.sources());
    }

    private static WorkflowReport reached(Phase phase, Duration again) {
        var message = switch (phase) {
            case Phase.Switched p -> "the targets serve; the sources are kept equal, so a rollback is possible";
            case Phase.RolledBack p -> "the sources serve again; the targets are kept equal";
            case Phase other -> "the targets are equal to the sources and are kept so; the sources serve";
        };
        return Reports.reached(phase, phase.name(), message, again);
    }

    /** The goal is reached all the same: the targets serve. */
    private static WorkflowReport wayBackBroken(Situation situation, WorkflowReport trouble) {
        return Reports.reached(
                situation.phase(),
                "WayBackBroken",
                "the targets serve, but a rollback is not possible: " + trouble.message(),
                Reports.CALM);
    }

    private Duration again(Situation situation) {
        return situation.phase() instanceof Phase.Verified || memory(situation).closed ? Reports.CALM : Reports.SOON;
    }

    /** Brings steps 6 and 7 of the last switchover to an end; true once the old shards are shut and their movers gone. */
    boolean converge(Situation situation) throws SQLException {
        var memory = memory(situation);
        if (memory.readsMayRunUntil.equals(Instant.MAX)) {
            memory.readsMayRunUntil =
                    clock.instant().plus(situation.request().settings().readDrainTimeout());
        }
        var after = new AfterFlip(world, new Sides(situation.request().uid(), back(situation.phase())), listener);
        var reached = after.converge(
                situation.topology(),
                situation.entry(),
                clock.instant().isBefore(memory.readsMayRunUntil),
                memory.openedForGood);
        memory.openedForGood = true;
        memory.closed = reached.closed() && reached.formerStreamsGone();
        return memory.closed;
    }

    /** The direction of the switchover that led to this phase. */
    private static boolean back(Phase phase) {
        return phase instanceof Phase.RolledBack || phase instanceof Phase.RollingBack;
    }

    WorkflowReport begin(Situation situation, Intent.Switch intent) throws SQLException {
        var kept = hold(situation);
        var memory = memory(situation);
        if (clock.instant().isBefore(memory.notBefore)) {
            return backingOff(situation, memory, kept);
        }
        var sides = new Sides(situation.request().uid(), intent.back());
        var outcome = new Switchover(world, sides, situation.request().settings(), forced(situation), listener).run();
        return report(situation, sides, outcome);
    }

    WorkflowReport resume(Situation situation, Intent.Resume intent) {
        var sides = new Sides(situation.request().uid(), intent.back());
        var outcome = new Switchover(world, sides, situation.request().settings(), forced(situation), listener)
                .resume(intent.goOn());
        return report(situation, sides, outcome);
    }

    private boolean forced(Situation situation) {
        var forceAfter = situation.request().settings().forceAfter();
        var since = memory(situation).waitingSince;
        return forceAfter != null
                && !since.equals(Instant.MAX)
                && !clock.instant().isBefore(since.plus(forceAfter));
    }

    private WorkflowReport report(Situation situation, Sides sides, Outcome outcome) {
        var memory = memory(situation);
        return switch (outcome) {
            case Outcome.Flipped flipped -> flipped(situation, sides, flipped);
            case Outcome.NotReady obstacle -> {
                noteWaiting(memory, obstacle.reason());
                yield obstacle.blocked()
                        ? Reports.blocked(situation.phase(), obstacle.reason(), obstacle.message())
                        : Reports.going(situation.phase(), obstacle.reason(), obstacle.message(), Reports.SOON);
            }
            case Outcome.Reverted reverted -> reverted(situation, sides, reverted);
            case Outcome.Unfinished unfinished ->
                Reports.with(
                        Reports.going(sides.during(), unfinished.reason(), unfinished.message(), Reports.SOON),
                        List.of(new Event(true, unfinished.reason(), unfinished.message())));
        };
    }

    private WorkflowReport flipped(Situation situation, Sides sides, Outcome.Flipped flipped) {
        memories.put(situation.request().uid(), new Memory());
        var goal = situation.goal();
        boolean there = sides.back() ? goal == Goal.RolledBack : goal == Goal.Switched;
        var report = there
                ? reached(sides.after(), Reports.SOON)
                : Reports.going(sides.after(), sides.after().name(), "the switchover is done", Reports.SOON);
        return Reports.with(
                report,
                flipped.timeline(),
                List.of(new Event(
                        false,
                        WorkflowReport.SWITCHOVER_STEPS,
                        flipped.timeline().toString())));
    }

    private WorkflowReport reverted(Situation situation, Sides sides, Outcome.Reverted reverted) {
        var memory = memory(situation);
        noteWaiting(memory, reverted.reason());
        memory.reverted++;
        var backoff = backoff(memory.reverted);
        memory.notBefore = clock.instant().plus(backoff);
        var message = "a switchover was begun and undone, nothing is lost; it is tried again in " + backoff.toSeconds()
                + " s: " + reverted.message();
        return Reports.with(
                Reports.going(sides.before(situation.entry()), reverted.reason(), message, backoff),
                reverted.timeline(),
                List.of(new Event(
                        true,
                        "SwitchoverUndone",
                        reverted.reason() + ": " + reverted.message() + " (" + reverted.timeline() + ")")));
    }

    private WorkflowReport backingOff(Situation situation, Memory memory, WorkflowReport kept) {
        if (kept.succeeded() == WorkflowReport.Succeeded.FALSE) {
            return kept;
        }
        var left = Duration.between(clock.instant(), memory.notBefore);
        return Reports.going(
                situation.phase(),
                "WaitingToTryAgain",
                "the last switchover was undone; the next one begins in " + (left.toSeconds() + 1) + " s",
                left.compareTo(Reports.LATER) < 0 ? left.plusMillis(1) : Reports.LATER);
    }

    private void noteWaiting(Memory memory, String reason) {
        boolean waits = reason.equals("WaitingForLongStatements");
        if (!waits) {
            memory.waitingSince = Instant.MAX;
        } else if (memory.waitingSince.equals(Instant.MAX)) {
            memory.waitingSince = clock.instant();
        }
    }

    private static Duration backoff(int reverted) {
        var doubled = FIRST_BACKOFF.multipliedBy(1L << Math.min(reverted - 1, 10));
        return doubled.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : doubled;
    }

    private Memory memory(Situation situation) {
        return memories.computeIfAbsent(situation.request().uid(), uid -> new Memory());
    }
}
