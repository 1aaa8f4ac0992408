package dev.shardwright.mysql.binlog;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * A value of many bytes that lies in a file, so that it is never in memory as a whole. Good until its {@link RowLog} is closed.
 * Thread-safe.
 *
 * @param start of its first byte in the file
 * @param length in bytes
 */
public record LargeValue(FileChannel file, long start, int length) {
    /** Values of fewer bytes are in memory in any case. */
    public static final int LEAST_BYTES = 1 << 20;

    private static final int PIECE = 64 << 10;

    /** Its bytes, read as they are asked for. */
    public InputStream stream() {
        return new PieceInput() {
            private int at;

            @Override
            public int read(byte[] into, int from, int count) throws IOException {
                if (count == 0) {
                    return 0;
                }
                if (at == length) {
                    return -1;
                }
                // A longer read would take as much memory beside the heap.
                var piece = Math.min(Math.min(count, length - at), PIECE);
                var read = file.read(ByteBuffer.wrap(into, from, piece), start + at);
                if (read < 0) {
                    throw new EOFException("a file of rows is shorter than it was");
                }
                at += read;
                return read;
            }
        };
    }

    /** All of it in memory. */
    public byte[] copy() {
        try (var in = stream()) {
            var bytes = new byte[length];
            in.readNBytes(bytes, 0, length);
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the other one has the same bytes. */
    public boolean isSame(LargeValue other) {
        if (length != other.length) {
            return false;
        }
        var here = new byte[PIECE];
        var there = new byte[PIECE];
        try (var one = stream();
                var two = other.stream()) {
            for (int left = length; left > 0; left -= PIECE) {
                var piece = Math.min(left, PIECE);
                one.readNBytes(here, 0, piece);
                two.readNBytes(there, 0, piece);
                if (!Arrays.equals(here, 0, piece, there, 0, piece)) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
