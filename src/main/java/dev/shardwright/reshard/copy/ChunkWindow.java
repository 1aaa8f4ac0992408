package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.table.Key;
import dev.shardwright.reshard.table.Row;
import dev.shardwright.reshard.table.RowBatch;
import dev.shardwright.reshard.table.Table;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes a chunk that was read at some unknown moment exact for a known one. Between the low and the high
 * watermark it remembers the last state of each row that changed; at the high watermark these replace what
 * the read saw, which gives the chunk's rows as they are at that place of the stream. Not thread-safe.
 */
final class ChunkWindow {
    private static final int ENTRY_OVERHEAD = 80;

    private final WindowRoom room;
    private final TreeMap<Key, Optional<Row>> changed = new TreeMap<>();
    private long mark = -1;
    private long bytes;
    private boolean overflowed;

    /** @param room for what it remembers; when that is not enough, the chunk has to be read again */
    ChunkWindow(WindowRoom room) {
        this.room = room;
    }

    /** The low watermark of a chunk; an older one that was not closed is forgotten. */
    void open(long newMark) {
        forget();
        overflowed = false;
        mark = newMark;
    }

    private void forget() {
        changed.clear();
        room.giveBack(bytes);
        bytes = 0;
    }

    boolean isOpen() {
        return mark >= 0;
    }

    /** @param after the row's new state, null when it is gone */
    void observe(Key key, @Nullable Row after) {
        if (!isOpen() || overflowed) {
            return;
        }
        var size = ENTRY_OVERHEAD + key.length() + (after == null ? 0 : after.bytes());
        if (room.take(size)) {
            bytes += size;
            changed.put(key, Optional.ofNullable(after).map(Row::inMemory));
        } else {
            forget();
            overflowed = true;
        }
    }

    /** The high watermark: the chunk's rows as they are now; empty when it has to be read again. */
    Optional<RowBatch> close(Table table, long closedMark, Chunk chunk) {
        var merged = mark == closedMark && !overflowed ? Optional.of(merged(table, chunk)) : Optional.<RowBatch>empty();
        mark = -1;
        forget();
        return merged;
    }

    private RowBatch merged(Table table, Chunk chunk) {
        var range = range(chunk);
        if (range.isEmpty()) {
            return chunk.rows();
        }
        var rows = chunk.rows();
        var merged = new RowBatch.Builder(table);
        var at = 0;
        for (var change : range.entrySet()) {
            for (; at < rows.size() && rows.compareKey(at, change.getKey()) < 0; at++) {
                merged.add(rows, at);
            }
            if (at < rows.size() && rows.compareKey(at, change.getKey()) == 0) {
                at++;
            }
            change.getValue().ifPresent(row -> merged.add(row, change.getKey()));
        }
        for (; at < rows.size(); at++) {
            merged.add(rows, at);
        }
        return merged.build();
    }

    private Map<Key, Optional<Row>> range(Chunk chunk) {
        var from =
                chunk.start() == null ? changed : changed.tailMap(chunk.start().key(), false);
        return chunk.end() == null ? from : from.headMap(chunk.end().key(), true);
    }
}
