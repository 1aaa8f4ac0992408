package dev.shardwright.reshard.table;

import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * A row: one value for each column of its table, in the form of {@code ColumnKind}, packed (see {@link PackedValues}).
 * It may lie in memory that it shares with others. Not to be changed.
 */
public final class Row {
    private static final int OVERHEAD = 48;

    private final byte[] memory;
    private final int from;
    private final int to;

    /** @param values null is SQL NULL */
    public Row(byte[] @Nullable [] values) {
        long length = 0;
        for (var value : values) {
            length += PackedValues.packedLength(value);
        }
        memory = new byte[Math.toIntExact(length)];
        from = 0;
        to = memory.length;
        var at = 0;
        for (var value : values) {
            at = PackedValues.pack(value, memory, at);
        }
    }

    Row(byte[] memory, int from, int to) {
        this.memory = memory;
        this.from = from;
        this.to = to;
    }

    /** About what it takes of the heap. */
    public int bytes() {
        return OVERHEAD + to - from;
    }

    /** All values, unpacked; null is SQL NULL. */
    public byte[] @Nullable [] values() {
        var count = 0;
        var packed = packed();
        while (packed.end() < to) {
            packed.next();
            count++;
        }
        var values = new byte[count] @Nullable [];
        packed.restart(memory, from);
        for (int i = 0; i < count; i++) {
            packed.next();
            values[i] = packed.copy();
        }
        return values;
    }

    /** The value of one column, unpacked. */
    public byte @Nullable [] value(int column) {
        return at(column).copy();
    }

    /** At the value of one column. */
    PackedValues at(int column) {
        var packed = packed();
        for (int i = 0; i <= column; i++) {
            packed.next();
        }
        return packed;
    }

    /** Before the first value. */
    public PackedValues packed() {
        return new PackedValues(memory, from);
    }

    /** Adds the packed values. */
    void addTo(MessageDigest digest) {
        digest.update(memory, from, to - from);
    }

    /** Puts the packed values behind what is there. */
    void putInto(Bytes out) {
        out.put(memory, from, to - from);
    }
}
