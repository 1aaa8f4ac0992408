package dev.shardwright.reshard.copy;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/** Chunks on their way from the readers to the stream, which takes each one at its high watermark. */
public final class ChunkHandoff {

    /**
     * @param applied to be called by each target once it has the chunk
     * @param entered the stream's answer: false when the chunk has to be read again
     */
    public record Offer(Chunk chunk, Runnable applied, CompletableFuture<Boolean> entered) {}

    /** The stream's answer. IllegalStateException when it has failed. */
    static <T> T answer(CompletableFuture<T> entered) throws InterruptedException {
        try {
            return entered.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private final Map<Long, Offer> offers = new ConcurrentHashMap<>();
    private final Map<Long, Pass> passes = new ConcurrentHashMap<>();

    Offer offer(long mark, Chunk chunk, Runnable applied) {
        var offer = new Offer(chunk, applied, new CompletableFuture<>());
        offers.put(mark, offer);
        return offer;
    }

    /** Taken at its watermark, which is where its snapshot was taken. */
    void offer(long mark, Pass pass) {
        passes.put(mark, pass);
    }

    public Optional<Pass> takePass(long mark) {
        return Optional.ofNullable(passes.remove(mark));
    }

    public Optional<Offer> take(long mark) {
        return Optional.ofNullable(offers.remove(mark));
    }
}
