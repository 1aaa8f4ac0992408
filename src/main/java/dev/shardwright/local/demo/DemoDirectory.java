package dev.shardwright.local.demo;

import dev.shardwright.mysql.server.LeftoverServer;
import dev.shardwright.mysql.server.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The demo's own directory; it never removes one that it did not make. */
public final class DemoDirectory {
    private static final String MARK = ".shardwright-demo";

    private final Path path;

    private DemoDirectory(Path path) {
        this.path = path;
    }

    /** Makes it anew. IllegalStateException if there is something else at this place. */
    public static DemoDirectory fresh(Path path) {
        var directory = new DemoDirectory(path.toAbsolutePath());
        try {
            directory.removeEarlier();
            Files.createDirectories(directory.history());
            Files.createFile(directory.path.resolve(MARK));
        } catch (IOException e) {
            throw new UncheckedIOException(path + " can't be used: " + e.getMessage(), e);
        }
        return directory;
    }

    private void removeEarlier() throws IOException {
        if (!Files.isDirectory(path) || list(path).isEmpty()) {
            return;
        }
        if (!Files.exists(path.resolve(MARK))) {
            throw new IllegalStateException(path + " holds something that is not an earlier demo: give another --dir");
        }
        if (Files.isDirectory(shards())) {
            for (var server : list(shards())) {
                new LeftoverServer(server).stop();
            }
        }
        Trees.delete(path);
    }

    public Path keyspace() {
        return path.resolve("keyspace");
    }

    Path history() {
        return path.resolve("history");
    }

    Path file(String name) {
        return path.resolve(name);
    }

    /** Removes the servers' data; histories, reports and logs stay. */
    public void removeData() {
        try {
            if (Files.isDirectory(shards())) {
                Trees.delete(shards());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path shards() {
        return keyspace().resolve("shards");
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
