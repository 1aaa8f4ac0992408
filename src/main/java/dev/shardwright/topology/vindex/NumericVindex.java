package dev.shardwright.topology.vindex;

/** {@code numeric}: the big-endian value itself; neighbours stay together, so growing ids all go to one shard. */
final class NumericVindex extends IntegerVindex {

    NumericVindex() {
        super(false);
    }

    @Override
    byte[] map(long bits) {
        return bigEndian(bits);
    }
}
