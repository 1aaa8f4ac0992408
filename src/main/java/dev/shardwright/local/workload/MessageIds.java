package dev.shardwright.local.workload;

/** Ids of what the workload writes, unique over all clients and all their threads without asking anybody. */
final class MessageIds {
    /** Ids below this one were loaded; the others carry the client that wrote them. */
    static final long FIRST_WRITTEN = 1L << 40;

    static final int MOST_CLIENTS = 1 << 20;
    static final int MOST_THREADS = 1 << 8;

    private final long base;
    private long last;

    MessageIds(int client, int thread) {
        if (client < 0 || client >= MOST_CLIENTS || thread < 0 || thread >= MOST_THREADS) {
            throw new IllegalArgumentException("client " + client + ", thread " + thread + ": at most " + MOST_CLIENTS
                    + " clients of " + MOST_THREADS + " writers have ids of their own");
        }
        base = (client + 1L) << 40 | (long) thread << 32;
    }

    long next() {
        return base + ++last;
    }

    static boolean isLoaded(long id) {
        return id < FIRST_WRITTEN;
    }

    static int clientOf(long id) {
        return (int) ((id >> 40) - 1);
    }
}
