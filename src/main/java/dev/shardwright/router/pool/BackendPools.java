package dev.shardwright.router.pool;

import dev.shardwright.router.protocol.BackendConnector;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardEntry;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The pools of one event loop. Used on that loop only. */
public final class BackendPools {
    private record Key(String shard, String user) {}

    private final EventLoop loop;
    private final BackendConnector connector;
    private final PoolSettings settings;
    private final PoolCounters counters;
    private final Map<Key, BackendPool> pools = new HashMap<>();
    private final Map<String, Breaker> breakers = new HashMap<>();
    private Runnable whenServerOpens = () -> {};
    private boolean sweeping;

    /**
     * @param settings this loop's share
     * @param counters of all loops together
     */
    public BackendPools(EventLoop loop, BackendConnector connector, PoolSettings settings, PoolCounters counters) {
        this.loop = loop;
        this.connector = connector;
        this.settings = settings;
        this.counters = counters;
    }

    /** Called when a server that refused all logins has let somebody in. */
    public void whenServerOpens(Runnable action) {
        whenServerOpens = action;
    }

    /** May answer the claim at once. */
    public void claim(Claim claim) {
        sweepLater();
        pool(claim.shard(), claim.login().user()).claim(claim);
    }

    /** As {@link #claim}, for a shard that does not serve yet: it never takes a connection from anybody, nor waits for one. */
    public void claimEarly(Claim claim) {
        sweepLater();
        pool(claim.shard(), claim.login().user()).claimEarly(claim);
    }

    private BackendPool pool(ShardEntry shard, String user) {
        return pools.computeIfAbsent(
                new Key(shard.uid(), user),
                key -> new BackendPool(
                        loop,
                        connector,
                        settings,
                        breakers.computeIfAbsent(key.shard(), _ -> new Breaker(settings.failFastAfter())),
                        counters,
                        () -> whenServerOpens.run()));
    }

    /** Opens a connection of the caller's own, beside the pools and their limits. */
    public void openAside(ShardEntry shard, BackendConnector.Login login, BackendConnector.Callback callback) {
        connector.connect(loop, shard, login, callback);
    }

    /** The owner waits for nothing any more. */
    public void cancel(SessionBackend.Owner owner) {
        pools.values().forEach(pool -> pool.cancel(owner));
    }

    /** The topology has changed. */
    public void onTopology(Predicate<ShardEntry> serves) {
        List.copyOf(pools.values()).forEach(pool -> pool.onTopology(serves));
    }

    private void sweepLater() {
        if (!sweeping) {
            sweeping = true;
            loop.schedule(this::sweep, settings.idleTimeout().toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        pools.values().forEach(pool -> pool.closeIdle(now));
        pools.values().removeIf(BackendPool::isEmpty);
        breakers.keySet()
                .removeIf(shard ->
                        pools.keySet().stream().noneMatch(key -> key.shard().equals(shard)));
        sweeping = false;
        if (!pools.isEmpty()) {
            sweepLater();
        }
    }
}
