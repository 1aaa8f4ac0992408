package dev.shardwright.router.executor;

import dev.shardwright.router.planner.Plan.Operand;
import dev.shardwright.router.planner.Route;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each of several shards is told for LIMIT's parameters: it returns its first offset + count rows. */
final class LimitParameters {
    private LimitParameters() {}

    /** By parameter; empty when LIMIT has none. */
    static Map<Integer, Long> of(Route.Several route) {
        var values = new HashMap<Integer, Long>();
        var limit = route.merge().limit();
        if (limit != null) {
            put(values, limit.offset(), 0);
            put(values, limit.count(), route.limit().forEachShard());
        }
        return values;
    }

    private static void put(Map<Integer, Long> values, @Nullable Operand operand, long value) {
        if (operand instanceof Operand.Parameter parameter) {
            values.put(parameter.index(), value);
        }
    }
}
