package dev.shardwright.topology.vindex;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A vindex over 64-bit integers; NULL and values that are no integers map to no shard. */
abstract class IntegerVindex extends SingleColumn {
    private static final BigInteger LOWEST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger BEYOND_HIGHEST = BigInteger.ONE.shiftLeft(64);

    private final boolean negatives;

    /** @param negatives whether negative values map too, as two's complement */
    IntegerVindex(boolean negatives) {
        this.negatives = negatives;
    }

    @Override
    final byte @Nullable [] map(@Nullable ShardKeyValue value) {
        if (!(value instanceof ShardKeyValue.Int(BigInteger number))) {
            return null;
        }
        if (number.compareTo(negatives ? LOWEST : BigInteger.ZERO) < 0 || number.compareTo(BEYOND_HIGHEST) >= 0) {
            return null;
        }
        return map(number.longValue());
    }

    /** @param bits an unsigned 64-bit number */
    abstract byte[] map(long bits);

    static byte[] bigEndian(long bits) {
        return ByteBuffer.allocate(Long.BYTES).putLong(bits).array();
    }
}
