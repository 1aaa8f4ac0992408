package dev.shardwright.mysql.binlog;

import java.math.BigInteger;

/** MySQL's packed DECIMAL: groups of nine digits in four bytes, big-endian, inverted when negative, top bit flipped. */
final class PackedDecimal {
    private static final int[] BYTES = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    private static final int GROUP = 9;

    private PackedDecimal() {}

    static String read(ByteCursor in, int precision, int scale) {
        var whole = precision - scale;
        var length = size(whole) + size(scale);
        var bytes = in.bytes(length);
        var negative = (bytes[0] & 0x80) == 0;
        bytes[0] ^= (byte) 0x80;
        if (negative) {
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) ~bytes[i];
            }
        }
        var digits = new ByteCursor(bytes, 0, length);
        var integral = wholeDigits(digits, whole);
        var text = (negative ? "-" : "") + new BigInteger(integral);
        return scale == 0 ? text : text + "." + fraction(digits, scale);
    }

    private static int size(int digits) {
        return digits / GROUP * 4 + BYTES[digits % GROUP];
    }

    /** The short group comes first. */
    private static String wholeDigits(ByteCursor in, int digits) {
        var text = new StringBuilder("0");
        group(in, digits % GROUP, text);
        for (int i = 0; i < digits / GROUP; i++) {
            group(in, GROUP, text);
        }
        return text.toString();
    }

    /** The short group comes last. */
    private static String fraction(ByteCursor in, int digits) {
        var text = new StringBuilder();
        for (int i = 0; i < digits / GROUP; i++) {
            group(in, GROUP, text);
        }
        group(in, digits % GROUP, text);
        return text.toString();
    }

    private static void group(ByteCursor in, int digits, StringBuilder text) {
        if (digits > 0) {
            var value = Long.toString(in.big(BYTES[digits]));
            text.repeat('0', Math.max(0, digits - value.length())).append(value);
        }
    }
}
