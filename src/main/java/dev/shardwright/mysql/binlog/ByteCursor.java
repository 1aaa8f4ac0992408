package dev.shardwright.mysql.binlog;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads an event's body; MySQL's integers are little-endian, those inside of dates and decimals big-endian. */
final class ByteCursor {
    private final byte[] bytes;
    private final int end;
    private int position;

    ByteCursor(byte[] bytes, int position, int end) {
        this.bytes = bytes;
        this.position = position;
        this.end = end;
    }

    boolean hasMore() {
        return position < end;
    }

    int position() {
        return position;
    }

    int u8() {
        return bytes[take(1)] & 0xff;
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

    private int take(int length) {
        if (length < 0 || length > end - position) {
            throw new IllegalArgumentException(
                    "the event is shorter than it says: " + length + " bytes wanted at " + position + " of " + end);
        }
        var at = position;
        position += length;
        return at;
    }
}
