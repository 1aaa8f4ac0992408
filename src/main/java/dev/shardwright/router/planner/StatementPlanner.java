package dev.shardwright.router.planner;

import dev.shardwright.router.planner.parse.ParsedStatement;
import dev.shardwright.router.planner.parse.StatementParser;
import dev.shardwright.router.planner.parse.SyntaxException;
import dev.shardwright.router.planner.scan.Scan;
import dev.shardwright.router.planner.scan.SqlModes;
import dev.shardwright.router.planner.scan.StatementScanner;
import dev.shardwright.router.planner.scan.TamedText;
import dev.shardwright.topology.model.Topology;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Plans statements, and remembers the plans. Made for one keyspace, one vschema and for one shard or
 * several: a topology that differs in these gets a planner of its own, so a plan never outlives them.
 * Thread-safe.
 */
public final class StatementPlanner {
    /** Those in which no byte of a longer character is an ASCII byte. */
    private static final Set<String> PLAIN_CHARSETS = Set.of("utf8mb4", "utf8mb3", "utf8", "latin1", "ascii", "binary");

    /**
     * What a parser may have to read, in bytes without literals: it makes up to a thousand bytes out of each, and this
     * keeps it within a quarter of the heap.
     */
    private static final int LARGEST = (int) Math.clamp(Runtime.getRuntime().maxMemory() >> 12, 1 << 14, 1 << 20);

    /** Texts that are longer than this are parsed one at a time in all of a process. */
    private static final int LARGE = LARGEST / 16;

    private static final Lock LARGE_TURN = new ReentrantLock();

    private static final List<String> WARM_UP = List.of(
            "SELECT a, b FROM t WHERE a = ? AND b IN (1, 'x') ORDER BY c DESC LIMIT 10",
            "SELECT COUNT(*) FROM t JOIN u ON t.a = u.a WHERE t.b > 5",
            "INSERT INTO t (a, b) VALUES (?, ?), (1, 'x')",
            "UPDATE t SET a = a + 1 WHERE b = ?",
            "DELETE FROM t WHERE a = ?",
            "SET autocommit = 1",
            "BEGIN",
            "COMMIT");

    private final PlanningSchema schema;
    private final PlanCache cache;

    private StatementPlanner(PlanningSchema schema, long capacity) {
        this.schema = schema;
        this.cache = new PlanCache(capacity);
    }

    /**
     * The planner for this topology: one of {@code earlier} when its plans still hold.
     *
     * @param capacity of the plan cache, in bytes
     */
    public static StatementPlanner forTopology(Topology topology, List<StatementPlanner> earlier, long capacity) {
        return forShards(topology, topology.shards().size() == 1, earlier, capacity);
    }

    /** As {@link #forTopology}, for when the keyspace has one shard instead of several, or several instead of one. */
    public static StatementPlanner forOtherShards(Topology topology, List<StatementPlanner> earlier, long capacity) {
        return forShards(topology, topology.shards().size() != 1, earlier, capacity);
    }

    private static StatementPlanner forShards(
            Topology topology, boolean oneShard, List<StatementPlanner> earlier, long capacity) {
        var schema = new PlanningSchema(topology.keyspace(), topology.vschema(), oneShard);
        return earlier.stream()
                .filter(planner -> planner.schema.plansLike(schema))
                .findFirst()
                .orElseGet(() -> new StatementPlanner(schema, capacity));
    }

    /**
     * A remembered plan; quick enough for an event loop. Null when there is none: call {@link #plan} on
     * another thread.
     *
     * @param statement the text's bytes; kept by the result, must not be changed afterwards
     */
    public @Nullable Planned cached(byte[] statement, StatementContext context) {
        if (!reads(context)) {
            return null;
        }
        var scan = StatementScanner.scan(statement, context.modes());
        if (scan.problem() != null || scan.next() >= 0) {
            return null;
        }
        var entry = cache.get(new PlanCache.Key(scan.fingerprint(), context));
        return entry == null ? null : new Planned(entry.plan, scan, entry.use);
    }

