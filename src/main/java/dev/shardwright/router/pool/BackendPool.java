package dev.shardwright.router.pool;

import dev.shardwright.router.protocol.BackendConnection;
import dev.shardwright.router.protocol.BackendConnector;
import dev.shardwright.router.protocol.BackendConnector.Login;
import dev.shardwright.router.protocol.ConnectFailure;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.ClientSession;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardEntry;
import io.netty.channel.EventLoop;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One user's connections to one shard, on one event loop. A session keeps its connection when a statement has ended, so
 * that the next one finds all as it was; another session gets it only when there is no free one and no place for a new
 * one. Then the one goes that has rested for longest. Who finds none that rests waits, first come first served.
 */
final class BackendPool implements SessionBackend.Home {
    /** What was agreed at a connection's login; sessions that agreed on something else can't use it. */
    private record Terms(int capabilities, int collation) {
        static Terms of(Login login) {
            return new Terms(login.capabilities(), login.collation());
        }
    }

    private final EventLoop loop;
    private final BackendConnector connector;
    private final PoolSettings settings;
    private final Breaker breaker;
    private final PoolCounters counters;
    private final Runnable whenServerOpens;
    private final Map<SessionBackend, Terms> backends = new LinkedHashMap<>();
    private final ClaimQueue waiting;
    private int connecting;

    BackendPool(
            EventLoop loop,
            BackendConnector connector,
            PoolSettings settings,
            Breaker breaker,
            PoolCounters counters,
            Runnable whenServerOpens) {
        this.loop = loop;
        this.connector = connector;
        this.settings = settings;
        this.breaker = breaker;
        this.counters = counters;
        this.whenServerOpens = whenServerOpens;
        this.waiting = new ClaimQueue(loop, settings, counters.waiting(), this::full);
    }

    void claim(Claim claim) {
        var way = waiting.isEmpty() ? way(claim) : null;
        if (way != null) {
            way.run();
        } else if (!waiting.add(claim)) {
            full(claim);
        }
    }

    /** Meets a claim that nobody waits for yet: by a new connection if there is a place for it, else not at all. */
    void claimEarly(Claim claim) {
        if (waiting.isEmpty() && backends.size() + connecting < settings.connections()) {
            connect(claim);
        } else {
            full(claim);
        }
    }

    /** How the claim can be met now, or null. */
    private @Nullable Runnable way(Claim claim) {
        var terms = Terms.of(claim.login());
        var unused = suitable(terms, claim, true);
        if (unused != null) {
            return () -> give(unused, claim);
        }
        if (backends.size() + connecting < settings.connections()) {
            return () -> connect(claim);
        }
        var resting = suitable(terms, claim, false);
        if (resting != null) {
            return () -> give(resting, claim);
        }
        var useless = longestResting();
        return useless == null
                ? null
                : () -> {
                    useless.connection().close();
                    connect(claim);
                };
    }

    /** The one that has the session's state already, else one that can be given it; of several the longest at rest. */
    private @Nullable SessionBackend suitable(Terms terms, Claim claim, boolean unowned) {
        var session = claim.owner().session();
        SessionBackend alike = null;
        SessionBackend other = null;
        for (var entry : backends.entrySet()) {
            var backend = entry.getKey();
            if ((backend.owner() == null) != unowned
                    || !backend.isSpare()
                    || !terms.equals(entry.getValue())
                    || !fits(backend, session)) {
                continue;
            }
            if (backend.isLike(session)) {
                alike = longer(alike, backend);
            } else {
                other = longer(other, backend);
            }
        }
        return alike == null ? other : alike;
    }

    /** A database can be changed, but not be left. */
    private static boolean fits(SessionBackend backend, ClientSession session) {
        return session.database() != null || backend.database() == null;
    }

    private @Nullable SessionBackend longestResting() {
        SessionBackend longest = null;
        for (var backend : backends.keySet()) {
            if (backend.isSpare()) {
                longest = longer(longest, backend);
            }
        }
        return longest;
    }

    private static SessionBackend longer(@Nullable SessionBackend one, SessionBackend other) {
        return one == null || other.restsSince() < one.restsSince() ? other : one;
    }

    private static void give(SessionBackend backend, Claim claim) {
        var before = backend.owner();
        if (before != null) {
            before.taken(backend);
        }
        backend.leaveOwner();
        backend.belongsTo(claim.owner());
        claim.reserved();
        claim.granted(backend);
    }

