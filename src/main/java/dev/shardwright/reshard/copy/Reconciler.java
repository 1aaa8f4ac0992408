package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.stream.Op;
import dev.shardwright.reshard.table.Key;
import dev.shardwright.reshard.table.Row;
import dev.shardwright.reshard.table.RowBatch;
import dev.shardwright.reshard.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what each target has to do for each change of the source, while tables are copied and after.
 * A target has exactly the rows up to its frontier; so a change at or below the frontier is applied, and one
 * above it is left to the chunk that will read it. A table without a key is one chunk, read from one snapshot. Belongs to the stream's thread.
 */
public final class Reconciler {

    /** Tells the target that owns a row. */
    @FunctionalInterface
    public interface Owners {
        int target(Table table, Row row);

        /** The rows of each target, in the same memory. */
        default List<RowBatch> split(Table table, RowBatch rows, int targets) {
            var owner = new int[rows.size()];
            for (int row = 0; row < owner.length; row++) {
                owner[row] = target(table, rows.row(row));
            }
            return IntStream.range(0, targets)
                    .mapToObj(target -> rows.only(row -> owner[row] == target))
                    .toList();
        }
    }

    private final int targets;
    private final Owners owners;
    private final Map<String, List<PartitionState>> copying = new HashMap<>();
    private final Map<String, List<PartitionState>> verifying = new HashMap<>();
    private final Map<Integer, PartitionState> slots = new HashMap<>();

    public Reconciler(int targets, Owners owners) {
        this.targets = targets;
        this.owners = owners;
    }

    /** A partition that is to be copied; all of a table's come in order. */
    public void copy(PartitionState state) {
        add(copying, state);
    }

    /** A partition of a table that is complete on all targets and is to be compared. */
    public void verify(PartitionState state) {
        add(verifying, state);
    }

    private void add(Map<String, List<PartitionState>> phase, PartitionState state) {
        phase.computeIfAbsent(state.table().name(), unused -> new ArrayList<>()).add(state);
        slots.put(state.slot(), state);
    }

    /** Whether the place of this table's keys matters now, so that it has to be asked for. */
    public boolean needsKeys(Table table) {
        return copying.getOrDefault(table.name(), List.of()).stream().anyMatch(state -> !state.isComplete())
                || verifying.getOrDefault(table.name(), List.of()).stream().anyMatch(state -> state.window.isOpen());
    }

    /** Whether the target holds any of the copy's rows. */
    public boolean hasRows(int target) {
        return copying.values().stream().flatMap(List::stream).anyMatch(state -> state.of(target) != Frontier.NONE);
    }

    /**
     * A row of the source changed.
     *
     * @param before null for an insert
     * @param after null for a delete
     * @param keys the two rows' keys, null when {@link #needsKeys} says no
     * @param fresh whether a target has not applied the transaction before
     * @param out for each target, where its operations go
     */
    public void change(
            Table table,
            @Nullable Row before,
            @Nullable Row after,
            @Nullable Keys keys,
            IntPredicate fresh,
            List<List<Op>> out) {
        if (keys != null) {
            observe(table, keys, after);
        }
        var from = before == null ? -1 : owners.target(table, before);
        var to = after == null ? -1 : owners.target(table, after);
        if (before != null
                && after != null
                && from == to
                && Arrays.deepEquals(table.keyOf(before), table.keyOf(after))) {
            apply(table, from, keys == null ? null : keys.after, fresh, out, new Op.Update(table, before, after));
            return;
        }
        if (before != null) {
            apply(table, from, keys == null ? null : keys.before, fresh, out, new Op.Delete(table, before));
        }
        if (after != null) {
            apply(table, to, keys == null ? null : keys.after, fresh, out, new Op.Insert(table, after));
        }
    }

    /** The keys of a change's two rows; each is null exactly when its row is. */
    public record Keys(@Nullable Key before, @Nullable Key after) {}

