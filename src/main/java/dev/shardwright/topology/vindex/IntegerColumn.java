package dev.shardwright.topology.vindex;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/** TINYINT to BIGINT. */
record IntegerColumn(String columnType, BigInteger lowest, BigInteger highest) implements ShardKeyType {
    private static final Pattern PLAIN = Pattern.compile("0|-?[1-9][0-9]{0,18}|[1-9][0-9]{19}");

    /** Up to here a comparison is exact even where MySQL makes it in floating point. */
    private static final BigInteger EXACT_IN_DOUBLE = BigInteger.ONE.shiftLeft(53);

    IntegerColumn(String columnType, int bits, boolean unsigned) {
        this(
                columnType,
                unsigned ? BigInteger.ZERO : BigInteger.ONE.shiftLeft(bits - 1).negate(),
                BigInteger.ONE.shiftLeft(unsigned ? bits : bits - 1).subtract(BigInteger.ONE));
    }

    @Override
    public Conversion stored(BigInteger number) {
        return holds(number)
                ? new Conversion.Stored(new ShardKeyValue.Int(number))
                : new Conversion.WouldBend(
                        number + " is out of the range of " + columnType + ", " + lowest + " to " + highest);
    }

    @Override
    public Conversion stored(byte[] text, String charset) {
        return plain(text, charset)
                .map(this::stored)
                .orElseGet(() ->
                        new Conversion.WouldBend("a text that is not a plain whole number (such as 42 or -7) does not"
                                + " go unchanged into " + columnType));
    }

    @Override
    public Comparison equalTo(BigInteger number) {
        return holds(number) ? new Comparison.Only(new ShardKeyValue.Int(number)) : new Comparison.Nothing();
    }

    @Override
    public Comparison equalTo(byte[] text, String charset) {
        return plain(text, charset)
                .filter(number -> number.abs().compareTo(EXACT_IN_DOUBLE) <= 0)
                .map(this::equalTo)
                .orElseGet(
                        () -> new Comparison.Unknown("MySQL compares " + columnType + " with such a text as numbers"));
    }

    private boolean holds(BigInteger number) {
        return number.compareTo(lowest) >= 0 && number.compareTo(highest) <= 0;
    }

    private static Optional<BigInteger> plain(byte[] text, String charset) {
        // In UCS2, UTF16 and UTF32 these bytes would be other characters; a binary string (0x31) can be a number
        // itself.
        if (!Charsets.isAsciiBased(charset) || text.length > 20) {
            return Optional.empty();
        }
        var digits = new String(text, StandardCharsets.ISO_8859_1);
        return PLAIN.matcher(digits).matches() ? Optional.of(new BigInteger(digits)) : Optional.empty();
    }
}
