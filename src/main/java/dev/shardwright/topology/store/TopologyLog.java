package dev.shardwright.topology.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The last documents of a topology file, in two slots that are overwritten in turn, so that one of them is always whole.
 * The file keeps its size: making a document safe takes one write, while a file that is new or grows has to wait for
 * its file system's journal, and with it for whatever else the machine writes. Clients wait for the flip, so that counts.
 *
 * <p>A slot is, in network order: the epoch (8 bytes), the length of the document in bytes (4), CRC-32C of all the rest
 * of it (4), the document in UTF-8. A slot that is not whole counts as empty.
 */
final class TopologyLog {
    private static final int HEADER_BYTES = Long.BYTES + Integer.BYTES + Integer.BYTES;
    private static final int LEAST_SLOT_BYTES = 1 << 16;

    private final Path file;

    record Entry(long epoch, String text) {}

    TopologyLog(Path file) {
        this.file = file;
    }

    /** The one with the highest epoch. Needs no lock: one that is being written counts once it is whole. */
    @Nullable
    Entry newest() throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            var newest = newest(channel);
            return newest == null ? null : newest.entry;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static @Nullable Whole newest(FileChannel channel) throws IOException {
        var first = slot(channel, 0);
        var second = slot(channel, 1);
        var newer = first.epoch > second.epoch ? first : second;
        var whole = newer.whole(channel);
        return whole != null ? whole : (newer == first ? second : first).whole(channel);
    }

    /** A slot that holds what it says. */
    private record Whole(long position, Entry entry) {}

    /** What a slot says of itself, which may be nonsense. */
    private record Slot(long position, long roomBytes, long epoch, int length, int checksum) {
        @Nullable
        Whole whole(FileChannel channel) throws IOException {
            if (epoch <= 0 || length <= 0 || length > roomBytes) {
                return null;
            }
            var document = read(channel, position + HEADER_BYTES, length).array();
            return TopologyLog.checksum(epoch, document) == checksum
                    ? new Whole(position, new Entry(epoch, new String(document, StandardCharsets.UTF_8)))
                    : null;
        }
    }

    private static Slot slot(FileChannel channel, int number) throws IOException {
        var bytes = channel.size() / 2;
        var header = read(channel, number * bytes, HEADER_BYTES);
        return new Slot(number * bytes, bytes - HEADER_BYTES, header.getLong(), header.getInt(), header.getInt());
    }

    /** Zeros stand for what is not there. */
    private static ByteBuffer read(FileChannel channel, long position, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && channel.read(bytes, position + bytes.position()) > 0) {}
        return bytes.rewind();
    }

    private static int checksum(long epoch, byte[] document) {
        var checksum = new CRC32C();
        checksum.update(ByteBuffer.allocate(Long.BYTES).putLong(epoch).flip());
        checksum.update(document);
        return (int) checksum.getValue();
    }

    private static ByteBuffer bytes(Entry entry) {
        var document = entry.text().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(HEADER_BYTES + document.length)
                .putLong(entry.epoch())
                .putInt(document.length)
                .putInt(checksum(entry.epoch(), document))
                .put(document)
                .flip();
    }

    /** Returns once it is on the disk; until then the newest one before it stays. One writer at a time. */
    void add(Entry entry) throws IOException {
        var bytes = bytes(entry);
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            var slotBytes = channel.size() / 2;
            if (bytes.remaining() <= slotBytes) {
                var newest = newest(channel);
                write(channel, newest != null && newest.position == 0 ? slotBytes : 0, bytes);
                channel.force(false);
                return;
            }
        } catch (NoSuchFileException e) {
            // It is begun below.
        }
        begin(entry);
    }

    /** Forgets all that were before. Returns once it is on the disk. */
    void begin(Entry entry) throws IOException {
        var bytes = bytes(entry);
        // Written as a whole, as what was only reserved would have to wait for the journal at its first use.
        var whole = ByteBuffer.allocate(2 * Math.max(LEAST_SLOT_BYTES, 2 * bytes.remaining()))
                .put(bytes)
                .rewind();
        Replacement.of(file, whole, true);
    }

    private static void write(FileChannel channel, long position, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            position += channel.write(bytes, position);
        }
    }
}
