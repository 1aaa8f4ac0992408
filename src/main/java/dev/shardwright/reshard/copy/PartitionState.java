package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.table.Key;
import dev.shardwright.reshard.table.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the stream knows of one partition in one phase. Belongs to the stream's thread. */
public final class PartitionState {
    private final Table table;
    private final Partition partition;
    private final @Nullable Key end;
    private final int slot;
    private final Frontier[] targets;
    final ChunkWindow window;

    /**
     * @param slot number of its watermarks
     * @param targets how far it has come on each target
     * @param room for the changes of chunks that are being read
     */
    public PartitionState(Table table, Partition partition, int slot, List<Frontier> targets, WindowRoom room) {
        this.table = table;
        this.partition = partition;
        this.end = partition.end(table);
        this.slot = slot;
        this.targets = targets.toArray(Frontier[]::new);
        this.window = new ChunkWindow(room);
    }

    public Table table() {
        return table;
    }

    public Partition partition() {
        return partition;
    }

    public int slot() {
        return slot;
    }

    boolean isBefore(Key key) {
        return end != null && end.compareTo(key) <= 0;
    }

    boolean covers(int target, Key key) {
        return targets[target].covers(key);
    }

    Frontier of(int target) {
        return targets[target];
    }

    void advance(int target, Frontier to) {
        targets[target] = Frontier.max(targets[target], to);
    }

    /** Where reading has to go on: what every target has. */
    public Frontier reached() {
        var min = Frontier.COMPLETE;
        for (var target : targets) {
            min = Frontier.min(min, target);
        }
        return min;
    }

    boolean isComplete() {
        for (var target : targets) {
            if (!target.complete()) {
                return false;
            }
        }
        return true;
    }
}