    private void observe(Table table, Keys keys, @Nullable Row after) {
        for (var phase : List.of(copying, verifying)) {
            var states = phase.get(table.name());
            if (states == null) {
                continue;
            }
            if (keys.before != null) {
                find(states, keys.before).window.observe(keys.before, null);
            }
            if (keys.after != null) {
                find(states, keys.after).window.observe(keys.after, after);
            }
        }
    }

    private void apply(Table table, int target, @Nullable Key key, IntPredicate fresh, List<List<Op>> out, Op op) {
        if (!fresh.test(target)) {
            return;
        }
        var states = copying.get(table.name());
        if (states == null || key == null || find(states, key).covers(target, key)) {
            out.get(target).add(op);
        }
    }

    private static PartitionState find(List<PartitionState> states, Key key) {
        var at = 0;
        while (states.get(at).isBefore(key)) {
            at++;
        }
        return states.get(at);
    }

    /** A chunk's low watermark. */
    public void low(int slot, long mark) {
        var state = slots.get(slot);
        if (state != null) {
            state.window.open(mark);
        }
    }

    /** A chunk's high watermark: it enters each target's queue. False when it has to be read again. */
    public boolean high(int slot, long mark, Chunk chunk, Runnable applied, List<List<Op>> out) {
        var state = slots.get(slot);
        if (state == null) {
            return false;
        }
        var rows = state.window.close(state.table(), mark, chunk);
        rows.ifPresent(exact -> enter(state, chunk, exact, applied, out));
        return rows.isPresent();
    }

    private void enter(PartitionState state, Chunk chunk, RowBatch rows, Runnable applied, List<List<Op>> out) {
        var split = owners.split(state.table(), rows, targets);
        var copied = isCopied(state);
        for (int target = 0; target < targets; target++) {
            var frontier = state.of(target);
            var its = missing(split.get(target), frontier);
            state.advance(target, Frontier.of(chunk));
            if (copied) {
                out.get(target).add(new Op.Load(state.table(), state.partition(), its, state.of(target), applied));
            } else if (frontier.reaches(Frontier.of(chunk))) {
                // An attempt before has compared them here, but not on every target.
                applied.run();
            } else {
                var start = Frontier.max(frontier, new Frontier(chunk.start(), false))
                        .point();
                out.get(target)
                        .add(new Op.Compare(
                                state.table(),
                                state.partition(),
                                new Chunk(start, chunk.end(), its),
                                state.of(target),
                                applied));
            }
        }
    }

    private boolean isCopied(PartitionState state) {
        return copying.getOrDefault(state.table().name(), List.of()).contains(state);
    }

    /**
     * The place of a table's snapshot: what has changed the table before is in it, what changes it later is not. Returns the
     * targets that take the rows from the pass.
     */
    public BitSet pass(int slot, Pass pass, List<List<Op>> out) {
        var state = Objects.requireNonNull(slots.get(slot), "a pass over no partition of this run");
        var taking = new BitSet();
        for (int target = 0; target < targets; target++) {
            if (state.of(target).complete()) {
                // An attempt before has come to the end here, but not on every target.
                pass.applied().run();
                continue;
            }
            taking.set(target);
            state.advance(target, Frontier.COMPLETE);
            var pipe = pass.pipes().get(target);
            out.get(target)
                    .add(
                            isCopied(state)
                                    ? new Op.Fill(state.table(), state.partition(), pipe, pass.applied())
                                    : new Op.Count(state.table(), state.partition(), pipe, pass.applied()));
        }
        return taking;
    }

    /** The rows that a target does not have yet, or that have not been compared there. */
    private static RowBatch missing(RowBatch rows, Frontier frontier) {
        if (frontier.complete()) {
            return rows.only(_ -> false);
        }
        var point = frontier.point();
        return point == null || rows.isEmpty() || rows.compareKey(0, point.key()) > 0
                ? rows
                : rows.only(row -> rows.compareKey(row, point.key()) > 0);
    }
}
