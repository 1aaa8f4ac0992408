package dev.shardwright.router.executor.merge;

import dev.shardwright.router.planner.Plan.Merge;
import dev.shardwright.router.planner.Plan.SortKey;
import dev.shardwright.router.planner.RowLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Sorted streams made one sorted stream: holds one row of each shard, sends the least. */
final class SortedMerge implements RowMerger {
    private final ShardRows rows;
    private final Window window;
    private final Merge.Sort sort;
    private final RowFormat format;
    private final List<KeyReader> readers = new ArrayList<>();
    private final boolean[] held;
    private final PriorityQueue<Head> heads;

    private record Head(int shard, Row row, List<SortKeyValue> keys) {}

    SortedMerge(int shards, RowLimit limit, Merge.Sort sort, RowFormat format) {
        this.rows = new ShardRows(shards);
        this.window = new Window(limit);
        this.sort = sort;
        this.format = format;
        this.held = new boolean[shards];
        this.heads = new PriorityQueue<>(shards, order(sort.keys()));
    }

    private static Comparator<Head> order(List<SortKey> keys) {
        return (one, other) -> {
            for (var i = 0; i < keys.size(); i++) {
                var order = one.keys().get(i).compareTo(other.keys().get(i));
                if (order != 0) {
                    return keys.get(i).descending() ? -order : order;
                }
            }
            return Integer.compare(one.shard(), other.shard());
        };
    }

    @Override
    public void columns(int shard, List<byte[]> definitions) {
        rows.columns(shard, definitions);
        if (rows.columnsKnown() && readers.isEmpty()) {
            var first = rows.columns().size() - sort.hiddenColumns();
            for (var key : sort.keys()) {
                readers.add(KeyReader.of(
                        format,
                        first + key.value(),
                        first + key.weight(),
                        first + key.collation(),
                        rows.columns(),
                        true));
            }
        }
    }

    @Override
    public boolean columnsKnown() {
        return rows.columnsKnown();
    }

    @Override
    public List<byte[]> visibleColumns() {
        return rows.visible(sort.hiddenColumns());
    }

    @Override
    public void row(int shard, byte[] payload) {
        rows.add(shard, payload);
    }

    @Override
    public void end(int shard) {
        rows.end(shard);
    }

    @Override
    public byte @Nullable [] next() {
        while (columnsKnown() && !window.full() && fill()) {
            var head = heads.poll();
            if (head == null) {
                return null;
            }
            held[head.shard()] = false;
            if (window.admits()) {
                return format.first(head.row(), head.row().columns() - sort.hiddenColumns());
            }
        }
        return null;
    }

    /** Holds a row of each shard that is not exhausted; false when one has yet to come. */
    private boolean fill() {
        var complete = true;
        for (var shard = 0; shard < held.length; shard++) {
            if (!held[shard]) {
                var payload = rows.poll(shard);
                if (payload != null) {
                    hold(shard, payload);
                } else {
                    complete &= rows.exhausted(shard);
                }
            }
        }
        return complete;
    }

    private void hold(int shard, byte[] payload) {
        try {
            var row = format.read(payload, rows.columns());
            heads.add(new Head(
                    shard, row, readers.stream().map(reader -> reader.read(row)).toList()));
            held[shard] = true;
        } catch (ArrayIndexOutOfBoundsException e) {
            throw MergeException.malformed();
        }
    }

    @Override
    public boolean finished() {
        return columnsKnown() && (window.full() || heads.isEmpty() && rows.allExhausted());
    }

    @Override
    public boolean wants(int shard) {
        return !window.full() && rows.hasRoom(shard);
    }
}
