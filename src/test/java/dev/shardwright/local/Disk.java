package dev.shardwright.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file system under a server: a small one of its own in memory, where this user may mount one. */
final class Disk implements AutoCloseable {
    private static final String SIZE = "480m";
    private static final int BLOCK = 1 << 20;

    private final Path mount;
    private volatile boolean own;
    private volatile boolean closed;

    private Disk(Path mount) {
        this.mount = mount;
    }

    static Disk at(Path directory) throws IOException {
        Files.createDirectories(directory);
        var disk = new Disk(directory);
        // Also after a test that is ended from outside; so nothing may be mounted any more once that has begun.
        Runtime.getRuntime().addShutdownHook(new Thread(disk::close));
        disk.own = run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", directory.toString());
        return disk;
    }

    /** Whether it can be filled without filling this machine's. */
    boolean own() {
        return own;
    }

    /** Leaves no byte. */
    void fill() {
        if (!own) {
            throw new IllegalStateException("this disk is not only the server's");
        }
        try (var file = FileChannel.open(
                filler(), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            for (int block = BLOCK; block > 0; block /= 2) {
                fill(file, block);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void fill(FileChannel file, int block) {
        try {
            while (true) {
                file.write(ByteBuffer.allocate(block));
            }
        } catch (IOException full) {
            // That is what it is for.
        }
    }

    void free() {
        try {
            Files.deleteIfExists(filler());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path filler() {
        return mount.resolve("filler");
    }

    private static boolean run(String... command) throws IOException {
        try {
            return new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        try {
            if (own && !closed && !run("umount", mount.toString())) {
                run("umount", "-l", mount.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        closed = true;
    }
}
