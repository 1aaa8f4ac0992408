package dev.shardwright.topology.store;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the file: woken by the file system, and looking by itself a few times a second in case that says nothing. */
final class FileWatch {
    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);
    private static final long LOOK_MILLIS = 200;

    private final TopologyFile file;
    private final Delivery delivery;
    private final Thread thread;
    private final @Nullable WatchService notices;
    private volatile boolean closed;
    private @Nullable String seen;
    private boolean first = true;

    FileWatch(TopologyFile file, Delivery delivery) {
        this.file = file;
        this.delivery = delivery;
        this.notices = notices(file.path());
        this.thread = Thread.ofPlatform().daemon().name("topology-watch").start(this::follow);
    }

    private static @Nullable WatchService notices(Path file) {
        try {
            var directory = file.resolveSibling(".").normalize();
            var service = file.getFileSystem().newWatchService();
            directory.register(
                    service,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_DELETE,
                    StandardWatchEventKinds.ENTRY_MODIFY);
            return service;
        } catch (IOException | UnsupportedOperationException e) {
            LOG.warn("no notices of changes of {}, so looking every {} ms: {}", file, LOOK_MILLIS, e.toString());
            return null;
        }
    }

    private void follow() {
        while (!closed) {
            look();
            try {
                sleep();
            } catch (InterruptedException | ClosedWatchServiceException e) {
                return;
            }
        }
    }

    private void look() {
        try {
            var text = file.read();
            if (first || !Objects.equals(text, seen)) {
                first = false;
                seen = text;
                delivery.accept(text);
            }
        } catch (IOException e) {
            LOG.warn("the topology file {} can't be read, trying again: {}", file.path(), e.toString());
        }
    }

    private void sleep() throws InterruptedException {
        if (notices == null) {
            Thread.sleep(LOOK_MILLIS);
            return;
        }
        var key = notices.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        if (key != null) {
            key.pollEvents();
            key.reset();
        }
    }

    void close() {
        closed = true;
        thread.interrupt();
        if (notices != null) {
            try {
                notices.close();
            } catch (IOException e) {
                LOG.warn("closing the notices of {} failed: {}", file.path(), e.toString());
            }
        }
    }
}
