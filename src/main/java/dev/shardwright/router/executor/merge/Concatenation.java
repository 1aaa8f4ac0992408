package dev.shardwright.router.executor.merge;

import dev.shardwright.router.planner.RowLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows in the order in which they come: without ORDER BY any order is right, and no shard waits for another. */
final class Concatenation implements RowMerger {
    private final ShardRows rows;
    private final Window window;
    private int turn;

    Concatenation(int shards, RowLimit limit) {
        this.rows = new ShardRows(shards);
        this.window = new Window(limit);
    }

    @Override
    public void columns(int shard, List<byte[]> definitions) {
        rows.columns(shard, definitions);
    }

    @Override
    public boolean columnsKnown() {
        return rows.columnsKnown();
    }

    @Override
    public List<byte[]> visibleColumns() {
        return rows.visible(0);
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
        if (!columnsKnown()) {
            return null;
        }
        var without = 0;
        while (without < rows.shards() && !window.full()) {
            var row = rows.poll(turn);
            if (row == null) {
                without++;
                turn = (turn + 1) % rows.shards();
            } else if (window.admits()) {
                return row;
            } else {
                without = 0;
            }
        }
        return null;
    }

    @Override
    public boolean finished() {
        return columnsKnown() && (window.full() || rows.allExhausted());
    }

    @Override
    public boolean wants(int shard) {
        return !window.full() && rows.hasRoom(shard);
    }
}
