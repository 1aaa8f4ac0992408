package dev.shardwright.local.demo;

import dev.shardwright.local.WorkflowStatus;
import dev.shardwright.local.WorkflowStatus.Happened;
import dev.shardwright.local.WorkflowStatus.PhaseStart;
import dev.shardwright.reshard.workflow.WorkflowReport;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Follows a workflow until its goal is reached or something is in its way, and shows each phase. */
public final class SplitWatch {
    /** The reason of the engine's event that tells how long each step of a switchover took. */
    public static final String SWITCHOVER = WorkflowReport.SWITCHOVER_STEPS;

    private final Terminal terminal;
    private final CountDownLatch settled = new CountDownLatch(1);
    private volatile @Nullable WorkflowStatus last;
    private int shown;
    private long shownUntil;

    public SplitWatch(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Shows what is new in this status. */
    public synchronized void accept(WorkflowStatus status) {
        last = status;
        var phases = status.phases();
        // A phase's time is known when the next one has begun.
        for (; shown < phases.size() - 1; shown++) {
            showPhase(phases.get(shown), phases.get(shown + 1).atMillis());
        }
        status.events().stream().filter(event -> event.atMillis() > shownUntil).forEach(this::show);
        if (!status.events().isEmpty()) {
            shownUntil = status.events().getLast().atMillis();
        }
        if (status.settled()) {
            settled.countDown();
        } else {
            terminal.now(status.phase() + "  " + status.progress() + lag(status) + "  " + status.message());
        }
    }

    private void showPhase(PhaseStart phase, long until) {
        terminal.line(
                String.format(Locale.ROOT, "      %-14s %7.2f s", phase.phase(), (until - phase.atMillis()) / 1_000.0));
    }

    private void show(Happened event) {
        if (event.warning()) {
            terminal.bad(event.message());
        } else if (event.reason().equals(SWITCHOVER)) {
            terminal.line("      switchover, step by step: " + event.message());
        }
    }

    private static String lag(WorkflowStatus status) {
        return status.lagMillis() == null ? "" : "  lag " + status.lagMillis() + " ms";
    }

    /** The status when it was settled; IllegalStateException if it was not in time. */
    public WorkflowStatus await(Duration wait) throws InterruptedException {
        if (!settled.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
            var status = last;
            throw new IllegalStateException("the workflow is not done after " + wait.toSeconds() + " s: "
                    + (status == null ? "it has not begun" : status.phase() + ", " + status.message()));
        }
        return java.util.Objects.requireNonNull(last);
    }

    /** The phase that was under way at this time; empty before the first. */
    static String phaseAt(List<PhaseStart> phases, long atMillis) {
        String found = "";
        for (var phase : phases) {
            if (phase.atMillis() <= atMillis) {
                found = phase.phase();
            }
        }
        return found;
    }
}
