package dev.shardwright.router.planner.scan;

import java.util.Arrays;

/** A growing run of bytes. */
final class Bytes {
    private byte[] buffer;
    private int length;

    Bytes(int capacity) {
        buffer = new byte[Math.max(16, capacity)];
    }

    void add(byte value) {
        if (length == buffer.length) {
            buffer = Arrays.copyOf(buffer, length * 2);
        }
        buffer[length++] = value;
    }

    void add(byte[] from, int start, int end) {
        var size = end - start;
        if (length + size > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + size));
        }
        System.arraycopy(from, start, buffer, length, size);
        length += size;
    }

    int length() {
        return length;
    }

    byte[] toArray() {
        return Arrays.copyOf(buffer, length);
    }
}
