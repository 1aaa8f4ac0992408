package dev.shardwright.reshard.table;

import dev.shardwright.mysql.binlog.ColumnKind;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
        var out = new ByteArrayOutputStream(16 * values.length);
        for (int i = 0; i < values.length; i++) {
            part(out, columns.get(i), values[i], weights[i]);
        }
        return new Key(out.toByteArray());
    }

    /** Sorts before all keys whose first column, an integer, is {@code value} or more, and after all others. */
    public static Key before(Column first, BigInteger value) {
        return new Key(integer(first, value));
    }

    private static void part(ByteArrayOutputStream out, Column column, byte[] value, byte @Nullable [] weight) {
        if (!column.descending()) {
            upwards(out, column, value, weight);
            return;
        }
        var upwards = new ByteArrayOutputStream();
        upwards(upwards, column, value, weight);
        for (var b : upwards.toByteArray()) {
            out.write(~b);
        }
    }

    private static void upwards(ByteArrayOutputStream out, Column column, byte[] value, byte @Nullable [] weight) {
        switch (column.kind()) {
            case INTEGER -> out.writeBytes(integer(column, new BigInteger(ascii(value))));
            case YEAR, ENUM -> out.writeBytes(fixed(new BigInteger(ascii(value)), 3));
            case DECIMAL ->
                out.writeBytes(fixed(
                        new BigDecimal(ascii(value)).setScale(column.scale()).unscaledValue(), DECIMAL_BYTES));
            case TIME -> out.writeBytes(fixed(BigInteger.valueOf(micros(ascii(value))), 8));
            // Always the same number of digits for one column.
            case DATE, DATETIME, TIMESTAMP -> out.writeBytes(value);
            case BINARY, BYTES -> terminated(out, value);
            case CHAR, TEXT -> {
                if (weight == null) {
                    throw new IllegalArgumentException("no weight for " + column.name());
                }
                terminated(out, weight);
            }
            default -> throw new IllegalArgumentException(column.kind() + " in a key");
        }
    }

    private static byte[] integer(Column column, BigInteger value) {
        return fixed(value, column.unsigned() ? 9 : 8);
    }

    /** Two's complement, big-endian, with the sign bit turned. */
    private static byte[] fixed(BigInteger value, int length) {
        var bytes = value.toByteArray();
        var result = new byte[length];
        Arrays.fill(result, (byte) (value.signum() < 0 ? 0xff : 0));
        System.arraycopy(bytes, 0, result, length - bytes.length, bytes.length);
        result[0] ^= (byte) 0x80;
        return result;
    }

    /** So that a shorter value sorts before a longer one, whatever column follows. */
    private static void terminated(ByteArrayOutputStream out, byte[] value) {
        for (var b : value) {
            out.write(b);
            if (b == 0) {
                out.write(0xff);
            }
        }
        out.write(0);
        out.write(0);
    }

    private static long micros(String time) {
        var negative = time.startsWith("-");
        var parts = (negative ? time.substring(1) : time).split("[:.]", -1);
        var seconds = (Long.parseLong(parts[0]) * 60 + Long.parseLong(parts[1])) * 60 + Long.parseLong(parts[2]);
        var fraction = parts.length < 4 ? 0 : Long.parseLong((parts[3] + "000000").substring(0, 6));
        var micros = seconds * 1_000_000 + fraction;
        return negative ? -micros : micros;
    }

    private static String ascii(byte[] value) {
        return new String(value, StandardCharsets.ISO_8859_1);
    }
}
