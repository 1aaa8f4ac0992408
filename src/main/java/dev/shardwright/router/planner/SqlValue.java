package dev.shardwright.router.planner;

import java.math.BigInteger;

/** A literal's or a parameter's value, as far as routing needs to know it. */
public sealed interface SqlValue {

    record Null() implements SqlValue {}

    record Int(BigInteger value) implements SqlValue {
        public static Int of(long value) {
            return new Int(BigInteger.valueOf(value));
        }
    }

    /** A character string: its bytes after unescaping, in this character set (lower case). */
    record Text(byte[] bytes, String charset) implements SqlValue {}

    /** A binary string. */
    record Binary(byte[] bytes) implements SqlValue {}

    /** A value of a type that no shard key has: a decimal, a floating-point number, a date ... */
    record Other(String type) implements SqlValue {}
}
