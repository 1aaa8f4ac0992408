package dev.shardwright.reshard.mover;

import dev.shardwright.reshard.copy.Frontier;
import dev.shardwright.reshard.copy.KeyPoint;
import dev.shardwright.reshard.copy.Partition;
import dev.shardwright.reshard.copy.PartitionPlanner;
import dev.shardwright.reshard.copy.PartitionState;
import dev.shardwright.reshard.copy.WindowRoom;
import dev.shardwright.reshard.stream.TargetStore;
import dev.shardwright.reshard.stream.TargetStore.Progress;
import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.Placement;
import dev.shardwright.reshard.table.Table;
import dev.shardwright.reshard.table.Weights;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The partitions of a copy and its comparison: made once, kept in every target, read again by each attempt. */
final class CopyPlan {
    private static final int PARTS_PER_READER = 2;

    private CopyPlan() {}

    /** A new plan; tables that live on another shard are left out. */
    static List<Progress> make(Connection source, MoverSpec spec, List<Table> tables, Placement placement, int readers)
            throws SQLException {
        var plan = new ArrayList<Progress>();
        for (var table : tables) {
            if (placement.isSharded(table) || spec.source().range().startsAtMinimum()) {
                for (var part : PartitionPlanner.plan(source, table, readers * PARTS_PER_READER)) {
                    plan.add(progress(TargetStore.COPY, table, part));
                    plan.add(progress(TargetStore.VERIFY, table, part));
                }
            }
        }
        return plan;
    }

    private static Progress progress(String phase, Table table, Partition partition) {
        return new Progress(phase, table.name(), partition, null, false, 0);
    }

    /**
     * The partitions of one phase with how far each target has come, the largest tables' first.
     *
     * @param stored what each target has, in the same order
     * @param firstSlot number for the first one's watermarks; each takes one
     * @param room for the changes of chunks that are being read
     */
    static List<PartitionState> states(
            String phase,
            List<Table> tables,
            List<List<Progress>> stored,
            Weights weights,
            int firstSlot,
            WindowRoom room)
            throws SQLException {
        var byName = tables.stream().collect(Collectors.toMap(Table::name, table -> table));
        var targets = stored.stream().map(CopyPlan::byPart).toList();
        var states = new ArrayList<PartitionState>();
        for (var part : stored.getFirst()) {
            if (part.phase().equals(phase)) {
                var table = byName.get(part.table());
                if (table == null) {
                    throw new MoveException(
                            "table " + part.table()
                                    + " was dropped from the source while it was moved; start the workflow again with new targets");
                }
                var frontiers = new ArrayList<Frontier>();
                for (var target : targets) {
                    frontiers.add(frontier(table, find(part, target), weights));
                }
                states.add(new PartitionState(table, part.partition(), firstSlot + states.size(), frontiers, room));
            }
        }
        states.sort(Comparator.comparingLong(state -> -state.table().rowsEstimated()));
        return states;
    }

    private record Part(String phase, String table, Partition partition) {
        static Part of(Progress progress) {
            return new Part(progress.phase(), progress.table(), progress.partition());
        }
    }

    private static Map<Part, Progress> byPart(List<Progress> target) {
        return target.stream().collect(Collectors.toMap(Part::of, progress -> progress));
    }

    private static Progress find(Progress part, Map<Part, Progress> target) {
        var its = target.get(Part.of(part));
        if (its == null) {
            throw new MoveException("the targets do not agree about partition "
                    + part.partition().number() + " of table " + part.table()
                    + "; start the workflow again with new targets");
        }
        return its;
    }

    private static Frontier frontier(Table table, Progress progress, Weights weights) throws SQLException {
        if (progress.complete()) {
            return Frontier.COMPLETE;
        }
        var stored = progress.frontier();
        if (stored == null) {
            return Frontier.NONE;
        }
        var values = KeyPoint.values(stored, table.key().size());
        return new Frontier(new KeyPoint(values, weights.encode(table, values)), false);
    }
}