    private void connect(Claim claim) {
        long now = System.nanoTime();
        var why = breaker.closedBy(now);
        if (why != null) {
            claim.reserved();
            claim.failed(why, !breaker.isLost(now));
            return;
        }
        connecting++;
        claim.reserved();
        // What the claim wants later is not what the server session has.
        var login = claim.login();
        connector.connect(loop, claim.shard(), login, new BackendConnector.Callback() {
            @Override
            public void connected(BackendConnection connection) {
                connecting--;
                if (breaker.succeeded()) {
                    loop.execute(whenServerOpens);
                }
                opened(connection, claim, login);
            }

            @Override
            public void failed(ConnectFailure failure) {
                connecting--;
                refused(failure, claim);
                pump();
            }
        });
    }

    private void opened(BackendConnection connection, Claim claim, Login login) {
        var backend = new SessionBackend(this, connection, login.database());
        if (login.namesCollationLater()) {
            backend.demandCollation();
        }
        backends.put(backend, Terms.of(login));
        counters.open().incrementAndGet();
        connection.onClose(() -> closed(backend));
        connection.onDefect(() -> {
            var owner = backend.owner();
            if (owner != null) {
                owner.failed();
            }
        });
        if (claim.isWanted()) {
            backend.belongsTo(claim.owner());
            claim.granted(backend);
        } else {
            claim.failed(ErrorCatalogue.shardUnreachable(claim.shard().name(), "it is not needed any more"), true);
            rested();
        }
    }

    private void refused(ConnectFailure failure, Claim claim) {
        var answer = failure.answer();
        if (answer != null && !failure.mayComeBack()) {
            claim.failed(answer, false);
            return;
        }
        var error = ErrorCatalogue.shardUnreachable(claim.shard().name(), failure.why());
        long now = System.nanoTime();
        if (answer == null) {
            breaker.failed(error, now);
        } else if (answer.errno() == ErrorCatalogue.OFFLINE) {
            breaker.shut(error, now);
        }
        claim.failed(error, !breaker.isLost(now));
    }

    private void closed(SessionBackend backend) {
        backends.remove(backend);
        counters.open().decrementAndGet();
        var owner = backend.owner();
        if (owner != null) {
            owner.closed(backend);
        }
        var asked = backend.insertIdOf();
        if (asked != null) {
            asked.lost(backend);
        }
        if (!waiting.isEmpty()) {
            loop.execute(this::pump);
        }
    }

    private void full(Claim claim) {
        claim.reserved();
        claim.failed(
                ErrorCatalogue.noBackendFree(
                        claim.login().user(),
                        claim.shard().name(),
                        settings.queueTimeout().toMillis()),
                false);
    }

    /** Serves who waits, in order, as long as there is something to give. */
    private void pump() {
        for (var claim = waiting.first(); claim != null; claim = waiting.first()) {
            var way = way(claim);
            if (way == null) {
                return;
            }
            waiting.remove(claim);
            way.run();
        }
    }

    @Override
    public void rested() {
        if (!waiting.isEmpty()) {
            pump();
        }
    }

    @Override
    public void release(SessionBackend backend) {
        boolean spare = backend.isSpare();
        backend.leaveOwner();
        backend.insertIdSaved();
        if (spare) {
            rested();
        } else {
            backend.connection().close();
        }
    }

    void cancel(SessionBackend.Owner owner) {
        waiting.remove(claim -> claim.owner() == owner);
    }

    /** Lets go of servers that take nothing new. Owners see to the connections that they have. */
    void onTopology(Predicate<ShardEntry> serves) {
        for (var backend : unowned()) {
            if (!serves.test(backend.shard())) {
                backend.connection().close();
            }
        }
        for (var claim : waiting.remove(waits -> !serves.test(waits.shard()))) {
            claim.reserved();
            claim.failed(ErrorCatalogue.shardUnreachable(claim.shard().name(), "it is being moved"), true);
        }
    }

    private List<SessionBackend> unowned() {
        return backends.keySet().stream()
                .filter(backend -> backend.owner() == null)
                .toList();
    }

    /** Closes what nobody has had for so long. */
    void closeIdle(long now) {
        for (var backend : unowned()) {
            if (now - backend.restsSince() > settings.idleTimeout().toNanos()) {
                backend.connection().close();
            }
        }
    }

    boolean isEmpty() {
        return backends.isEmpty() && waiting.isEmpty() && connecting == 0;
    }
}
