package dev.shardwright.reshard.mover;

import dev.shardwright.mysql.binlog.BinlogEvent;
import dev.shardwright.mysql.binlog.Gtid;
import dev.shardwright.mysql.binlog.GtidSet;
import dev.shardwright.mysql.binlog.RowDecoder;
import dev.shardwright.mysql.binlog.RowImage;
import dev.shardwright.mysql.binlog.RowsEvent;
import dev.shardwright.mysql.binlog.TransactionReader;
import dev.shardwright.reshard.copy.ChunkHandoff;
import dev.shardwright.reshard.copy.Countdown;
import dev.shardwright.reshard.copy.Reconciler;
import dev.shardwright.reshard.copy.Watermarks;
import dev.shardwright.reshard.stream.Op;
import dev.shardwright.reshard.stream.QueuedTransaction;
import dev.shardwright.reshard.stream.TargetQueue;
import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.Row;
import dev.shardwright.reshard.table.Table;
import dev.shardwright.reshard.table.Weights;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Follows the source's binary log and gives each target, in order, what it has to do. One thread. */
final class StreamFollower {
    /** Of row events that are decoded at once. */
    private static final int PIECE_BYTES = 1 << 20;

    private final MoverSpec spec;
    private final TransactionReader reader;
    private final Reconciler reconciler;
    private final Watermarks watermarks;
    private final ChunkHandoff handoff;
    private final Weights weights;
    private final Map<String, Table> tables = new HashMap<>();
    private final List<TargetQueue> queues;
    private final List<GtidSet> appliedBefore;
    private final StatementRules rules;
    private final Map<Gtid, Long> prepared = new ConcurrentHashMap<>();

    /**
     * @param weights on a connection that only this thread uses
     * @param appliedBefore what each target had applied when the stream began
     */
    StreamFollower(
            MoverSpec spec,
            TransactionReader reader,
            Reconciler reconciler,
            Watermarks watermarks,
            ChunkHandoff handoff,
            Weights weights,
            List<Table> tables,
            List<TargetQueue> queues,
            List<GtidSet> appliedBefore) {
        this.spec = spec;
        this.reader = reader;
        this.reconciler = reconciler;
        this.watermarks = watermarks;
        this.handoff = handoff;
        this.weights = weights;
        tables.forEach(table -> this.tables.put(table.name(), table));
        this.queues = queues;
        this.appliedBefore = appliedBefore;
        this.rules = new StatementRules(spec.keyspace());
    }

    /** XA branches that have been seen prepared and not resolved, with the second since 1970 in which they were. */
    Map<Gtid, Long> prepared() {
        return prepared;
    }

    /** When the source wrote what was read last, in seconds since 1970 by its clock; 0: nothing yet. */
    long readSeconds() {
        return reader.seconds();
    }

    void run() throws IOException, SQLException, InterruptedException {
        while (true) {
            switch (reader.next()) {
                case BinlogEvent.Transaction transaction -> transaction(transaction);
                case BinlogEvent.Statement statement -> statement(statement);
                case BinlogEvent.Prepared branch -> prepared.put(branch.gtid(), reader.seconds());
                case BinlogEvent.UnknownXaCommit commit -> unknown(commit);
                case BinlogEvent.Heartbeat unused -> {}
            }
        }
    }

    private void statement(BinlogEvent.Statement statement) throws InterruptedException {
        if (!rules.isHarmless(statement.database(), statement.sql())) {
            throw new MoveException("the source's schema was changed while its rows were moved, by: " + statement.sql()
                    + "; start the workflow again with new targets, and leave the schema alone meanwhile");
        }
        enqueue(List.of(statement.gtid()), empty());
    }

    /** Harmless if all of its rows are still to be read. */
    private void unknown(BinlogEvent.UnknownXaCommit commit) throws InterruptedException {
        for (int target = 0; target < queues.size(); target++) {
            if (isFresh(target, commit.gtid()) && (spec.startFrom() != null || reconciler.hasRows(target))) {
                throw new MoveException(
                        "XA transaction " + commit.xid() + " was committed by " + commit.gtid()
                                + ", but its rows were logged before this stream began; start the workflow again with new targets");
            }
        }
        enqueue(List.of(commit.gtid()), empty());
    }

    private void transaction(BinlogEvent.Transaction transaction)
            throws IOException, SQLException, InterruptedException {
        var last = transaction.gtids().getLast();
        var out = empty();
        var rows = transaction.rows();
        var cursor = rows.read();
        var changes = new ArrayList<TableChange>();
        var bytes = 0;
        for (var event = cursor.next(); event != null; event = cursor.next()) {
            bytes += event.bytes();
            decode(event, changes, out);
            if (bytes >= PIECE_BYTES) {
                // The next may be as large again.
                apply(changes, last, out);
                enqueuePiece(out);
                changes.clear();
                bytes = 0;
            }
        }
        apply(changes, last, out);
        if (rows.holdsLarge()) {
            var release = new Op.Release(new Countdown(queues.size(), rows::close));
            out.forEach(ops -> ops.add(release));
        } else {
            rows.close();
        }
        transaction.gtids().forEach(prepared::remove);
        enqueue(transaction.gtids(), out);
    }

