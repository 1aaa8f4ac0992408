package dev.shardwright.topology.keyrange;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A range of the key space: {@code start} inclusive, {@code end} exclusive, both compared as unsigned
 * bytes; an empty end means open. Written as in {@code 40-80}, {@code -40}, {@code c0-}, {@code -}.
 */
public final class KeyRange {
    private static final Pattern TEXT = Pattern.compile("(?<start>([0-9a-f]{2}){0,4})-(?<end>([0-9a-f]{2}){0,4})");

    private final byte[] start;
    private final byte[] end;

    private KeyRange(byte[] start, byte[] end) {
        this.start = start;
        this.end = end;
    }

    /** Reads a range; IllegalArgumentException says what is wrong with the text and how to write it. */
    @JsonCreator
    public static KeyRange parse(String text) {
        var matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a key range: write whole bytes in lower-case hex,"
                    + " at most 4 on each side of the dash, such as 40-80, -40 or c0-");
        }
        return of(
                text,
                HexFormat.of().parseHex(matcher.group("start")),
                HexFormat.of().parseHex(matcher.group("end")));
    }

    private static KeyRange of(String text, byte[] start, byte[] end) {
        if (endsWithZero(start) || endsWithZero(end)) {
            throw new IllegalArgumentException(
                    "'" + text + "' has an end with trailing 00 bytes: leave them out, 40 and 4000 are the same place");
        }
        if (end.length > 0 && Arrays.compareUnsigned(start, end) >= 0) {
            throw new IllegalArgumentException("'" + text + "' is empty: its start must be below its end");
        }
        return new KeyRange(start, end);
    }

    private static boolean endsWithZero(byte[] bound) {
        return bound.length > 0 && bound[bound.length - 1] == 0;
    }

    public boolean contains(byte[] keyspaceId) {
        return Arrays.compareUnsigned(start, keyspaceId) <= 0
                && (end.length == 0 || Arrays.compareUnsigned(keyspaceId, end) < 0);
    }

    public boolean startsAtMinimum() {
        return start.length == 0;
    }

    public boolean endsAtMaximum() {
        return end.length == 0;
    }

    /** Whether {@code next} begins exactly where this range ends. */
    public boolean meets(KeyRange next) {
        return end.length > 0 && Arrays.equals(end, next.start);
    }

    public boolean startsWhere(KeyRange other) {
        return Arrays.equals(start, other.start);
    }

    public boolean endsWhere(KeyRange other) {
        return Arrays.equals(end, other.end);
    }

    public boolean overlaps(KeyRange other) {
        return (end.length == 0 || Arrays.compareUnsigned(other.start, end) < 0)
                && (other.end.length == 0 || Arrays.compareUnsigned(start, other.end) < 0);
    }

    public byte[] start() {
        return start.clone();
    }

    public byte[] end() {
        return end.clone();
    }

    /** The range as part of a Kubernetes name: {@code x} stands for an open end, as in {@code c0-x}. */
    public String inName() {
        return (start.length == 0 ? "x" : HexFormat.of().formatHex(start))
                + "-"
                + (end.length == 0 ? "x" : HexFormat.of().formatHex(end));
    }

    @JsonValue
    @Override
    public String toString() {
        return HexFormat.of().formatHex(start) + "-" + HexFormat.of().formatHex(end);
    }

    @Override
    public boolean equals(@org.jspecify.annotations.Nullable Object other) {
        return other instanceof KeyRange range && Arrays.equals(start, range.start) && Arrays.equals(end, range.end);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(start) + Arrays.hashCode(end);
    }
}
