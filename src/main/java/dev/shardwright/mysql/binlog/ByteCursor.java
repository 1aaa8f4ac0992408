package dev.shardwright.mysql.binlog;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads an event's body, from memory or piece by piece from a file; MySQL's integers are little-endian, those inside of dates and
 * decimals big-endian.
 */
final class ByteCursor {
    private static final int PIECE = 64 << 10;

    private byte[] bytes;
    private int end;
    private int position;
    /** What follows the bytes in hand; null: nothing. */
    private @Nullable LargeValue following;

    ByteCursor(byte[] bytes, int position, int end) {
        this.bytes = bytes;
        this.position = position;
        this.end = end;
    }

    ByteCursor(LargeValue body) {
        this(new byte[0], 0, 0);
        this.following = body;
    }

    boolean hasMore() {
        return position < end || following != null && following.length() > 0;
    }

    int position() {
        return position;
    }

    int u8() {
        // The bytes in hand may become others.
        var at = take(1);
        return bytes[at] & 0xff;
    }

    long little(int length) {
        var at = take(length);
        long value = 0;
        for (int i = length - 1; i >= 0; i--) {
            value = value << 8 | (bytes[at + i] & 0xff);
        }
        return value;
    }

    long big(int length) {
        var at = take(length);
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = value << 8 | (bytes[at + i] & 0xff);
        }
        return value;
    }

    byte[] bytes(long length) {
        var at = take(Math.toIntExact(length));
        return Arrays.copyOfRange(bytes, at, at + (int) length);
    }

    /** A length-encoded integer. */
    long packed() {
        var first = u8();
        return switch (first) {
            case 252 -> little(2);
            case 253 -> little(3);
            case 254 -> little(8);
            default -> first;
        };
    }

    String text(int length) {
        var at = take(length);
        return new String(bytes, at, length, StandardCharsets.UTF_8);
    }

    void skip(int length) {
        take(length);
    }

    /**
     * The value that comes next, behind its length of so many bytes, if it lies in a file and has {@link LargeValue#LEAST_BYTES};
     * else null, and nothing is taken.
     */
    @Nullable
    LargeValue large(int lengthBytes) {
        if (following == null) {
            return null;
        }
        var at = take(lengthBytes);
        position = at;
        var length = little(lengthBytes);
        var here = end - position;
        if (length < LargeValue.LEAST_BYTES || length > here + (long) following.length()) {
            position = at;
            return null;
        }
        var value = new LargeValue(following.file(), following.start() - here, (int) length);
        following = after(following, (int) length - here);
        position = end;
        return value;
    }

    private static LargeValue after(LargeValue body, int bytes) {
        return new LargeValue(body.file(), body.start() + bytes, body.length() - bytes);
    }

    /** Gets at least so many bytes into hand if there are as many. */
    private void load(LargeValue body, int length) {
        var here = end - position;
        var piece = Math.min(Math.max(length - here, PIECE), body.length());
        var loaded = Arrays.copyOf(Arrays.copyOfRange(bytes, position, end), here + piece);
        System.arraycopy(new LargeValue(body.file(), body.start(), piece).copy(), 0, loaded, here, piece);
        following = after(body, piece);
        bytes = loaded;
        position = 0;
        end = loaded.length;
    }

    private int take(int length) {
        if (following != null && length > end - position) {
            load(following, length);
        }
        if (length < 0 || length > end - position) {
            throw new IllegalArgumentException(
                    "the event is shorter than it says: " + length + " bytes wanted at " + position + " of " + end);
        }
        var at = position;
        position += length;
        return at;
    }
}
