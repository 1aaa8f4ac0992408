package dev.shardwright.router.executor;

import dev.shardwright.router.planner.Plan.Merge;
import dev.shardwright.router.planner.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes one stream of rows of several; pulls from the shards' streams as it needs rows. */
interface RowMerger {

    /** These answers can't be merged exactly; the message says why. */
    final class CannotMergeException extends RuntimeException {
        CannotMergeException(String message) {
            super(message);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    /** Definitions of the columns that the client sees. */
    List<byte[]> columns();

    /** The next row for the client, or null when none can be told yet, or any more. */
    byte @Nullable [] next();

    /** No further row will come. */
    boolean finished();

    static RowMerger of(Route.Several route, List<ShardStream> streams, boolean binary) {
        return switch (route.merge()) {
            case Merge.Concatenate _ -> new Concatenation(streams, route.limit());
            case Merge.Sort _, Merge.Aggregate _ ->
                throw new CannotMergeException("sorting and counting over several shards is not supported yet");
        };
    }
}
