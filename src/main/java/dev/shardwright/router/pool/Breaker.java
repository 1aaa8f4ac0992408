package dev.shardwright.router.pool;

import dev.shardwright.mysql.wire.ErrPacket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps statements from trying a server one after another that can't be reached, or that lets nobody in: after a failure
 * nobody tries for a while, then one does. Times are of {@link System#nanoTime}.
 */
final class Breaker {
    private static final long FIRST_PAUSE = Duration.ofMillis(5).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMillis(250).toNanos();

    /** A shard that has just begun to serve is open a moment later, and clients wait for it. */
    private static final long SHUT_PAUSE = Duration.ofMillis(1).toNanos();

    private final long failFastAfter;
    private @Nullable ErrPacket reason;
    private long downSince;
    private long tryAt;
    private long pause = FIRST_PAUSE;
    private @Nullable ErrPacket shut;
    private long knockAt;

    Breaker(Duration failFastAfter) {
        this.failFastAfter = failFastAfter.toNanos();
    }

    /** Why nobody may try now; null when one may. */
    @Nullable
    ErrPacket closedBy(long now) {
        if (shut != null && now - knockAt < 0) {
            return shut;
        }
        return now - tryAt < 0 ? reason : null;
    }

    /** Whether it has been out of reach for so long that waiting for it makes no sense. */
    boolean isLost(long now) {
        return reason != null && now - downSince > failFastAfter;
    }

    void failed(ErrPacket why, long now) {
        if (reason == null) {
            downSince = now;
        }
        reason = why;
        tryAt = now + pause;
        pause = Math.min(2 * pause, LONGEST_PAUSE);
    }

    /** The server answers, and says that it lets nobody in. */
    void shut(ErrPacket why, long now) {
        shut = why;
        knockAt = now + SHUT_PAUSE;
    }

    /** True if the server let nobody in before. */
    boolean succeeded() {
        boolean opened = shut != null;
        shut = null;
        reason = null;
        pause = FIRST_PAUSE;
        tryAt = 0;
        return opened;
    }
}
