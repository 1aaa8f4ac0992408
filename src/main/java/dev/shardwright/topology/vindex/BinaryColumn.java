package dev.shardwright.topology.vindex;

import java.math.BigInteger;

/**
 * BINARY and VARBINARY: bytes, compared as bytes.
 *
 * @param fixed BINARY, which pads with zero bytes to its length
 */
record BinaryColumn(String columnType, int length, boolean fixed) implements ShardKeyType {

    @Override
    public Conversion stored(BigInteger number) {
        return new Conversion.WouldBend(
                "a number does not go unchanged into " + columnType + ": give it as a string, '" + number + "'");
    }

    @Override
    public Conversion stored(byte[] text, String charset) {
        if (fits(text)) {
            return new Conversion.Stored(new ShardKeyValue.Bytes(text));
        }
        return new Conversion.WouldBend(
                text.length > length
                        ? text.length + " bytes do not fit into " + columnType
                        : columnType + " would be padded with zero bytes: give all " + length + " bytes, not "
                                + text.length);
    }

    @Override
    public Comparison equalTo(BigInteger number) {
        return new Comparison.Unknown("MySQL compares " + columnType + " with a number as numbers");
    }

    @Override
    public Comparison equalTo(byte[] text, String charset) {
        return fits(text) ? new Comparison.Only(new ShardKeyValue.Bytes(text)) : new Comparison.Nothing();
    }

    private boolean fits(byte[] text) {
        return fixed ? text.length == length : text.length <= length;
    }
}
