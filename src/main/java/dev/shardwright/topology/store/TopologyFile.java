package dev.shardwright.topology.store;

import dev.shardwright.topology.model.Topology;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The document's file, which everybody may read as it is, and beside it the log that keeps a new document safe before
 * the file has reached the disk.
 */
final class TopologyFile {
    private final Path path;
    private final TopologyLog log;

    TopologyFile(Path path) {
        this.path = path.toAbsolutePath();
        this.log = new TopologyLog(sibling(".log"));
    }

    /** Absolute. */
    Path path() {
        return path;
    }

    /** A file beside it, of its name and this. */
    Path sibling(String suffix) {
        return path.resolveSibling(path.getFileName() + suffix);
    }

    /** Null if there is none. Needs no lock. */
    @Nullable
    String read() throws IOException {
        String stored;
        try {
            stored = Files.readString(path);
        } catch (NoSuchFileException e) {
            return null;
        }
        var logged = log.newest();
        return logged == null || logged.text().equals(stored) || logged.epoch() <= epoch(stored)
                ? stored
                : logged.text();
    }

    /** What nobody can read is nothing that a crash of the machine left behind, and not to be passed over. */
    private static long epoch(String text) {
        // Some file systems keep the name and the length of a file that has not reached the disk.
        if (text.isBlank() || text.charAt(0) == 0) {
            return 0;
        }
        try {
            return TopologyJson.read(text).epoch();
        } catch (TopologyFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Whatever is left of an earlier file of this name counts no more. */
    void create(Topology first) throws IOException {
        var text = TopologyJson.write(first);
        log.begin(new TopologyLog.Entry(first.epoch(), text));
        Replacement.of(path, bytes(text), true);
    }

    /** Returns once it is on the disk. Of several writers one at a time. */
    void write(Topology next) throws IOException {
        var text = TopologyJson.write(next);
        log.add(new TopologyLog.Entry(next.epoch(), text));
        Replacement.of(path, bytes(text), false);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
