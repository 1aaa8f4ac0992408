package dev.shardwright.router.executor;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The clients of one router by their connection ids. These are numbers that no server's own ids come to, so that a KILL
 * of a client never hits a server's session of the same number; where they begin is random, so that two routers hardly
 * ever give the same one. And what servers have prepared for them. Thread-safe.
 */
public final class Sessions {
    private static final int FIRST = 1 << 30;

    private final Map<Integer, SessionRunner> runners = new ConcurrentHashMap<>();
    private final PreparedCaches preparedCaches = new PreparedCaches();
    private final AtomicInteger last =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(FIRST, Integer.MAX_VALUE));

    /** One that no other client of this router has now. */
    public int nextId() {
        int id;
        do {
            id = last.updateAndGet(before -> before == Integer.MAX_VALUE ? FIRST : before + 1);
        } while (runners.containsKey(id));
        return id;
    }

    /** Whether only a router gives such an id. */
    static boolean isRouters(long id) {
        return id >= FIRST && id <= Integer.MAX_VALUE;
    }

    PreparedCaches preparedCaches() {
        return preparedCaches;
    }

    void add(SessionRunner runner) {
        runners.put(runner.session().client().connectionId(), runner);
    }

    void remove(SessionRunner runner) {
        runners.remove(runner.session().client().connectionId(), runner);
    }

    /** The client of this id, on whatever event loop it is; or null. */
    @Nullable
    SessionRunner find(long id) {
        return isRouters(id) ? runners.get((int) id) : null;
    }

    /** The client of this user that has the server session of this id now, or null. */
    @Nullable
    SessionRunner findOnServer(long id, String user) {
        for (var runner : runners.values()) {
            if (runner.session().client().user().equals(user)
                    && runner.backends().hasServerSession(id)) {
                return runner;
            }
        }
        return null;
    }
}
