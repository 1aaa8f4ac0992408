package dev.shardwright.reshard.table;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes that others are put behind. Not thread-safe. */
final class Bytes {
    /** Beside a row of many MiB nothing of that size may lie empty. */
    private static final int MAX_GROWTH = 1 << 20;
    /** So that a key fits behind such a row. */
    private static final int SLACK = 1 << 10;

    private byte[] array;
    private int size;

    Bytes(int capacity) {
        array = new byte[capacity];
    }

    /** Those that are there already; more must not be put behind them than fit. */
    Bytes(byte[] array, int size) {
        this.array = array;
        this.size = size;
    }

    int size() {
        return size;
    }

    /** What it writes to: the first {@link #size} bytes count, and a later put may replace the array. */
    byte[] array() {
        return array;
    }

    byte[] toArray() {
        return Arrays.copyOf(array, size);
    }

    /** Forgets all but the first bytes. */
    void cut(int newSize) {
        size = newSize;
    }

    void put(int b) {
        reserve(1);
        array[size++] = (byte) b;
    }

    void put(byte[] from, int start, int length) {
        reserve(length);
        System.arraycopy(from, start, array, size, length);
        size += length;
    }

    /** Eight bytes, the highest first. */
    void putLong(long value) {
        reserve(Long.BYTES);
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            array[size++] = (byte) (value >>> shift);
        }
    }

    /** A value as {@link PackedValues} reads it. */
    void putPacked(byte @Nullable [] value) {
        reserve(PackedValues.packedLength(value));
        size = PackedValues.pack(value, array, size);
    }

    /** Turns all bits from {@code start} on. */
    void invert(int start) {
        for (int i = start; i < size; i++) {
            array[i] = (byte) ~array[i];
        }
    }

    private void reserve(int more) {
        var needed = Math.addExact(size, more);
        if (needed > array.length) {
            var grown = array.length + Math.min(array.length, MAX_GROWTH);
            array = Arrays.copyOf(array, Math.max(grown, Math.addExact(needed, SLACK)));
        }
    }
}