    /** Plans a statement; parses it, so it takes from microseconds to milliseconds. Never throws. */
    public Planned plan(byte[] statement, StatementContext context) {
        var tamed = new TamedText(statement);
        var scan = StatementScanner.scan(statement, context.modes(), tamed);
        var problem = problem(scan, context);
        if (problem == null && tamed.size() > LARGEST) {
            problem = Refusal.tooLong(tamed.size(), LARGEST);
        }
        if (problem != null) {
            return unread(scan, problem);
        }
        var planned = tamed.size() > LARGE ? inTurn(scan, tamed, context) : parsed(scan, tamed, context);
        if (planned.connectionIds().isEmpty()) {
            cache.put(new PlanCache.Key(scan.fingerprint(), context), new PlanCache.Entry(planned));
        }
        return planned;
    }

    /** Plans a few ordinary statements: the first parse in a process takes as long as a thousand later ones. */
    public void warmUp() {
        var context = new StatementContext(schema.keyspace(), "utf8mb4", SqlModes.DEFAULT, true);
        for (var sql : WARM_UP) {
            plan(sql.getBytes(StandardCharsets.US_ASCII), context);
        }
    }

    /** Whether statements in this character set can be read at all. */
    public static boolean reads(StatementContext context) {
        return PLAIN_CHARSETS.contains(context.charset());
    }

    private static @Nullable Refusal problem(Scan scan, StatementContext context) {
        if (!reads(context)) {
            return Refusal.unsupported(
                    "the character set " + context.charset() + " for statements", "SET NAMES utf8mb4");
        }
        if (scan.problem() != null) {
            return Refusal.syntax(scan.problem());
        }
        if (scan.next() >= 0) {
            return Refusal.syntax("several statements in one text, which need the option for multiple statements"
                    + " (allowMultiQueries, CLIENT_MULTI_STATEMENTS) and can't be prepared");
        }
        if (!context.prepared() && scan.parameters() > 0) {
            return Refusal.syntax("near '?'");
        }
        return null;
    }

    private Planned unread(Scan scan, Refusal refusal) {
        return schema.oneShard() ? OneShard.unread(scan) : Planned.of(refusal.plan(), scan);
    }

    private Planned inTurn(Scan scan, TamedText tamed, StatementContext context) {
        LARGE_TURN.lock();
        try {
            return parsed(scan, tamed, context);
        } finally {
            LARGE_TURN.unlock();
        }
    }

    private Planned parsed(Scan scan, TamedText tamed, StatementContext context) {
        try {
            if (!context.charset().startsWith("utf8") && tamed.hasHighBytes()) {
                throw new SyntaxException(
                        "a name with other than ASCII characters in character set " + context.charset());
            }
            var statement = StatementParser.parse(scan, tamed, context.modes());
            return planned(statement, context);
        } catch (SyntaxException e) {
            return unread(scan, Refusal.syntax(e.where()));
        } catch (StackOverflowError e) {
            return unread(scan, Refusal.syntax("an expression that is nested too deeply: use IN or fewer parentheses"));
        } catch (Refusal refusal) {
            return Planned.of(refusal.plan(), scan);
        }
    }

    private Planned planned(ParsedStatement statement, StatementContext context) {
        var planning = new Planning(schema, context, statement, Features.of(statement.tree()));
        var ids = ConnectionIds.of(planning);
        if (!ids.isEmpty()) {
            return new Planned(new Plan.AnyShard(Plan.Access.READ), statement.scan(), SessionUse.NONE, ids);
        }
        var plan = new Dispatcher(planning).plan();
        return new Planned(plan, statement.scan(), use(plan, planning));
    }

    private static SessionUse use(Plan plan, Planning planning) {
        return switch (plan) {
            case Plan.Session(SessionStatement.AboutLastStatement _) -> SessionUse.asking(planning);
            case Plan.PassThrough _ -> SessionUse.of(planning);
            case Plan.Ddl _ -> SessionUse.ofDdl(planning);
            default -> SessionUse.NONE;
        };
    }
}
