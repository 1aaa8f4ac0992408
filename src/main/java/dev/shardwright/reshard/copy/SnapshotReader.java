package dev.shardwright.reshard.copy;

import dev.shardwright.mysql.client.RowConnection;
import dev.shardwright.mysql.client.SoftHeap;
import dev.shardwright.reshard.copy.Watermarks.Watermark;
import dev.shardwright.reshard.table.MoveException;
import dev.shardwright.reshard.table.RowBatch;
import dev.shardwright.reshard.table.Table;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Reads tables without a key, each in one pass over one snapshot. The table is locked against writes just while the
 * snapshot opens and a watermark is written, so the watermark's place in the binary log is the snapshot's. One thread with three
 * connections to the source.
 */
public final class SnapshotReader {
    /** While we wait for the lock, whoever wants to write to the table waits behind us. */
    private static final int LOCK_WAIT_SECONDS = 1;
    /** A source that hears nothing more of us gives the lock back by itself. */
    private static final int LOCK_IDLE_SECONDS = 10;

    private static final int LOCK_TRIES = 60;
    private static final int QUIET_TRIES = 2;
    private static final long FIRST_PAUSE_MILLIS = 250;
    private static final long MAX_PAUSE_MILLIS = 5_000;
    private static final int LOCK_WAIT_TIMEOUT = 1205;

    private final Connection lock;
    private final Connection source;
    private final RowConnection rows;
    private final ChunkReader.Shared shared;
    private final Reconciler.Owners owners;

    /**
     * @param lock to the source, for the lock alone
     * @param source with autocommit on, for the watermark
     * @param rows to the same server, for the snapshot
     */
    public SnapshotReader(
            Connection lock,
            Connection source,
            RowConnection rows,
            ChunkReader.Shared shared,
            Reconciler.Owners owners) {
        this.lock = lock;
        this.source = source;
        this.rows = rows;
        this.shared = shared;
        this.owners = owners;
    }

    /** Reads the table; returns when every target has its rows, or has compared them. */
    public void walk(PartitionState state) throws IOException, SQLException, InterruptedException {
        var applied = new CountDownLatch(shared.targets());
        var pass = Pass.of(shared.targets(), applied::countDown);
        rows.execute("SET SESSION transaction_isolation = 'REPEATABLE-READ', net_write_timeout = 86400");
        lock(state.table());
        rows.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
        var mark = shared.marks().incrementAndGet();
        shared.handoff().offer(mark, pass);
        shared.watermarks().write(source, List.of(new Watermark(state.slot(), mark, true)));
        // Fails if the lock was lost meanwhile.
        execute("UNLOCK TABLES");
        execute("SET SESSION wait_timeout = 86400");
        read(state.table(), pass, ChunkHandoff.answer(pass.entered()));
        rows.execute("COMMIT");
        applied.await();
    }

    private void lock(Table table) throws SQLException, InterruptedException {
        execute("SET SESSION lock_wait_timeout = " + LOCK_WAIT_SECONDS + ", wait_timeout = " + LOCK_IDLE_SECONDS);
        var pause = FIRST_PAUSE_MILLIS;
        for (int tries = 1; !isLocked(table); tries++) {
            var why = "table " + table.name()
                    + " has no key that can be followed, so it is read in one snapshot, which can't begin while a transaction that has written to it"
                    + " is open; for " + tries + " times of " + LOCK_WAIT_SECONDS + " s there was always one";
            if (tries == LOCK_TRIES) {
                throw new MoveException(
                        why
                                + "; start the workflow again when there are none that are so long, or give the table another key");
            }
            if (tries > QUIET_TRIES) {
                shared.listener().waiting(why);
            }
            // Less than the time after which the source would end the session.
            Thread.sleep(pause);
            pause = Math.min(MAX_PAUSE_MILLIS, 2 * pause);
        }
        shared.listener().waiting(null);
    }

    private boolean isLocked(Table table) throws SQLException {
        try {
            execute("LOCK TABLES " + table.quoted() + " READ");
            return true;
        } catch (SQLException e) {
            if (e.getErrorCode() == LOCK_WAIT_TIMEOUT) {
                return false;
            }
            throw e;
        }
    }

    private void execute(String sql) throws SQLException {
        shared.statements().incrementAndGet();
        try (var statement = lock.createStatement()) {
            statement.execute(sql);
        }
    }

    private void read(Table table, Pass pass, BitSet taking) throws IOException, InterruptedException {
        if (!taking.isEmpty()) {
            var batches = new Batches(table, pass, taking);
            shared.statements().incrementAndGet();
            ChunkRange.read(rows, table, ChunkRange.all(table), batches);
            batches.hand();
        }
        for (int target = taking.nextSetBit(0); target >= 0; target = taking.nextSetBit(target + 1)) {
            pass.pipes().get(target).end();
        }
    }

    /** Hands the rows on in batches, and rests after each as the throttle wants. */
    private final class Batches implements RowConnection.Rows {
        private final Table table;
        private final Pass pass;
        private final BitSet taking;
        private RowBatch.Builder rows;
        private BytesBudget.Share room;
        private int maxRows;
        private long begun;

        Batches(Table table, Pass pass, BitSet taking) throws InterruptedException {
            this.table = table;
            this.pass = pass;
            this.taking = taking;
            begin(ChunkReader.SHARE_BYTES);
        }

        private void begin(long share) throws InterruptedException {
            room = shared.room().take(share);
            SoftHeap.keep(ChunkReader.SHARE_BYTES);
            rows = new RowBatch.Builder(table);
            maxRows = shared.throttle().maxChunkRows(shared.chunkRows());
            begun = System.nanoTime();
        }

        @Override
        public boolean large(int length) throws IOException {
            next(ChunkReader.shareOf(length));
            return true;
        }

        @Override
        public boolean row(byte[] packet, int from, int to, boolean own) throws IOException {
            rows.addSelected(packet, from, own);
            if (own || rows.size() >= maxRows || rows.bytes() > ChunkReader.CHUNK_BYTES) {
                next(ChunkReader.SHARE_BYTES);
            }
            return true;
        }

        private void next(long share) throws IOException {
            try {
                hand();
                begin(share);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        }

        /** Each target gets its rows; the last one that is done with them gives back their memory. */
        void hand() throws InterruptedException {
            var now = System.nanoTime();
            shared.listener().read(rows.bytes(), now - begun);
            shared.throttle().read(rows.size(), now);
            room.keep(rows.bytes());
            var split = owners.split(table, rows.build(), shared.targets());
            var owning = taking.stream()
                    .filter(target -> !split.get(target).isEmpty())
                    .toArray();
            // One more, as there may be none.
            var done = new Countdown(owning.length + 1, room::giveBack);
            for (var target : owning) {
                pass.pipes().get(target).put(split.get(target), done);
            }
            done.run();
            shared.throttle().pause(begun);
        }
    }
}
