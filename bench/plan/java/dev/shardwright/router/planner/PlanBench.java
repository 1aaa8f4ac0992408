package dev.shardwright.router.planner;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the router itself does for each statement that it knows: scan, find the plan, read the shard key, choose the shard. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class PlanBench {
    private static final String KEYED = "SELECT id, author, body FROM messages WHERE channel_id = %s AND id = %s";
    private static final String LATEST = "SELECT id, author, body FROM messages WHERE channel_id = %s ORDER BY id DESC LIMIT 20";
    private static final String INSERT = "INSERT INTO messages (channel_id, id, author, body) VALUES (%s, %s, %s, %s)";
    private static final String EDIT = "UPDATE messages SET body = %3$s WHERE channel_id = %1$s AND id = %2$s";
    private static final String TEXT = "'an inserted message body of a few dozen bytes'";

    @Param({"point", "latest", "insert", "edit"})
    public String statement = "point";

    @Param({"text", "prepared"})
    public String protocol = "text";

    private final ShardMap map = ShardMap.of(Planners.fourShards());
    private final StatementPlanner planner = Planners.planner(map.topology());
    private byte[][] texts = {};
    private StatementContext context = Planners.TEXT;
    private int next;

    @Setup
    public void plan() {
        boolean prepared = protocol.equals("prepared");
        context = prepared ? Planners.PREPARED : Planners.TEXT;
        texts = new byte[64][];
        for (int i = 0; i < texts.length; i++) {
            var sql = prepared ? text("?", "?", "?") : text("" + (7919L * i + 1), "" + (1_000_003L * i), TEXT);
            texts[i] = sql.getBytes(StandardCharsets.UTF_8);
        }
        if (!(RoutePlanner.route(planner.plan(texts[0], context), context, this::parameter, map) instanceof Route.One)) {
            throw new IllegalStateException("this statement must go to one shard");
        }
    }

    private String text(String channel, String id, String body) {
        return switch (statement) {
            case "point" -> KEYED.formatted(channel, id);
            case "latest" -> LATEST.formatted(channel);
            case "insert" -> INSERT.formatted(channel, id, body.equals("?") ? "?" : "'user7'", body);
            default -> EDIT.formatted(channel, id, body);
        };
    }

    private SqlValue parameter(int index) {
        return SqlValue.Int.of(7919L * next + index);
    }

    @Benchmark
    public Route scanPlanAndRoute() {
        next = (next + 1) % texts.length;
        var planned = planner.cached(texts[next], context);
        if (planned == null) {
            throw new IllegalStateException("the plan must be known");
        }
        return RoutePlanner.route(planned, context, this::parameter, map);
    }
}
