package dev.shardwright.topology.vindex;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A vindex over the value's bytes; NULL maps like no bytes at all, so rows with NULL have a place too. */
final class ByteVindex extends SingleColumn {
    private static final byte[] NONE = {};

    private final UnaryOperator<byte[]> function;

    ByteVindex(UnaryOperator<byte[]> function) {
        this.function = function;
    }

    @Override
    byte[] map(@Nullable ShardKeyValue value) {
        return function.apply(value == null ? NONE : value.bytes());
    }
}
