package dev.shardwright.reshard.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.binlog.ColumnKind;
import dev.shardwright.reshard.stream.Op;
import dev.shardwright.reshard.table.Column;
import dev.shardwright.reshard.table.Key;
import dev.shardwright.reshard.table.KeyEncoder;
import dev.shardwright.reshard.table.Row;
import dev.shardwright.reshard.table.RowBatch;
import dev.shardwright.reshard.table.Table;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A whole move without a server: a source with a log, readers, the stream and targets, each taking its next
 * step at a random moment, with crashes in between. The targets are as strict as the real ones.
 */
final class CopySimulation {
    private static final Column ID = column("id");
    private static final Table TABLE =
            new Table("s", "t", List.of(ID, column("v")), "PRIMARY", List.of(0), "", 1_000_000, 100);
    private static final List<Partition> PARTITIONS = List.of(
            new Partition(0, null, BigInteger.valueOf(-20)),
            new Partition(1, BigInteger.valueOf(-20), BigInteger.valueOf(30)),
            new Partition(2, BigInteger.valueOf(30), null));
    private static final int KEYS = 80;
    private static final int TARGETS = 2;

    private sealed interface Logged {
        record Change(@Nullable Row before, @Nullable Row after) implements Logged {}

        record Mark(int run, int slot, long mark, boolean high) implements Logged {}
    }

    private record Queued(int gtid, List<Op> ops) {}

    /** What a target has committed. */
    private static final class Target {
        final TreeMap<Long, Long> rows = new TreeMap<>();
        final Map<Integer, Frontier> copied = new HashMap<>();
        final Map<Integer, Frontier> verified = new HashMap<>();
        int applied;
    }

    private enum Step {
        Idle,
        Marked,
        Read,
        Waiting
    }

    private final class Walker {
        final PartitionState state;
        Frontier frontier;
        Step step = Step.Idle;

        @Nullable
        Chunk chunk;

        long mark;

        Walker(PartitionState state) {
            this.state = state;
            this.frontier = state.reached();
        }

        void go() {
            switch (step) {
                case Idle -> {
                    mark = ++marks;
                    log.add(new Logged.Mark(run, state.slot(), mark, false));
                    step = Step.Marked;
                }
                case Marked -> {
                    chunk = read(state.partition(), frontier.point());
                    step = Step.Read;
                }
                case Read -> {
                    log.add(new Logged.Mark(run, state.slot(), mark, true));
                    step = Step.Waiting;
                }
                case Waiting -> {}
            }
        }
    }

    private final Random random;
    private final TreeMap<Long, Long> source = new TreeMap<>();
    private final List<Logged> log = new ArrayList<>();
    private final List<Target> targets = List.of(new Target(), new Target());
    private List<ArrayDeque<Queued>> queues = List.of();
    private Reconciler reconciler = new Reconciler(TARGETS, CopySimulation::owner);
    private List<Walker> copying = List.of();
    private List<Walker> verifying = List.of();
    private final int[] appliedBefore = new int[TARGETS];
    private int followed;
    private int run;
    private long marks;
    int crashes;
    int again;

    CopySimulation(long seed) {
        random = new Random(seed);
    }

    void run() {
        for (int i = 0; i < 60; i++) {
            write();
        }
        start();
        for (int steps = 0; !finished(); steps++) {
            assertThat(steps).as("steps").isLessThan(100_000);
            step(steps < 3_000);
        }
        assertThat(union()).isEqualTo(source);
    }

    private void step(boolean wild) {
        var dice = random.nextInt(1000);
        if (wild && dice < 3) {
            crashes++;
            start();
        } else if (wild && dice < 250) {
            write();
        } else if (dice < 500) {
            follow();
        } else if (dice < 750) {
            var phase = copying.stream().allMatch(walker -> walker.frontier.complete()) ? verifying : copying;
            var walker = phase.get(random.nextInt(phase.size()));
            if (!walker.frontier.complete()) {
                walker.go();
            }
        } else {
            apply(random.nextInt(TARGETS), 1 + random.nextInt(4));
        }
    }

