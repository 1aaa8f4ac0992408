package dev.shardwright.topology.store;

import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.TopologyChange;
import dev.shardwright.topology.model.TopologyRules;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * The topology in a file of this machine. Writers of all processes take turns by a lock file beside it;
 * a new version is written to a log and then renamed into place as a whole, so readers need no lock.
 */
public final class FileTopologyStore implements TopologyStore {
    private static final Duration LOCK = Duration.ofSeconds(10);

    private final TopologyFile file;
    private final String keyspace;
    private final List<FileWatch> watches = new CopyOnWriteArrayList<>();

    /** @param file its directory must exist */
    public FileTopologyStore(Path file, String keyspace) {
        this.file = new TopologyFile(file);
        this.keyspace = keyspace;
    }

    @Override
    public Optional<Versioned> read() {
        return text().map(this::versioned);
    }

    @Override
    public boolean create(Topology first) {
        refuse(TopologyRules.problems(first));
        return locked(() -> {
            if (Files.exists(file.path())) {
                return false;
            }
            file.create(first);
            return true;
        });
    }

    @Override
    public boolean compareAndSet(Versioned expected, Topology next) {
        refuse(TopologyChange.problems(expected.topology(), next));
        return locked(() -> {
            var version = text().map(FileTopologyStore::hash);
            if (!version.equals(Optional.of(expected.version()))) {
                return false;
            }
            file.write(next);
            return true;
        });
    }

    @Override
    public void rehearse(Versioned expected, Topology next) {
        refuse(TopologyChange.problems(expected.topology(), next));
        hash(TopologyJson.write(next));
        text();
    }

    @Override
    public Subscription watch(Watcher watcher) {
        var watch = new FileWatch(file, new Delivery(keyspace, watcher));
        watches.add(watch);
        return () -> {
            watches.remove(watch);
            watch.close();
        };
    }

    @Override
    public void close() {
        watches.forEach(FileWatch::close);
        watches.clear();
    }

    /**
     * The document in this file, whatever keyspace it is of; empty if there is none. TopologyStoreException if it can't be read,
     * or is none.
     */
    public static Optional<Topology> look(Path file) {
        var found = new TopologyFile(file);
        return text(found).map(text -> parsed(found, text));
    }

    private Optional<String> text() {
        return text(file);
    }

    private static Optional<String> text(TopologyFile file) {
        try {
            return Optional.ofNullable(file.read());
        } catch (IOException e) {
            throw new TopologyStoreException("the topology file " + file.path() + " can't be read: " + e, e);
        }
    }

    private static Topology parsed(TopologyFile file, String text) {
        try {
            return TopologyJson.read(text);
        } catch (TopologyFormatException e) {
            throw unusable(file, e);
        }
    }

    private Versioned versioned(String text) {
        var topology = parsed(file, text);
        if (!topology.keyspace().equals(keyspace)) {
            throw unusable(file, new TopologyFormatException("it is the topology of keyspace " + topology.keyspace()));
        }
        return new Versioned(topology, hash(text));
    }

    private static TopologyStoreException unusable(TopologyFile file, TopologyFormatException e) {
        return new TopologyStoreException("the topology file " + file.path() + " is not usable: " + e.getMessage(), e);
    }

    private interface Change {
        boolean apply() throws IOException;
    }

    private boolean locked(Change change) {
        // A file lock belongs to the whole JVM, so its threads take turns by the monitor.
        synchronized (FileTopologyStore.class) {
            var lockFile = file.sibling(".lock");
            try (var channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var lock = lock(channel)) {
                return lock.isValid() && change.apply();
            } catch (IOException e) {
                throw new TopologyStoreException("the topology file " + file.path() + " can't be written: " + e, e);
            }
        }
    }

    private static FileLock lock(FileChannel channel) throws IOException {
        var deadline = System.nanoTime() + LOCK.toNanos();
        while (true) {
            var lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
            if (System.nanoTime() > deadline) {
                throw new IOException("another process has held its lock for " + LOCK.toSeconds() + " s");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** IllegalArgumentException: a document that must not be written is a mistake of the caller. */
    static void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("this topology must not be written: " + String.join("; ", problems));
        }
    }
}
