package dev.shardwright.topology.vindex;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** A shard-key value exactly as MySQL stores it in the declared column. */
public sealed interface ShardKeyValue {

    /** A value of an integer column, -2^63 to 2^64-1. */
    record Int(BigInteger value) implements ShardKeyValue {
        public static Int of(long value) {
            return new Int(BigInteger.valueOf(value));
        }

        @Override
        public byte[] bytes() {
            // A long's digits cost a fraction of a BigInteger's.
            var digits = value.bitLength() < Long.SIZE ? Long.toString(value.longValue()) : value.toString();
            return digits.getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** A value of a binary or text column, in the column's own bytes (utf8mb4 for text). */
    record Bytes(byte[] bytes) implements ShardKeyValue {}

    /** What byte vindexes hash: an integer's decimal text, or the bytes themselves. */
    byte[] bytes();
}
