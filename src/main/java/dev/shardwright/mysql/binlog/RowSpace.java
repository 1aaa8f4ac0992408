package dev.shardwright.mysql.binlog;

import dev.shardwright.mysql.client.ServerException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Room for the rows of transactions whose end has not been read: some memory, shared by all of them, and beyond it files. These are
 * removed from their directory as soon as they are open, so that a process that is killed leaves none behind. Thread-safe.
 */
public final class RowSpace implements AutoCloseable {
    private final Path directory;
    private final long maxMemory;
    private final long maxDisk;
    private final Set<FileChannel> files = ConcurrentHashMap.newKeySet();
    private long memory;
    private long disk;

    /**
     * @param directory where files are made when they are needed
     * @param maxMemory bytes of row events that are kept in memory
     * @param maxDisk bytes of all files together
     */
    public RowSpace(Path directory, long maxMemory, long maxDisk) {
        this.directory = directory;
        this.maxMemory = maxMemory;
        this.maxDisk = maxDisk;
    }

    /** False when there is no more memory for so many bytes. */
    synchronized boolean takeMemory(long bytes) {
        if (memory + bytes > maxMemory) {
            return false;
        }
        memory += bytes;
        return true;
    }

    synchronized void giveMemory(long bytes) {
        memory -= bytes;
    }

    synchronized void takeDisk(long bytes) throws IOException {
        if (disk + bytes > maxDisk) {
            throw new ServerException(
                    0,
                    "the transactions of the source that are not committed yet, or are as large, need more than the "
                            + maxDisk
                            + " bytes of disk that the mover may use in " + directory
                            + "; make the source's transactions smaller, then start the workflow again with new targets");
        }
        disk += bytes;
    }

    synchronized void giveDisk(long bytes) {
        disk -= bytes;
    }

    FileChannel open() throws IOException {
        try {
            var path = Files.createTempFile(directory, "shardwright-rows-", ".tmp");
            try {
                var file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                files.add(file);
                return file;
            } finally {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Trying again would not help, unlike with a server's connection. */
    ServerException failed(IOException e) {
        return new ServerException(
                0,
                "a large transaction of the source can't be kept in " + directory + ": " + e
                        + "; give the mover's temporary directory more room");
    }

    void close(FileChannel file) {
        files.remove(file);
        try {
            file.close();
        } catch (IOException e) {
            // It has no name any more, and nobody wants what it holds.
        }
    }

    /** Lets go of all files, whatever still uses them. */
    @Override
    public void close() {
        files.forEach(this::close);
    }
}