    private boolean finished() {
        return verifying.stream().allMatch(walker -> walker.frontier.complete())
                && followed == log.size()
                && queues.stream().allMatch(ArrayDeque::isEmpty);
    }

    private void start() {
        run++;
        queues = List.of(new ArrayDeque<>(), new ArrayDeque<>());
        reconciler = new Reconciler(TARGETS, CopySimulation::owner);
        for (int i = 0; i < TARGETS; i++) {
            appliedBefore[i] = targets.get(i).applied;
        }
        followed = Math.min(appliedBefore[0], appliedBefore[1]);
        copying = walkers(0);
        verifying = walkers(PARTITIONS.size());
        copying.forEach(walker -> reconciler.copy(walker.state));
        verifying.forEach(walker -> reconciler.verify(walker.state));
    }

    private List<Walker> walkers(int firstSlot) {
        var walkers = new ArrayList<Walker>();
        var room = new WindowRoom(1_500);
        for (var partition : PARTITIONS) {
            var frontiers = targets.stream()
                    .map(target -> (firstSlot == 0 ? target.copied : target.verified)
                            .getOrDefault(partition.number(), Frontier.NONE))
                    .toList();
            walkers.add(
                    new Walker(new PartitionState(TABLE, partition, firstSlot + partition.number(), frontiers, room)));
        }
        return walkers;
    }

    private void write() {
        long id = random.nextInt(KEYS) - KEYS / 2;
        var old = source.get(id);
        if (old == null) {
            put(null, row(id, random.nextInt(100)));
        } else if (random.nextInt(3) == 0) {
            put(row(id, old), null);
        } else if (random.nextInt(3) == 0) {
            long other = random.nextInt(KEYS) - KEYS / 2;
            if (!source.containsKey(other)) {
                put(row(id, old), row(other, old));
            }
        } else {
            put(row(id, old), row(id, old + 1));
        }
    }

    private void put(@Nullable Row before, @Nullable Row after) {
        if (before != null) {
            source.remove(number(before, 0));
        }
        if (after != null) {
            source.put(number(after, 0), number(after, 1));
        }
        log.add(new Logged.Change(before, after));
    }

    private void follow() {
        if (followed == log.size()) {
            return;
        }
        var gtid = ++followed;
        List<List<Op>> out = List.of(new ArrayList<>(), new ArrayList<>());
        switch (log.get(gtid - 1)) {
            case Logged.Change change -> {
                var keys = reconciler.needsKeys(TABLE)
                        ? new Reconciler.Keys(
                                change.before == null ? null : key(number(change.before, 0)),
                                change.after == null ? null : key(number(change.after, 0)))
                        : null;
                reconciler.change(
                        TABLE, change.before, change.after, keys, target -> appliedBefore[target] < gtid, out);
            }
            case Logged.Mark mark when mark.run != run -> {}
            case Logged.Mark mark when !mark.high -> reconciler.low(mark.slot, mark.mark);
            case Logged.Mark mark -> high(mark, out);
        }
        for (int i = 0; i < TARGETS; i++) {
            queues.get(i).add(new Queued(gtid, out.get(i)));
        }
    }

    private void high(Logged.Mark mark, List<List<Op>> out) {
        var walker = (mark.slot < PARTITIONS.size() ? copying : verifying).get(mark.slot % PARTITIONS.size());
        var chunk = java.util.Objects.requireNonNull(walker.chunk);
        if (reconciler.high(mark.slot, mark.mark, chunk, () -> {}, out)) {
            walker.frontier = Frontier.of(chunk);
        } else {
            again++;
        }
        walker.step = Step.Idle;
    }

