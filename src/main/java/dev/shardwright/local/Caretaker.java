package dev.shardwright.local;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts MySQL servers again that ended by themselves, as Kubernetes would. */
final class Caretaker implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Caretaker.class);
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final LocalServers servers;
    private final Thread thread = Thread.ofPlatform().daemon().name("caretaker").unstarted(this::run);

    Caretaker(LocalServers servers) {
        this.servers = servers;
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Thread.sleep(LOOK);
                servers.revive()
                        .forEach(name -> log.warn("the MySQL server of shard {} had ended, started it again", name));
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                log.error("a MySQL server does not start again: {}", e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
