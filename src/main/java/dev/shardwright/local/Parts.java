package dev.shardwright.local;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;

/** Things that were opened one after another and are closed in reverse order, each whatever becomes of the others. Thread-safe. */
public final class Parts implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final BiConsumer<AutoCloseable, Exception> onFailure;

    /** @param onFailure told which one could not be closed, and why */
    public Parts(BiConsumer<AutoCloseable, Exception> onFailure) {
        this.onFailure = onFailure;
    }

    public synchronized <T extends AutoCloseable> T add(T part) {
        open.push(part);
        return part;
    }

    /** A second call does nothing. */
    @Override
    public synchronized void close() {
        while (!open.isEmpty()) {
            var part = open.pop();
            try {
                part.close();
            } catch (Exception e) {
                onFailure.accept(part, e);
            }
        }
    }
}
