package dev.shardwright.topology.vindex;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A vindex over one column. */
abstract class SingleColumn implements Vindex {

    @Override
    public final int columns() {
        return 1;
    }

    @Override
    public final byte @Nullable [] keyspaceId(List<@Nullable ShardKeyValue> values) {
        if (values.size() != 1) {
            throw new IllegalArgumentException("this vindex takes one value, not " + values.size());
        }
        return map(values.getFirst());
    }

    abstract byte @Nullable [] map(@Nullable ShardKeyValue value);
}
