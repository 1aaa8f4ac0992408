package dev.shardwright.router.planner;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Plans by fingerprint and context, bounded in bytes. Readers take no lock; a plan that was used since
 * the eviction last passed it gets a second chance.
 */
final class PlanCache {
    /** What a plan weighs beside its fingerprint, roughly. */
    private static final int PLAN_BYTES = 1_000;

    private final long capacity;
    private final int largest;
    private final ConcurrentHashMap<Key, Entry> plans = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Key> order = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();

    static final class Entry {
        final Plan plan;
        final SessionUse use;
        private boolean used;

        Entry(Planned planned) {
            this.plan = planned.plan();
            this.use = planned.use();
        }
    }

    /** @param capacity in bytes */
    PlanCache(long capacity) {
        this.capacity = capacity;
        this.largest = (int) Math.min(Integer.MAX_VALUE, capacity / 16);
    }

    @Nullable
    Entry get(Key key) {
        var entry = plans.get(key);
        if (entry != null) {
            entry.used = true;
        }
        return entry;
    }

    void put(Key key, Entry entry) {
        if (key.weight() > largest || plans.putIfAbsent(key, entry) != null) {
            return;
        }
        order.add(key);
        if (bytes.addAndGet(key.weight()) > capacity) {
            evict();
        }
    }

    private void evict() {
        for (var key = order.poll(); key != null; key = order.poll()) {
            var entry = plans.get(key);
            if (entry != null && entry.used) {
                entry.used = false;
                order.add(key);
            } else if (entry != null && plans.remove(key, entry) && bytes.addAndGet(-key.weight()) <= capacity) {
                return;
            }
        }
    }

    int size() {
        return plans.size();
    }

    /** A fingerprint in its context. */
    static final class Key {
        private final byte[] fingerprint;
        private final StatementContext context;
        private final int hash;

        Key(byte[] fingerprint, StatementContext context) {
            this.fingerprint = fingerprint;
            this.context = context;
            this.hash = Arrays.hashCode(fingerprint) * 31 + context.hashCode();
        }

        int weight() {
            return fingerprint.length + PLAN_BYTES;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && hash == key.hash
                    && Arrays.equals(fingerprint, key.fingerprint)
                    && context.equals(key.context);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
