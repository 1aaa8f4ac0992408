package dev.shardwright.router.buffer;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Statements of one event loop that wait for a shard, first come first served. Bounded in bytes by a
 * budget that all loops share, and in time for each statement.
 */
public final class HoldQueue {

    /** A statement that waits. Exactly one of the two is called, unless it is cancelled. */
    public interface Held {
        /** The topology has changed or it is time to try again. It may be held again. */
        void release();

        /** It has waited as long as it may. */
        void expire();
    }

    private record Timers(
            long bytes, Future<?> expiry, @Nullable Future<?> wake) {
        void cancel() {
            expiry.cancel(false);
            if (wake != null) {
                wake.cancel(false);
            }
        }
    }

    private final EventLoop loop;
    private final ByteBudget budget;
    private final Map<Held, Timers> waiting = new LinkedHashMap<>();

    public HoldQueue(EventLoop loop, ByteBudget budget) {
        this.loop = loop;
        this.budget = budget;
    }

    /**
     * Holds a statement of this many bytes.
     *
     * @param atMost how much longer it may wait
     * @param retryAfter when to try again without a change of the topology; null: only on a change
     * @return false when the budget is used up; then nothing is held
     */
    public boolean hold(Held held, long bytes, Duration atMost, @Nullable Duration retryAfter) {
        if (!budget.take(bytes)) {
            return false;
        }
        var expiry = loop.schedule(() -> end(held, held::expire), atMost.toNanos(), TimeUnit.NANOSECONDS);
        var wake = retryAfter == null
                ? null
                : loop.schedule(() -> end(held, held::release), retryAfter.toNanos(), TimeUnit.NANOSECONDS);
        waiting.put(held, new Timers(bytes, expiry, wake));
        return true;
    }

    /** Lets all go on, in the order in which they came. */
    public void releaseAll() {
        for (var held : new ArrayList<>(waiting.keySet())) {
            end(held, held::release);
        }
    }

    /** Lets those go on that would try again by themselves later, in the order in which they came. */
    public void releaseRetries() {
        for (var entry : List.copyOf(waiting.entrySet())) {
            if (entry.getValue().wake() != null) {
                end(entry.getKey(), entry.getKey()::release);
            }
        }
    }

    /** False when it does not wait. */
    public boolean cancel(Held held) {
        boolean waits = waiting.containsKey(held);
        end(held, () -> {});
        return waits;
    }

    public int size() {
        return waiting.size();
    }

    private void end(Held held, Runnable action) {
        var timers = waiting.remove(held);
        if (timers != null) {
            timers.cancel();
            budget.giveBack(timers.bytes());
            action.run();
        }
    }
}
