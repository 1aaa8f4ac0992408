package dev.shardwright.topology.vindex;

/** {@code reverse_bits}: the value with its bits in reverse order, so that growing ids spread over all shards. */
final class ReverseBitsVindex extends IntegerVindex {

    ReverseBitsVindex() {
        super(false);
    }

    @Override
    byte[] map(long bits) {
        return bigEndian(Long.reverse(bits));
    }
}
