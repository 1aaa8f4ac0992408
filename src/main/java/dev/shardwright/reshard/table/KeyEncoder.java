package dev.shardwright.reshard.table;

import dev.shardwright.mysql.binlog.ColumnKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts a key's values into bytes that sort as MySQL sorts the key: numbers with their sign bit turned,
 * text as the collation's weights (asked of MySQL, see {@link Weights}), the rest as it is; all bits turned
 * where the key's index goes downwards.
 */
public final class KeyEncoder {
    /** Types that a key column may have; others' order is not what their values here suggest. */
    public static final Set<ColumnKind> SUPPORTED = EnumSet.of(
            ColumnKind.INTEGER,
            ColumnKind.DECIMAL,
            ColumnKind.YEAR,
            ColumnKind.DATE,
            ColumnKind.TIME,
            ColumnKind.DATETIME,
            ColumnKind.TIMESTAMP,
            ColumnKind.CHAR,
            ColumnKind.TEXT,
            ColumnKind.BINARY,
            ColumnKind.BYTES,
            ColumnKind.ENUM);

    private static final int DECIMAL_BYTES = 32;

    private KeyEncoder() {}

    /** @param weights for each text column of the key its weight string, null for the others */
    public static Key encode(List<Column> columns, byte[][] values, byte[] @Nullable [] weights) {
        var out = new Bytes(16 * values.length);
        for (int i = 0; i < values.length; i++) {
            var column = columns.get(i);
            var part = column.isText() ? weights[i] : values[i];
            if (part == null) {
                throw new IllegalArgumentException("no weight for " + column.name());
            }
            put(column, part, 0, part.length, out);
        }
        return new Key(out.toArray());
    }

    /** Sorts before all keys whose first column, an integer, is {@code value} or more, and after all others. */
    public static Key before(Column first, BigInteger value) {
        var out = new Bytes(9);
        fixed(value, first.unsigned() ? 9 : 8, out);
        return new Key(out.toArray());
    }

    /**
     * Puts one column of a key behind those before it.
     *
     * @param part holds the column's value, of a text column its weight string
     */
    static void put(Column column, byte[] part, int from, int length, Bytes out) {
        var start = out.size();
        switch (column.kind()) {
            case INTEGER -> integer(column, part, from, length, out);
            case YEAR, ENUM -> fixed(new BigInteger(ascii(part, from, length)), 3, out);
            case DECIMAL ->
                fixed(
                        new BigDecimal(ascii(part, from, length))
                                .setScale(column.scale())
                                .unscaledValue(),
                        DECIMAL_BYTES,
                        out);
            case TIME -> fixed(BigInteger.valueOf(micros(ascii(part, from, length))), 8, out);
            // Always the same number of digits for one column.
            case DATE, DATETIME, TIMESTAMP -> out.put(part, from, length);
            case BINARY, BYTES, CHAR, TEXT -> terminated(part, from, length, out);
            default -> throw new IllegalArgumentException(column.kind() + " in a key");
        }
        if (column.descending()) {
            out.invert(start);
        }
    }

    private static void integer(Column column, byte[] digits, int from, int length, Bytes out) {
        // Unsigned numbers beyond a long's have the right bits all the same.
        var value = AsciiNumber.parse(digits, from, length);
        if (column.unsigned()) {
            out.put(0x80);
            out.putLong(value);
        } else {
            out.putLong(value ^ Long.MIN_VALUE);
        }
    }

    /** Two's complement, big-endian, with the sign bit turned. */
    private static void fixed(BigInteger value, int length, Bytes out) {
        var bytes = value.toByteArray();
        var start = out.size();
        for (int i = bytes.length; i < length; i++) {
            out.put(value.signum() < 0 ? 0xff : 0);
        }
        out.put(bytes, 0, bytes.length);
        out.array()[start] ^= (byte) 0x80;
    }

    /** So that a shorter value sorts before a longer one, whatever column follows. */
    private static void terminated(byte[] part, int from, int length, Bytes out) {
        var start = from;
        for (int i = from; i < from + length; i++) {
            if (part[i] == 0) {
                out.put(part, start, i + 1 - start);
                out.put(0xff);
                start = i + 1;
            }
        }
        out.put(part, start, from + length - start);
        out.put(0);
        out.put(0);
    }

    private static long micros(String time) {
        var negative = time.startsWith("-");
        var parts = (negative ? time.substring(1) : time).split("[:.]", -1);
        var seconds = (Long.parseLong(parts[0]) * 60 + Long.parseLong(parts[1])) * 60 + Long.parseLong(parts[2]);
        var fraction = parts.length < 4 ? 0 : Long.parseLong((parts[3] + "000000").substring(0, 6));
        var micros = seconds * 1_000_000 + fraction;
        return negative ? -micros : micros;
    }

    private static String ascii(byte[] part, int from, int length) {
        return new String(part, from, length, StandardCharsets.ISO_8859_1);
    }
}
