package dev.shardwright.reshard.cutover;

import dev.shardwright.reshard.cutover.Timeline.Timing;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Runs the steps of one attempt, tells the listener, and measures. Safe for several threads. */
final class Steps {
    private final StepListener listener;
    private final List<Measured> measured = new ArrayList<>();

    private record Measured(Step step, long beganNanos, long endedNanos) {}

    Steps(StepListener listener) {
        this.listener = listener;
    }

    interface Action<T> {
        T run() throws SQLException;
    }

    interface Deed {
        void run() throws SQLException;
    }

    <T> T get(Step step, Action<T> action) throws SQLException {
        listener.before(step);
        long began = System.nanoTime();
        var result = action.run();
        add(new Measured(step, began, System.nanoTime()));
        listener.after(step);
        return result;
    }

    void run(Step step, Deed deed) throws SQLException {
        get(step, () -> {
            deed.run();
            return true;
        });
    }

    private synchronized void add(Measured one) {
        measured.add(one);
    }

    /** Of the steps that have ended. */
    synchronized Timeline timeline() {
        long fence = measured.stream()
                .filter(one -> one.step == Step.MARK_FENCED)
                .mapToLong(Measured::beganNanos)
                .findFirst()
                .orElseGet(System::nanoTime);
        return new Timeline(measured.stream()
                .map(one -> new Timing(
                        one.step,
                        Duration.ofNanos(one.beganNanos - fence),
                        Duration.ofNanos(one.endedNanos - one.beganNanos)))
                .sorted(Comparator.comparing(Timing::began))
                .toList());
    }
}
