package dev.shardwright.router.executor.merge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** What has come from the shards and is not yet sent on; checks that all describe the same columns. */
final class ShardRows {
    /** Rows of a shard that wait beyond this many bytes make it wait. */
    private static final int BOUND = 256 * 1024;

    private final List<@Nullable List<ColumnDefinition>> columns = new ArrayList<>();
    private final List<Queue<byte[]>> waiting = new ArrayList<>();
    private final long[] bytes;
    private final boolean[] ended;
    private int described;

    ShardRows(int shards) {
        for (var shard = 0; shard < shards; shard++) {
            columns.add(null);
            waiting.add(new ArrayDeque<>());
        }
        bytes = new long[shards];
        ended = new boolean[shards];
    }

    int shards() {
        return ended.length;
    }

    void columns(int shard, List<byte[]> definitions) {
        var parsed = definitions.stream().map(ColumnDefinition::parse).toList();
        if (columns.set(shard, parsed) == null) {
            described++;
        }
        for (var other : columns) {
            if (other != null) {
                requireAgreement(other, parsed);
            }
        }
    }

    private static void requireAgreement(List<ColumnDefinition> one, List<ColumnDefinition> other) {
        if (one.size() != other.size()) {
            throw MergeException.disagreement("one sends " + one.size() + " columns, another " + other.size());
        }
        for (var i = 0; i < one.size(); i++) {
            if (!one.get(i).agreesWith(other.get(i))) {
                throw MergeException.disagreement(
                        "column " + (i + 1) + " ('" + one.get(i).name() + "', '"
                                + other.get(i).name() + "') differs in name, type or character set");
            }
        }
    }

    boolean columnsKnown() {
        return described == ended.length;
    }

    List<ColumnDefinition> columns() {
        var first = columns.get(0);
        if (first == null || !columnsKnown()) {
            throw new IllegalStateException("not all shards have described their columns");
        }
        return first;
    }

    /** The payloads of all columns but the last ones, which are ours. */
    List<byte[]> visible(int hidden) {
        var all = columns();
        if (all.size() <= hidden) {
            throw MergeException.disagreement("a shard sent fewer columns than it was asked for");
        }
        return all.subList(0, all.size() - hidden).stream()
                .map(ColumnDefinition::payload)
                .toList();
    }

    void add(int shard, byte[] row) {
        waiting.get(shard).add(row);
        bytes[shard] += row.length;
    }

    byte @Nullable [] poll(int shard) {
        var row = waiting.get(shard).poll();
        if (row != null) {
            bytes[shard] -= row.length;
        }
        return row;
    }

    void end(int shard) {
        ended[shard] = true;
    }

    /** Has ended, and nothing of it waits. */
    boolean exhausted(int shard) {
        return ended[shard] && waiting.get(shard).isEmpty();
    }

    boolean allExhausted() {
        for (var shard = 0; shard < shards(); shard++) {
            if (!exhausted(shard)) {
                return false;
            }
        }
        return true;
    }

    boolean hasRoom(int shard) {
        return bytes[shard] < BOUND;
    }
}
