package dev.shardwright.topology.store;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the ConfigMap: reads it, watches from the version that was read, and begins again when the
 * watch ends, fails, or has lasted for a minute. While the API server is away it tries again with growing
 * pauses, and the last document stays in force.
 */
final class ConfigMapWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigMapWatch.class);
    private static final long RENEW_SECONDS = 60;
    private static final long SHORTEST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 3_000;

    private final Resource<ConfigMap> resource;
    private final Delivery delivery;
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Follower current;
    private long pause = SHORTEST_PAUSE_MILLIS;

    ConfigMapWatch(Resource<ConfigMap> resource, Delivery delivery) {
        this.resource = resource;
        this.delivery = delivery;
        this.thread = Thread.ofPlatform().daemon().name("topology-watch").start(this::follow);
    }

    private void follow() {
        while (!closed) {
            try {
                watchOnce();
            } catch (KubernetesClientException e) {
                LOG.warn("the topology can't be watched, trying again: {}", e.getMessage());
                pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            try {
                // All routers lose the API server at once; they should not come back at once.
                Thread.sleep(pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1));
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void watchOnce() throws InterruptedException {
        var found = resource.get();
        delivery.accept(text(found));
        var follower = new Follower();
        current = follower;
        try (var ignored = resource.watch(since(found), follower)) {
            pause = SHORTEST_PAUSE_MILLIS;
            follower.ended.await(RENEW_SECONDS, TimeUnit.SECONDS);
        } finally {
            forget();
        }
    }

    /** From here on nothing comes from the watch that ended, so it can't tell old news after the next read. */
    private synchronized void forget() {
        current = null;
    }

    private synchronized void deliver(Follower follower, @Nullable String text) {
        if (current == follower) {
            delivery.accept(text);
        }
    }

    private static io.fabric8.kubernetes.api.model.ListOptions since(@Nullable ConfigMap found) {
        var options = new ListOptionsBuilder();
        return found == null
                ? options.build()
                : options.withResourceVersion(found.getMetadata().getResourceVersion())
                        .build();
    }

    /** An empty text, which is no document, when the key is missing; null when the ConfigMap is. */
    private static @Nullable String text(@Nullable ConfigMap configMap) {
        if (configMap == null) {
            return null;
        }
        return Optional.ofNullable(configMap.getData()).orElse(Map.of()).getOrDefault(ConfigMapTopologyStore.KEY, "");
    }

    void close() {
        closed = true;
        forget();
        thread.interrupt();
    }

    private final class Follower implements Watcher<ConfigMap> {
        private final CountDownLatch ended = new CountDownLatch(1);

        @Override
        public void eventReceived(Action action, ConfigMap configMap) {
            switch (action) {
                case ADDED, MODIFIED -> deliver(this, text(configMap));
                case DELETED -> deliver(this, null);
                case ERROR -> ended.countDown();
                case BOOKMARK -> {}
            }
        }

        @Override
        public void onClose(WatcherException e) {
            LOG.debug("the watch of the topology ended: {}", e.getMessage());
            ended.countDown();
        }

        @Override
        public void onClose() {
            ended.countDown();
        }
    }
}
