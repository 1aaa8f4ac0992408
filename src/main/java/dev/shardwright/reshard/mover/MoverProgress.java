package dev.shardwright.reshard.mover;

import dev.shardwright.reshard.copy.Throttling;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a mover says of itself, as JSON at {@code GET /progress} of its management port.
 *
 * @param stream which stream it is the mover of; null from whoever else answers at its address, as addresses of pods are used again
 * @param stage what it is doing
 * @param token the fencing token it runs with, so that an old mover's answer is not taken for the new one's
 * @param rowsCopied rows copied so far, all targets
 * @param rowsEstimated MySQL's estimate of all rows of the source
 * @param rowsVerified rows compared so far
 * @param lagMillis age of the newest source transaction that is known not to be applied on every
 *     target yet; 0 when all that the source had at the last look is applied; -1 when not known yet
 * @param behind null, or why the lag has not shrunk for a while, or which logs it needs may soon be purged, in words for a DBA
 * @param preparing null, or what is done before the copy, and how far it is
 * @param throttle what it does to spare the source
 * @param copyCost what the copy has cost
 * @param verifyCost what the comparison has cost
 * @param mismatches differences that verify found, at most 100, each with table and key
 * @param waiting null, or what it waits for that should not take so long, such as a server that is away
 * @param failure null, or why it can't go on, in words for a DBA
 */
public record MoverProgress(
        @Nullable String stream,
        Stage stage,
        long token,
        long rowsCopied,
        long rowsEstimated,
        long rowsVerified,
        long lagMillis,
        @Nullable String behind,
        @Nullable String preparing,
        Throttling throttle,
        Cost copyCost,
        Cost verifyCost,
        List<String> mismatches,
        @Nullable String waiting,
        @Nullable String failure) {

    public MoverProgress {
        throttle = throttle == null ? Throttling.NONE : throttle;
        copyCost = copyCost == null ? Cost.NONE : copyCost;
        verifyCost = verifyCost == null ? Cost.NONE : verifyCost;
        mismatches = mismatches == null ? List.of() : List.copyOf(mismatches);
    }

    /** Whether it is what a mover with this spec would answer. */
    public boolean isOf(MoverSpec spec) {
        return spec.stream().equals(stream) && spec.token() == token;
    }

    public enum Stage {
        Starting,
        Copying,
        CatchingUp,
        Verifying,
        /** Copied, verified without a difference, and keeping up; or, without a copy, just keeping up. */
        Streaming,
        /** Verify found differences; the stream goes on so that they can be looked into. */
        Mismatched,
        /** Stopped for good; {@code failure} says why. */
        Failed
    }
}
