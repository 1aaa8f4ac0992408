package dev.shardwright.topology.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file's new content, written beside it and renamed into its place, so that a reader sees the old or the new one. */
final class Replacement {
    private Replacement() {}

    /** @param safely whether it is on the disk when this returns */
    static void of(Path file, ByteBuffer content, boolean safely) throws IOException {
        var next = file.resolveSibling(file.getFileName() + ".new");
        try (var channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            while (content.hasRemaining()) {
                channel.write(content);
            }
            if (safely) {
                channel.force(true);
            }
        }
        try {
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("its file system can't rename a file in one step: put it on a local disk", e);
        }
        if (safely) {
            try (var directory = FileChannel.open(file.resolveSibling("."), StandardOpenOption.READ)) {
                directory.force(true);
            }
        }
    }
}
