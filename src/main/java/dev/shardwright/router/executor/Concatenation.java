package dev.shardwright.router.executor;

import dev.shardwright.router.planner.RowLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One shard's rows after another's, as they come. */
final class Concatenation implements RowMerger {
    private final List<ShardStream> streams;
    private long toSkip;
    private long left;

    Concatenation(List<ShardStream> streams, RowLimit limit) {
        this.streams = streams;
        this.toSkip = limit.offset();
        this.left = limit.count();
    }

    @Override
    public List<byte[]> columns() {
        var columns = streams.getFirst().columns();
        return columns == null ? List.of() : columns;
    }

    @Override
    public byte @Nullable [] next() {
        while (left > 0) {
            var row = poll();
            if (row == null) {
                return null;
            }
            if (toSkip > 0) {
                toSkip--;
            } else {
                left--;
                return row;
            }
        }
        return null;
    }

    private byte @Nullable [] poll() {
        for (var stream : streams) {
            var row = stream.poll();
            if (row != null) {
                return row;
            }
        }
        return null;
    }

    @Override
    public boolean finished() {
        return left == 0 || streams.stream().allMatch(stream -> stream.hasEnded() && stream.isEmpty());
    }
}
