package dev.shardwright.reshard.mover;

import dev.shardwright.mysql.binlog.GtidSet;
import dev.shardwright.reshard.copy.TargetSchema;
import dev.shardwright.reshard.copy.Watermarks;
import dev.shardwright.reshard.stream.TargetStore;
import dev.shardwright.reshard.stream.TargetStore.Checkpoint;
import dev.shardwright.reshard.stream.TargetStore.Progress;
import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.Placement;
import dev.shardwright.reshard.table.SchemaReader;
import dev.shardwright.reshard.table.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/** Brings source and targets to where the stream can begin, or go on: tables, plan and checkpoints are on every target. */
final class Preparation {

    /**
     * What an attempt begins with.
     *
     * @param applied for each target what it has applied
     * @param progress for each target how far its partitions have come; empty lists when nothing is copied
     */
    record Prepared(List<Table> tables, Placement placement, List<GtidSet> applied, List<List<Progress>> progress) {

        /** Where the stream has to begin. */
        GtidSet position() {
            var position = applied.getFirst();
            for (var target : applied) {
                position = position.intersect(target);
            }
            return position;
        }
    }

    private final MoverSpec spec;
    private final MoverTuning tuning;
    private final Connection source;
    private final List<Connection> targets;
    private final List<TargetStore> stores;
    private final TableCreation creation;

    /** @param targets with autocommit off */
    Preparation(
            MoverSpec spec,
            MoverTuning tuning,
            Connection source,
            List<Connection> targets,
            List<TargetStore> stores,
            TableCreation creation) {
        this.spec = spec;
        this.tuning = tuning;
        this.creation = creation;
        this.source = source;
        this.targets = targets;
        this.stores = stores;
    }

    Prepared run() throws Exception {
        var tables = tables();
        var placement = new Placement(
                spec.vschema(),
                spec.source().range(),
                spec.targets().stream().map(MoverSpec.Peer::range).toList(),
                tables);
        var checkpoints = new ArrayList<Optional<Checkpoint>>();
        for (int i = 0; i < targets.size(); i++) {
            TargetStore.createTables(targets.get(i));
            checkpoints.add(stores.get(i).takeOver(targets.get(i)).filter(this::isOurs));
            TargetSchema.checkNoTriggers(targets.get(i), name(i), spec.keyspace());
            targets.get(i).commit();
        }
        if (spec.startFrom() == null) {
            Watermarks.createTable(source);
            beginCopy(tables, placement, checkpoints);
        } else {
            beginStream(tables, checkpoints, spec.startFrom());
        }
        var prepared = collect(tables, placement);
        checkLogs(prepared.position());
        return prepared;
    }

    /** A checkpoint of an earlier stream with the same name, which began elsewhere, says nothing for this one. */
    private boolean isOurs(Checkpoint checkpoint) {
        return Objects.equals(checkpoint.startedFrom(), spec.startFrom());
    }

    private List<Table> tables() throws SQLException {
        var schema = SchemaReader.read(source, spec.keyspace());
        refuse(
                spec.startFrom() == null
                        ? Movability.problems(
                                source, spec.keyspace(), spec.source().range(), spec.vschema(), schema)
                        : schema.problems());
        return schema.tables();
    }

    private static void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new MoveException("the source can't be moved: " + String.join("; ", problems));
        }
    }

    private void beginCopy(List<Table> tables, Placement placement, List<Optional<Checkpoint>> checkpoints)
            throws Exception {
        var known = checkpoints.stream().filter(Optional::isPresent).findFirst();
        if (checkpoints.stream().allMatch(Optional::isPresent)) {
            return;
        }
        // No chunk is read before every target has the plan, so one that lacks it can begin where the others began.
        GtidSet start;
        List<Progress> plan;
        if (known.isPresent()) {
            var at = checkpoints.indexOf(known.get());
            start = known.get().orElseThrow().start();
            plan = stores.get(at).progress(targets.get(at));
            targets.get(at).commit();
        } else {
            Source.mark(source);
            start = Source.startOfCopy(source);
            plan = CopyPlan.make(source, spec, tables, placement, tuning.readers());
        }
        creation.run(
                IntStream.range(0, targets.size())
                        .filter(i -> checkpoints.get(i).isEmpty())
                        .mapToObj(spec.targets()::get)
                        .toList(),
                tables);
        for (int i = 0; i < targets.size(); i++) {
            if (checkpoints.get(i).isEmpty()) {
                // The way back begins here.
                Source.mark(targets.get(i));
                stores.get(i).begin(targets.get(i), spec.source().uid(), null, start, plan);
                targets.get(i).commit();
            }
        }
    }

    private void beginStream(List<Table> tables, List<Optional<Checkpoint>> checkpoints, String startFrom)
            throws SQLException {
        for (int i = 0; i < targets.size(); i++) {
            TargetSchema.check(targets.get(i), name(i), tables);
            if (checkpoints.get(i).isEmpty()) {
                stores.get(i)
                        .begin(targets.get(i), spec.source().uid(), startFrom, GtidSet.parse(startFrom), List.of());
            }
            targets.get(i).commit();
        }
    }

    private Prepared collect(List<Table> tables, Placement placement) throws SQLException {
        var applied = new ArrayList<GtidSet>();
        var progress = new ArrayList<List<Progress>>();
        for (int i = 0; i < targets.size(); i++) {
            applied.add(stores.get(i)
                    .takeOver(targets.get(i))
                    .orElseThrow(() -> new MoveException("the checkpoint of stream " + spec.stream() + " was deleted"))
                    .applied());
            progress.add(stores.get(i).progress(targets.get(i)));
            targets.get(i).commit();
        }
        return new Prepared(tables, placement, applied, progress);
    }

    private void checkLogs(GtidSet position) throws SQLException {
        var executed = Source.executed(source);
        if (!executed.containsAll(position)) {
            throw reset(executed, position);
        }
        var purged = Source.purged(source);
        if (!position.containsAll(purged)) {
            throw new MoveException(
                    "the source has purged binary logs that the targets still need: it lacks " + purged
                            + ", the targets have applied " + position
                            + "; start the workflow again with new targets, and keep the logs longer (binlog_expire_logs_seconds)");
        }
    }

    static MoveException reset(GtidSet executed, GtidSet position) {
        return new MoveException(
                "the source's binary logs were reset, or its data is older than it was: it has executed "
                        + executed + ", and the targets have applied " + position
                        + "; changes may be missing, so start the workflow again with new targets");
    }

    private String name(int target) {
        return MoverRun.name(spec.targets().get(target));
    }
}
