package dev.shardwright.local.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A few threads that run to their end; the first failure of one ends the wait for all. */
final class Workers implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);

    private final ExecutorService threads;
    private final List<Future<?>> running = new ArrayList<>();

    /** Work that may fail in any way. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    Workers(String name) {
        threads = Executors.newCachedThreadPool(
                Thread.ofPlatform().name(name + "-", 0).daemon().factory());
    }

    void start(Work work) {
        running.add(threads.submit((Callable<Boolean>) () -> {
            work.run();
            return true;
        }));
    }

    /** Waits for all; throws IllegalStateException with the message of the first that failed. */
    void await() throws InterruptedException {
        while (!done()) {
            Thread.sleep(POLL);
        }
    }

    /** Whether all have ended; throws as {@link #await} does. */
    boolean done() throws InterruptedException {
        boolean done = true;
        for (var work : running) {
            if (!work.isDone()) {
                done = false;
                continue;
            }
            try {
                work.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(
                        e.getCause() == null ? e.getMessage() : e.getCause().getMessage(), e);
            }
        }
        return done;
    }

    /** Interrupts what still runs. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
