package dev.shardwright.mysql.binlog;

import java.math.BigDecimal;
import java.math.BigInteger;

/** DECIMALs in JSON documents. */
public final class JsonDecimal {
    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final int UNSIGNED_BITS = 64;
    /** So many digits every double keeps. */
    private static final int DOUBLE_DIGITS = 15;

    private JsonDecimal() {}

    /** Whether a document made of the number's text holds the same number, as a double or as an integer of 64 bits. */
    public static boolean isToldByText(BigDecimal number) {
        return isInteger(number) || number.precision() <= DOUBLE_DIGITS;
    }

    private static boolean isInteger(BigDecimal number) {
        var whole = number.unscaledValue();
        return number.scale() == 0
                && whole.compareTo(LEAST) >= 0
                && (whole.signum() < 0 || whole.bitLength() <= UNSIGNED_BITS);
    }
}
