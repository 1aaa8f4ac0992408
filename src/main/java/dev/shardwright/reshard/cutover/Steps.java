package dev.shardwright.reshard.cutover;

import dev.shardwright.reshard.cutover.Outcome.Timing;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Runs the steps of one attempt, tells the listener, and measures. Safe for several threads. */
final class Steps {
    private final StepListener listener;
    private final List<Timing> timings = Collections.synchronizedList(new ArrayList<>());

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
        long start = System.nanoTime();
        var result = action.run();
        timings.add(new Timing(step, Duration.ofNanos(System.nanoTime() - start)));
        listener.after(step);
        return result;
    }

    void run(Step step, Deed deed) throws SQLException {
        get(step, () -> {
            deed.run();
            return true;
        });
    }

    List<Timing> timings() {
        return List.copyOf(timings);
    }
}
