package dev.shardwright.reshard.table;

import dev.shardwright.mysql.binlog.LargeValue;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Goes from value to value through packed ones, of which some may lie elsewhere. They are packed as in a row of the text protocol: 0xfb for SQL NULL,
 * else the value's length and its bytes; lengths are the protocol's length-encoded integers. Not thread-safe.
 */
public final class PackedValues {
    private static final int NULL = 0xfb;
    private static final int TWO = 0xfc;
    private static final int THREE = 0xfd;
    private static final int EIGHT = 0xfe;
    /** Not of the protocol: the value lies in a file, and its number follows in two bytes. */
    private static final int LARGE = 0xff;

    /** What stands before a value is no longer than that. */
    static final int MOST_LENGTH = 9;

    /** How many bytes {@link #packLarge} writes. */
    static final int LARGE_LENGTH = 3;

    static final @Nullable LargeValue[] NONE_LARGE = {};

    private byte[] memory;
    private final @Nullable LargeValue[] larges;
    private @Nullable LargeValue large;
    private int next;
    private int start;
    private int length;

    /** Before the first of the values that begin at {@code from}. */
    public PackedValues(byte[] memory, int from) {
        this(memory, from, NONE_LARGE);
    }

    /** @param larges those in a file, by their numbers */
    PackedValues(byte[] memory, int from, @Nullable LargeValue[] larges) {
        this.memory = memory;
        this.larges = larges;
        this.next = from;
    }

    /** Before the first of other values. */
    public void restart(byte[] newMemory, int from) {
        memory = newMemory;
        next = from;
    }

    /** Goes to the next value, of which there must be one. */
    public void next() {
        var first = memory[next++] & 0xff;
        large = null;
        if (first == LARGE) {
            large = larges[number(2)];
            start = next;
            length = Objects.requireNonNull(large).length();
            return;
        }
        length = switch (first) {
            case NULL -> -1;
            case TWO -> number(2);
            case THREE -> number(3);
            case EIGHT -> Math.toIntExact(eight());
            default -> first;
        };
        start = next;
        if (length > 0) {
            next += length;
        }
    }

    private int number(int bytes) {
        var number = 0;
        for (int i = 0; i < bytes; i++) {
            number |= (memory[next++] & 0xff) << 8 * i;
        }
        return number;
    }

    private long eight() {
        var low = number(4) & 0xffffffffL;
        return low | (long) number(4) << 32;
    }

    /** What the value lies in, unless it is in a file; not to be changed. */
    public byte[] memory() {
        return memory;
    }

    public boolean isNull() {
        return length < 0;
    }

    /** Where the value's bytes begin. */
    public int start() {
        return start;
    }

    /** In bytes; -1 for NULL. */
    public int length() {
        return length;
    }

    /** Where the next value begins. */
    public int end() {
        return next;
    }

    public byte @Nullable [] copy() {
        if (large != null) {
            return large.copy();
        }
        return length < 0 ? null : Arrays.copyOfRange(memory, start, start + length);
    }

    /** The value's bytes one after another, wherever it lies; of NULL none. */
    public InputStream stream() {
        return large != null ? large.stream() : new ByteArrayInputStream(memory, start, Math.max(0, length));
    }

    /** Whether the value is the same as another one in hand. */
    public boolean isSame(PackedValues other) {
        if (length != other.length) {
            return false;
        }
        if (large != null && other.large != null) {
            return large.isSame(other.large);
        }
        if (large != null || other.large != null) {
            return Arrays.equals(copy(), other.copy());
        }
        return length <= 0
                || Arrays.equals(memory, start, start + length, other.memory, other.start, other.start + length);
    }

    /** How many bytes {@link #pack} writes. */
    static int packedLength(byte @Nullable [] value) {
        if (value == null) {
            return 1;
        }
        return value.length + (value.length < NULL ? 1 : value.length < 1 << 16 ? 3 : value.length < 1 << 24 ? 4 : 9);
    }

    /** Writes the number of a value in a file at {@code at}; returns where the next one goes. */
    static int packLarge(int number, byte[] into, int at) {
        into[at] = (byte) LARGE;
        into[at + 1] = (byte) number;
        into[at + 2] = (byte) (number >>> 8);
        return at + LARGE_LENGTH;
    }

    /** Writes a value at {@code at}; returns where the next one goes. */
    static int pack(byte @Nullable [] value, byte[] into, int at) {
        if (value == null) {
            into[at] = (byte) NULL;
            return at + 1;
        }
        var header = packedLength(value) - value.length;
        if (header == 1) {
            into[at] = (byte) value.length;
        } else {
            into[at] = (byte) (header == 3 ? TWO : header == 4 ? THREE : EIGHT);
            for (int i = 1; i < header; i++) {
                into[at + i] = (byte) ((long) value.length >>> 8 * (i - 1));
            }
        }
        System.arraycopy(value, 0, into, at + header, value.length);
        return at + header + value.length;
    }
}
