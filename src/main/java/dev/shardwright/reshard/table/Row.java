package dev.shardwright.reshard.table;

import dev.shardwright.mysql.binlog.LargeValue;
import dev.shardwright.mysql.binlog.RowImage;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * A row: one value for each column of its table, in the form of {@code ColumnKind}, packed (see {@link PackedValues}).
 * It may lie in memory that it shares with others, and large values in a file, where they are good for as long as its transaction's
 * {@code RowLog} is open. Not to be changed.
 */
public final class Row {
    private static final int OVERHEAD = 48;

    private final byte[] memory;
    private final int from;
    private final int to;
    private final @Nullable LargeValue[] larges;

    /** @param values null is SQL NULL */
    public Row(byte[] @Nullable [] values) {
        this(values, PackedValues.NONE_LARGE);
    }

    /** A row of the binary log. */
    public Row(RowImage image) {
        this(image.values(), image.large() == null ? PackedValues.NONE_LARGE : image.large());
    }

    private Row(byte[] @Nullable [] values, @Nullable LargeValue[] larges) {
        this.larges = larges;
        long length = 0;
        for (int i = 0; i < values.length; i++) {
            length += isLarge(i) ? PackedValues.LARGE_LENGTH : PackedValues.packedLength(values[i]);
        }
        memory = new byte[Math.toIntExact(length)];
        from = 0;
        to = memory.length;
        var at = 0;
        for (int i = 0; i < values.length; i++) {
            at = isLarge(i) ? PackedValues.packLarge(i, memory, at) : PackedValues.pack(values[i], memory, at);
        }
    }

    private boolean isLarge(int column) {
        return larges.length > 0 && larges[column] != null;
    }

    Row(byte[] memory, int from, int to) {
        this.memory = memory;
        this.from = from;
        this.to = to;
        this.larges = PackedValues.NONE_LARGE;
    }

    /** About what it takes of the heap, or would if it were there as a whole. */
    public long bytes() {
        long bytes = OVERHEAD + to - from;
        for (var large : larges) {
            bytes += large == null ? 0 : large.length();
        }
        return bytes;
    }

    /** The same row without values in a file. */
    public Row inMemory() {
        return larges.length == 0 ? this : new Row(values());
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
        return new PackedValues(memory, from, larges);
    }

    /** Adds the packed values, which are in memory. */
    void addTo(MessageDigest digest) {
        digest.update(memory, from, to - from);
    }

    /** Puts the packed values, which are in memory, behind what is there. */
    void putInto(Bytes out) {
        out.put(memory, from, to - from);
    }
}
