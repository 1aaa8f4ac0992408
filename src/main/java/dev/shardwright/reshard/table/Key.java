package dev.shardwright.reshard.table;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A primary key's place in MySQL's order: keys of one table compare as unsigned bytes. Equal keys are equal for MySQL. */
public final class Key implements Comparable<Key> {
    private final byte[] bytes;

    public Key(byte[] bytes) {
        this.bytes = bytes;
    }

    public int length() {
        return bytes.length;
    }

    byte[] bytes() {
        return bytes;
    }

    /** As {@code compareTo}, the other way round, with a key whose bytes are these. */
    int compareWith(byte[] memory, int from, int to) {
        return Arrays.compareUnsigned(memory, from, to, bytes, 0, bytes.length);
    }

    @Override
    public int compareTo(Key other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Key key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
