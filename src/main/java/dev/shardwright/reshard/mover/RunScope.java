package dev.shardwright.reshard.mover;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The threads and connections of one attempt: the first failure ends all of them. */
final class RunScope implements AutoCloseable {
    private static final long JOIN_MILLIS = 5_000;

    /** Work that runs until it is done, fails or is interrupted. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    private final String name;
    private final List<Thread> threads = new ArrayList<>();
    private final List<AutoCloseable> resources = new ArrayList<>();
    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private boolean closed;

    RunScope(String name) {
        this.name = name;
    }

    /** Closed with the scope; a connection is cut, whatever it is doing. */
    synchronized <T extends AutoCloseable> T own(T resource) {
        if (closed) {
            end(resource);
            throw new IllegalStateException("the attempt has ended");
        }
        resources.add(resource);
        return resource;
    }

    /** Of what has ended by itself. */
    synchronized void disown(AutoCloseable resource) {
        resources.remove(resource);
    }

    /** The future ends when the work is done. */
    synchronized CompletableFuture<Void> start(String what, Work work) {
        var done = new CompletableFuture<Void>();
        var thread = Thread.ofPlatform().daemon().name(name + "/" + what).unstarted(() -> {
            try {
                work.run();
                done.complete(null);
            } catch (Throwable e) {
                failure.completeExceptionally(e);
            }
        });
        threads.add(thread);
        thread.start();
        return done;
    }

    /** Waits for the work, or throws what any other work has failed with. */
    void await(CompletableFuture<?> work) throws Exception {
        while (!await(work, Long.MAX_VALUE)) {
            // The longest wait there is has passed.
        }
    }

    /** As {@link #await(CompletableFuture)}, false when the time is up. */
    boolean await(CompletableFuture<?> work, long millis) throws Exception {
        try {
            CompletableFuture.anyOf(failure, work).get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    /** Lets the time pass, unless something fails. */
    void sleep(long millis) throws Exception {
        await(new CompletableFuture<>(), millis);
    }

    @Override
    public void close() {
        List<Thread> running;
        synchronized (this) {
            closed = true;
            running = List.copyOf(threads);
            running.forEach(Thread::interrupt);
            resources.forEach(RunScope::end);
            resources.clear();
        }
        for (var thread : running) {
            try {
                thread.join(JOIN_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void end(AutoCloseable resource) {
        try {
            if (resource instanceof Connection connection) {
                connection.abort(Runnable::run);
            } else {
                resource.close();
            }
        } catch (SQLException e) {
            // The server notices by itself.
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