    private Chunk read(Partition partition, @Nullable KeyPoint start) {
        var limit = 1 + random.nextInt(6);
        var builder = new RowBatch.Builder(TABLE);
        var from = partition.from();
        var to = partition.to();
        for (var entry : source.entrySet()) {
            var key = key(entry.getKey());
            var inside = (from == null || entry.getKey() >= from.longValue())
                    && (to == null || entry.getKey() < to.longValue())
                    && (start == null || key.compareTo(start.key()) > 0);
            if (inside && builder.size() < limit) {
                builder.add(row(entry.getKey(), entry.getValue()), key);
            }
        }
        var rows = builder.build();
        var last = rows.size() - 1;
        var end = rows.size() < limit ? null : new KeyPoint(TABLE.keyOf(rows.row(last)), rows.key(last));
        return new Chunk(start, end, rows);
    }

    private void apply(int at, int count) {
        var target = targets.get(at);
        for (int i = 0; i < count && !queues.get(at).isEmpty(); i++) {
            var next = queues.get(at).remove();
            next.ops.forEach(op -> apply(target, op));
            target.applied = Math.max(target.applied, next.gtid);
        }
    }

    private static void apply(Target target, Op op) {
        switch (op) {
            case Op.Insert insert ->
                assertThat(target.rows.put(number(insert.row(), 0), number(insert.row(), 1)))
                        .isNull();
            case Op.Update update ->
                assertThat(target.rows.put(number(update.after(), 0), number(update.after(), 1)))
                        .isEqualTo(number(update.before(), 1));
            case Op.Delete delete ->
                assertThat(target.rows.remove(number(delete.row(), 0))).isEqualTo(number(delete.row(), 1));
            case Op.Load load -> {
                rows(load.rows())
                        .forEach(row -> assertThat(target.rows.put(number(row, 0), number(row, 1)))
                                .isNull());
                target.copied.put(load.partition().number(), load.frontier());
            }
            case Op.Compare compare -> {
                var wanted = new TreeMap<Long, Long>();
                rows(compare.chunk().rows()).forEach(row -> wanted.put(number(row, 0), number(row, 1)));
                assertThat(inRange(target, compare)).isEqualTo(wanted);
                target.verified.put(compare.partition().number(), compare.frontier());
            }
            case Op.Fill fill -> throw new AssertionError("the table has a key");
            case Op.Count count -> throw new AssertionError("the table has a key");
            case Op.Release release -> throw new AssertionError("no value is large");
        }
    }

    private static Stream<Row> rows(RowBatch batch) {
        return IntStream.range(0, batch.size()).mapToObj(batch::row);
    }

    private static TreeMap<Long, Long> inRange(Target target, Op.Compare compare) {
        var found = new TreeMap<Long, Long>(target.rows);
        var from = compare.partition().from();
        var to = compare.partition().to();
        var start = compare.chunk().start();
        var end = compare.chunk().end();
        found.keySet()
                .removeIf(id -> (from != null && id < from.longValue())
                        || (to != null && id >= to.longValue())
                        || (start != null && key(id).compareTo(start.key()) <= 0)
                        || (end != null && key(id).compareTo(end.key()) > 0));
        return found;
    }

    private TreeMap<Long, Long> union() {
        var all = new TreeMap<Long, Long>();
        for (int i = 0; i < TARGETS; i++) {
            for (var entry : targets.get(i).rows.entrySet()) {
                assertThat(Math.floorMod(entry.getKey(), TARGETS)).isEqualTo(i);
                all.put(entry.getKey(), entry.getValue());
            }
        }
        return all;
    }

    private static int owner(Table table, Row row) {
        return Math.floorMod((int) number(row, 0), TARGETS);
    }

    private static Column column(String name) {
        return new Column(
                name, ColumnKind.INTEGER, "bigint", false, 0, 0, null, null, false, Column.Origin.Plain, false);
    }

    private static Key key(long id) {
        return KeyEncoder.encode(List.of(ID), new byte[][] {ascii(id)}, new byte[1][]);
    }

    private static Row row(long id, long v) {
        return new Row(new byte[][] {ascii(id), ascii(v)});
    }

    private static long number(Row row, int column) {
        return Long.parseLong(
                new String(java.util.Objects.requireNonNull(row.value(column)), StandardCharsets.US_ASCII));
    }

    private static byte[] ascii(long value) {
        return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
    }
}
