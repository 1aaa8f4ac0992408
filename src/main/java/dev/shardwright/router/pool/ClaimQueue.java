package dev.shardwright.router.pool;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Claims that wait, first come first served; bounded in number, and each in time. */
final class ClaimQueue {
    private final EventLoop loop;
    private final PoolSettings settings;
    private final AtomicInteger waitingInAll;
    private final Consumer<Claim> onExpiry;
    private final Map<Claim, Future<?>> claims = new LinkedHashMap<>();

    /** @param onExpiry gets a claim that has waited for too long */
    ClaimQueue(EventLoop loop, PoolSettings settings, AtomicInteger waitingInAll, Consumer<Claim> onExpiry) {
        this.loop = loop;
        this.settings = settings;
        this.waitingInAll = waitingInAll;
        this.onExpiry = onExpiry;
    }

    boolean isEmpty() {
        return claims.isEmpty();
    }

    /** False when it is full. */
    boolean add(Claim claim) {
        if (claims.size() >= settings.queue()) {
            return false;
        }
        var expiry = loop.schedule(() -> expire(claim), settings.queueTimeout().toNanos(), TimeUnit.NANOSECONDS);
        claims.put(claim, expiry);
        waitingInAll.incrementAndGet();
        return true;
    }

    private void expire(Claim claim) {
        if (claims.remove(claim) != null) {
            waitingInAll.decrementAndGet();
            onExpiry.accept(claim);
        }
    }

    /** The one that has waited for longest, or null. It stays. */
    @Nullable
    Claim first() {
        return claims.isEmpty() ? null : claims.keySet().iterator().next();
    }

    void remove(Claim claim) {
        var expiry = claims.remove(claim);
        if (expiry != null) {
            expiry.cancel(false);
            waitingInAll.decrementAndGet();
        }
    }

    /** Takes these out. */
    List<Claim> remove(Predicate<Claim> which) {
        var taken = new ArrayList<>(claims.keySet());
        taken.removeIf(which.negate());
        taken.forEach(this::remove);
        return taken;
    }
}