    private void decode(RowsEvent rows, List<TableChange> changes, List<List<Op>> out) throws IOException {
        var map = rows.table();
        if (map.schema().equals(Watermarks.SCHEMA) && map.table().equals(Watermarks.TABLE)) {
            watermarks(rows, out);
        } else if (map.schema().equals(spec.keyspace())) {
            decode(rows, changes);
        }
    }

    private void apply(List<TableChange> changes, Gtid gtid, List<List<Op>> out) throws SQLException {
        ask(changes);
        for (var change : changes) {
            apply(change, gtid, out);
        }
    }

    private record TableChange(
            Table table, @Nullable Row before, @Nullable Row after, boolean keyed) {}

    private void decode(RowsEvent rows, List<TableChange> into) throws IOException {
        var table = tables.get(rows.table().table());
        if (table == null) {
            throw new MoveException("table " + rows.table().table() + " of the source was created after the move began;"
                    + " start the workflow again with new targets, and leave the schema alone meanwhile");
        }
        var keyed = reconciler.needsKeys(table);
        for (var change : RowDecoder.decode(rows, table.formats())) {
            into.add(new TableChange(table, row(change.before()), row(change.after()), keyed));
        }
    }

    private static @Nullable Row row(@Nullable RowImage image) {
        return image == null ? null : new Row(image);
    }

    /** Asks for all weights at once. */
    private void ask(List<TableChange> changes) throws SQLException {
        var questions = new ArrayList<Weights.Question>();
        for (var change : changes) {
            if (change.keyed) {
                questions(change.table, change.before, questions);
                questions(change.table, change.after, questions);
            }
        }
        weights.ask(questions);
    }

    private static void questions(Table table, @Nullable Row row, List<Weights.Question> into) {
        if (row != null) {
            var values = table.keyOf(row);
            var columns = table.keyColumns();
            for (int i = 0; i < values.length; i++) {
                if (columns.get(i).isText()) {
                    into.add(new Weights.Question(columns.get(i), values[i]));
                }
            }
        }
    }

    private void apply(TableChange change, Gtid gtid, List<List<Op>> out) throws SQLException {
        var keys = change.keyed
                ? new Reconciler.Keys(
                        change.before == null ? null : weights.encode(change.table, change.table.keyOf(change.before)),
                        change.after == null ? null : weights.encode(change.table, change.table.keyOf(change.after)))
                : null;
        reconciler.change(change.table, change.before, change.after, keys, target -> isFresh(target, gtid), out);
    }

    private boolean isFresh(int target, Gtid gtid) {
        return !appliedBefore.get(target).contains(gtid);
    }

    private void watermarks(RowsEvent rows, List<List<Op>> out) throws IOException {
        for (var change : RowDecoder.decode(rows, Watermarks.FORMATS)) {
            var after = row(change.after());
            if (after != null) {
                watermarks.read(after).ifPresent(watermark -> watermark(watermark, out));
            }
        }
    }

    private void watermark(Watermarks.Watermark watermark, List<List<Op>> out) {
        if (!watermark.high()) {
            reconciler.low(watermark.slot(), watermark.mark());
            return;
        }
        handoff.takePass(watermark.mark())
                .ifPresent(pass -> pass.entered().complete(reconciler.pass(watermark.slot(), pass, out)));
        handoff.take(watermark.mark())
                .ifPresent(offer -> offer.entered()
                        .complete(reconciler.high(
                                watermark.slot(), watermark.mark(), offer.chunk(), offer.applied(), out)));
    }

    private List<List<Op>> empty() {
        var out = new ArrayList<List<Op>>();
        queues.forEach(unused -> out.add(new ArrayList<>()));
        return out;
    }

    private void enqueue(List<Gtid> gtids, List<List<Op>> out) throws InterruptedException {
        for (int target = 0; target < queues.size(); target++) {
            queues.get(target).put(QueuedTransaction.last(gtids, out.get(target)));
        }
    }

    /** Leaves {@code out} empty. */
    private void enqueuePiece(List<List<Op>> out) throws InterruptedException {
        for (int target = 0; target < queues.size(); target++) {
            if (!out.get(target).isEmpty()) {
                queues.get(target).put(QueuedTransaction.piece(out.get(target)));
                out.set(target, new ArrayList<>());
            }
        }
    }
}
