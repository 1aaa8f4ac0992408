package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.buffer.HoldQueue;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.topology.model.ShardEntry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A command of a client that needs servers. It may be attempted more than once, as long as nothing was run. */
abstract class Execution implements HoldQueue.Held {
    private static final Duration FIRST_RETRY = Duration.ofMillis(4);
    private static final Duration LONGEST_RETRY = Duration.ofMillis(100);

    protected final SessionRunner runner;
    private long waitsSince;
    private Duration nextRetry = FIRST_RETRY;
    private ErrPacket onExpiry = ErrorCatalogue.noTopology();

    Execution(SessionRunner runner) {
        this.runner = runner;
    }

    /** Starts from the beginning under the topology of this moment. */
    abstract void attempt();

    /** The client is gone: lets go of everything. Its connections are closed by the caller. */
    void abandon() {
        runner.loop().holds().cancel(this);
    }

    /** The client has its answer. */
    void finished() {}

    /** How a command takes it that its transaction must end. */
    enum Ending {
        /** Nothing of it has been sent; it looks at the transaction before it sends. */
        NOT_SENT,
        /** It answers the client when its connection closes. */
        STOPPED,
        /** A commit is on its way: its answer must be waited for. */
        TOO_LATE
    }

    /** The transaction that this command may be part of must not go on. */
    Ending endTransaction() {
        return Ending.NOT_SENT;
    }

    /** Whether it may be ended when it has run for too long. */
    boolean mayTimeOut() {
        return true;
    }

    /** The client has caught up with what it was sent. */
    void clientReadsAgain() {}

    /** Waits until the topology changes. Nothing of this attempt has been sent. */
    protected final void holdFor(ShardEntry shard, TopologyView view) {
        var workflow = view.fencedBy(shard);
        runner.loop().metrics().held().increment();
        hold(
                ErrorCatalogue.heldTooLong(
                        shard.name(),
                        workflow,
                        runner.loop().settings().bufferTimeout().toMillis()),
                ErrorCatalogue.bufferFull(shard.name(), workflow),
                null);
    }

    /** Tries again soon: the server refused and ran nothing. {@code error} is the answer when time runs out. */
    protected final void retryLater(ErrPacket error) {
        runner.loop().metrics().retried().increment();
        var delay = nextRetry;
        var longer = delay.plus(delay.dividedBy(2));
        nextRetry = longer.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : longer;
        hold(error, error, delay);
    }

    private void hold(ErrPacket expiry, ErrPacket full, @Nullable Duration retryAfter) {
        if (runner.isGone()) {
            return;
        }
        long now = System.nanoTime();
        if (waitsSince == 0) {
            waitsSince = now;
        }
        runner.backends().restAll();
        var left = runner.loop().settings().bufferTimeout().minusNanos(now - waitsSince);
        onExpiry = expiry;
        if (left.isNegative() || left.isZero()) {
            runner.error(expiry);
        } else if (!runner.loop().holds().hold(this, runner.commandBytes(), left, retryAfter)) {
            runner.error(full);
        }
    }

    @Override
    public final void release() {
        runner.guarded(this::attempt);
    }

    @Override
    public final void expire() {
        runner.guarded(() -> runner.error(onExpiry));
    }
}
