package dev.shardwright.topology.vindex;

import java.math.BigInteger;

/**
 * CHAR and VARCHAR in a collation under which equal means equal bytes.
 *
 * @param length in characters
 * @param fixed CHAR, which loses trailing spaces
 */
record TextColumn(String columnType, String collation, int length, boolean fixed) implements ShardKeyType {
    /** The only such collation: the other _bin ones pad, so that 'a' = 'a ' although the bytes differ. */
    static final String COLLATION = "utf8mb4_0900_bin";

    @Override
    public Conversion stored(BigInteger number) {
        return new Conversion.WouldBend(
                "a number does not go unchanged into " + columnType + ": give it as a string, '" + number + "'");
    }

    @Override
    public Conversion stored(byte[] text, String charset) {
        if (!Charsets.isUtf8mb4(text, charset)) {
            return new Conversion.WouldBend("this text is not valid in utf8mb4, or is in character set " + charset
                    + ", which MySQL would convert: use utf8mb4 on the connection");
        }
        int characters = Charsets.characters(text);
        if (characters > length) {
            return new Conversion.WouldBend(characters + " characters do not fit into " + columnType);
        }
        if (losesSpaces(text)) {
            return new Conversion.WouldBend(columnType + " would lose the spaces at the end");
        }
        return new Conversion.Stored(new ShardKeyValue.Bytes(text));
    }

    @Override
    public Comparison equalTo(BigInteger number) {
        return new Comparison.Unknown("MySQL compares " + columnType + " with a number as numbers");
    }

    @Override
    public Comparison equalTo(byte[] text, String charset) {
        if (!Charsets.isUtf8mb4(text, charset)) {
            return new Comparison.Unknown("MySQL converts a text in character set " + charset + " before it compares");
        }
        return Charsets.characters(text) > length || losesSpaces(text)
                ? new Comparison.Nothing()
                : new Comparison.Only(new ShardKeyValue.Bytes(text));
    }

    private boolean losesSpaces(byte[] text) {
        return fixed && text.length > 0 && text[text.length - 1] == ' ';
    }
}
