package dev.shardwright.reshard.stream;

import dev.shardwright.mysql.binlog.GtidSet;
import dev.shardwright.reshard.copy.Frontier;
import dev.shardwright.reshard.copy.Partition;
import dev.shardwright.reshard.table.Row;
import dev.shardwright.reshard.table.Table;
import dev.shardwright.reshard.table.Tally;
import dev.shardwright.reshard.verify.Comparison;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies one target's queue, in order, in as few transactions as it can: each holds whole transactions of
 * the source, the checkpoint, and the check of the fencing token.
 *
 * <p>Transactions that load rows of the copy are not in the target's binary log, whose history is whole from the copy's end
 * on: nobody reads it before, and to write it costs a quarter of the servers' work.
 */
public final class Applier {
    private static final long BATCH_BYTES = 8L << 20;
    private static final long SHORTEST_LINGER = Duration.ofMillis(5).toNanos();
    private static final long LONGEST_LINGER = Duration.ofMillis(20).toNanos();
    /** Several of these are within what counts as caught up. */
    private static final long PATIENCE = Duration.ofMillis(50).toNanos();

    private static final int MAX_TRIES = 20;
    private static final long RETRY_MILLIS = 25;

    /** Told after each commit, on the applier's thread. */
    public interface Listener {
        /** @param nanos that it took */
        void copied(long rows, long nanos);

        /** @param nanos that it took */
        void verified(long rows, long nanos);

        void mismatch(String description);
    }

    private final Connection connection;
    private final String targetName;
    private final TargetStore store;
    private final TargetQueue queue;
    private final Comparison comparison;
    private final Listener listener;
    private final GtidSet applied;
    private volatile GtidSet committed;
    /** When the transaction in hand was begun, as {@link System#nanoTime}; 0 between two of them. */
    private volatile long begunNanos;
    /**
     * How long a target that has nothing to do puts off its checkpoint. As long as a commit takes, so that checkpoints are
     * at most half of its time; no longer, as clients wait for them at a switchover.
     */
    private long lingerNanos = LONGEST_LINGER;

    private boolean logged = true;
    private volatile boolean patient;

    private volatile @Nullable String wholeTable;

    /** @param connection with autocommit off */
    public Applier(
            Connection connection,
            String targetName,
            TargetStore store,
            TargetQueue queue,
            Comparison comparison,
            Listener listener,
            GtidSet applied) {
        this.connection = connection;
        this.targetName = targetName;
        this.store = store;
        this.queue = queue;
        this.comparison = comparison;
        this.listener = listener;
        this.applied = applied.copy();
        this.committed = applied.copy();
    }

    /** The source's transactions that this target has applied for good. Not to be changed. */
    public GtidSet committed() {
        return committed;
    }

    /** How long the target has been at the transaction in hand; zero when there is none. */
    public Duration busy() {
        var begun = begunNanos;
        return begun == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - begun);
    }

    /** The table without a key that the target is filled with or compared in just now; null: none. */
    public @Nullable String wholeTable() {
        return wholeTable;
    }

    public String targetName() {
        return targetName;
    }

    /**
     * While rows are copied or compared nobody waits for the clients' changes, and fewer, larger transactions leave the servers'
     * disks to the clients.
     */
    public void patient(boolean wanted) {
        patient = wanted;
    }

    /** Until it is interrupted or fails. */
    public void run() throws IOException, SQLException, InterruptedException {
        var after = new ArrayList<Runnable>();
        var open = false;
        while (true) {
            var batch = queue.take(BATCH_BYTES, new TargetQueue.Linger(lingerNanos, patient ? PATIENCE : 0));
            batch.forEach(transaction -> transaction.gtids().forEach(applied::add));
            begunNanos = System.nanoTime() | 1;
            if (open) {
                write(batch, after);
            } else {
                begin(batch, after);
            }
            begunNanos = 0;
            open = !batch.getLast().last();
            if (!open) {
                committed = applied.copy();
                after.forEach(Runnable::run);
                after.clear();
            }
        }
    }

    /** The first batch of a transaction can be tried again; when a later one is, the earlier pieces are not here any more. */
    private void begin(List<QueuedTransaction> batch, List<Runnable> after)
            throws IOException, SQLException, InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                after.clear();
                log(batch.stream().noneMatch(QueuedTransaction::loads));
                store.checkFence(connection);
                write(batch, after);
                return;
            } catch (SQLException e) {
                if (!SqlErrors.isConflict(e) || tries == MAX_TRIES || isPoured(batch)) {
                    throw e;
                }
                connection.rollback();
                Thread.sleep(RETRY_MILLIS * tries);
            }
        }
    }

    /** Not within a transaction, where MySQL refuses to change it. */
    private void log(boolean wanted) throws SQLException {
        if (wanted != logged) {
            try (var statement = connection.createStatement()) {
                statement.execute("SET SESSION sql_log_bin = " + (wanted ? "ON" : "OFF"));
            }
            logged = wanted;
        }
    }

    /** Whether rows that came past once, and won't again, are in it. */
    private static boolean isPoured(List<QueuedTransaction> batch) {
        return batch.stream().flatMap(transaction -> transaction.ops().stream()).anyMatch(op -> switch (op) {
            case Op.Fill fill -> fill.rows().isBegun();
            case Op.Count count -> count.rows().isBegun();
            default -> false;
        });
    }

    /** Commits, unless the last transaction's other pieces are still to come. */
    private void write(List<QueuedTransaction> batch, List<Runnable> after)
            throws IOException, SQLException, InterruptedException {
        var writer = new RowWriter(connection, targetName);
        var reached = store.new Reached();
        for (var transaction : batch) {
            for (var op : transaction.ops()) {
                apply(op, writer, reached, after);
            }
        }
        writer.flush();
        reached.save(connection);
        if (batch.getLast().last()) {
            var began = System.nanoTime();
            store.saveCheckpoint(connection, applied);
            connection.commit();
            lingerNanos = Math.clamp(System.nanoTime() - began, SHORTEST_LINGER, LONGEST_LINGER);
        }
    }

    private void apply(Op op, RowWriter writer, TargetStore.Reached reached, List<Runnable> after)
            throws IOException, SQLException, InterruptedException {
        switch (op) {
            case Op.Insert insert -> writer.insert(insert.table(), insert.row());
            case Op.Update update -> writer.update(update.table(), update.before(), update.after());
            case Op.Delete delete -> writer.delete(delete.table(), delete.row());
            case Op.Load load -> {
                writer.flush();
                load(load, writer, reached, after);
            }
            case Op.Compare compare -> compare(compare, reached, after);
            case Op.Fill fill -> {
                writer.flush();
                fill(fill, writer, reached, after);
            }
            case Op.Count count -> count(count, reached, after);
            case Op.Release release -> after.add(release.applied());
        }
    }

    private void load(Op.Load load, RowWriter writer, TargetStore.Reached reached, List<Runnable> after)
            throws SQLException {
        var rows = load.rows().size();
        var begun = System.nanoTime();
        LoadData.load(connection, targetName, load.table(), load.rows());
        if (load.table().hasDocuments()) {
            for (int i = 0; i < rows; i++) {
                complete(load.table(), load.rows().row(i), writer);
            }
            writer.flush();
        }
        var nanos = System.nanoTime() - begun;
        reached.add(connection, TargetStore.COPY, load.table(), load.partition(), load.frontier(), rows);
        after.add(() -> listener.copied(rows, nanos));
        after.add(load.applied());
    }

    /** Puts into documents what their texts, which were loaded, don't tell. */
    private static void complete(Table table, Row row, RowWriter writer) throws SQLException {
        if (table.isMoreThanText(row)) {
            writer.update(table, table.asText(row), row);
        }
    }

    private void fill(Op.Fill fill, RowWriter writer, TargetStore.Reached reached, List<Runnable> after)
            throws IOException, SQLException, InterruptedException {
        var table = fill.table();
        wholeTable = table.name();
        var rows = 0L;
        var nanos = 0L;
        // Each batch is the server's work of the moment, and waiting for the next one is none.
        for (var batch = next(fill.rows()); batch != null; batch = next(fill.rows())) {
            var begun = System.nanoTime();
            begunNanos = begun | 1;
            var all = batch.rows();
            // To complete the others afterwards would take a search for each.
            LoadData.load(connection, targetName, table, all.only(row -> !table.isMoreThanText(all.row(row))));
            for (int i = 0; i < all.size(); i++) {
                if (table.isMoreThanText(all.row(i))) {
                    writer.insert(table, all.row(i));
                }
            }
            writer.flush();
            batch.done().run();
            rows += all.size();
            nanos += System.nanoTime() - begun;
        }
        begunNanos = System.nanoTime() | 1;
        done(reached, TargetStore.COPY, table, fill.partition(), rows);
        var copied = rows;
        var taken = nanos;
        after.add(() -> listener.copied(copied, taken));
        after.add(fill.applied());
    }

    private RowPipe.@Nullable Batch next(RowPipe rows) throws InterruptedException {
        begunNanos = 0;
        return rows.take();
    }

    private void done(TargetStore.Reached reached, String phase, Table table, Partition partition, long rows)
            throws SQLException {
        wholeTable = null;
        reached.add(connection, phase, table, partition, Frontier.COMPLETE, rows);
    }

    /** As with a chunk, what comes before it in the queue has been committed. */
    private void count(Op.Count count, TargetStore.Reached reached, List<Runnable> after)
            throws IOException, SQLException, InterruptedException {
        var table = count.table();
        wholeTable = table.name();
        begunNanos = 0;
        var begun = System.nanoTime();
        var found = comparison.tally(table);
        var nanos = System.nanoTime() - begun;
        var wanted = new Tally(table);
        for (var batch = next(count.rows()); batch != null; batch = next(count.rows())) {
            for (int i = 0; i < batch.rows().size(); i++) {
                wanted.add(batch.rows().row(i));
            }
            batch.done().run();
        }
        begunNanos = System.nanoTime() | 1;
        var difference = comparison.compare(table, wanted, found);
        if (difference.isPresent()) {
            store.saveMismatch(connection, difference.get());
            after.add(() -> listener.mismatch(difference.get()));
        }
        done(reached, TargetStore.VERIFY, table, count.partition(), wanted.rows());
        after.add(() -> listener.verified(wanted.rows(), nanos));
        after.add(count.applied());
    }

    /** What comes before it in the queue has been committed, and nobody else may write. */
    private void compare(Op.Compare compare, TargetStore.Reached reached, List<Runnable> after)
            throws IOException, SQLException {
        var rows = compare.chunk().rows().size();
        var begun = System.nanoTime();
        var differences = comparison.compare(compare.table(), compare.partition(), compare.chunk());
        var nanos = System.nanoTime() - begun;
        for (var difference : differences) {
            store.saveMismatch(connection, difference);
            after.add(() -> listener.mismatch(difference));
        }
        reached.add(connection, TargetStore.VERIFY, compare.table(), compare.partition(), compare.frontier(), rows);
        after.add(() -> listener.verified(rows, nanos));
        after.add(compare.applied());
    }
}
