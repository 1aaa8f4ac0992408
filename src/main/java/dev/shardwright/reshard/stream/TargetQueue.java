package dev.shardwright.reshard.stream;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** One target's transactions in order, bounded in bytes: one thread puts, one takes. */
public final class TargetQueue {
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notFull = lock.newCondition();
    private final Condition notEmpty = lock.newCondition();
    private final ArrayDeque<QueuedTransaction> transactions = new ArrayDeque<>();
    private long bytes;
    /** Whether more pieces follow of the transaction that was taken last. */
    private boolean open;

    public TargetQueue(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Waits for room; one that is larger than the whole queue gets in once the queue is empty. */
    public void put(QueuedTransaction transaction) throws InterruptedException {
        var size = transaction.bytes();
        lock.lockInterruptibly();
        try {
            while (bytes > 0 && bytes + size > maxBytes) {
                notFull.await();
            }
            transactions.add(transaction);
            bytes += size;
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * How long to wait for more transactions once the queue is empty, as each batch costs the target a commit.
     *
     * @param idleNanos while there is nothing to do but to note what the other targets have got
     * @param writingNanos while there are changes of clients; rows of the copy and comparisons never wait
     */
    record Linger(long idleNanos, long writingNanos) {}

    /**
     * Waits for the first transaction, then takes as many as are there, up to about {@code upToBytes}, but none that compares
     * behind one that writes, and lingers for more.
     */
    List<QueuedTransaction> take(long upToBytes, Linger linger) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (transactions.isEmpty()) {
                notEmpty.await();
            }
            var batch = new Batch();
            drain(batch, upToBytes);
            var began = System.nanoTime();
            while (transactions.isEmpty() && batch.bytes < upToBytes) {
                var left = batch.lingerNanos(linger) - (System.nanoTime() - began);
                if (left <= 0) {
                    break;
                }
                notEmpty.awaitNanos(left);
                drain(batch, upToBytes);
            }
            open = !batch.transactions.getLast().last();
            return batch.transactions;
        } finally {
            lock.unlock();
        }
    }

    private void drain(Batch batch, long upToBytes) {
        var before = batch.bytes;
        while (!transactions.isEmpty() && batch.bytes < upToBytes && mayFollow(batch, transactions.getFirst())) {
            batch.add(transactions.remove());
        }
        bytes -= batch.bytes - before;
        notFull.signal();
    }

    /** What is to be compared is what other connections see. */
    private boolean mayFollow(Batch batch, QueuedTransaction next) {
        return batch.transactions.isEmpty() || !next.compares() || !open && !batch.writes;
    }

    /** What was taken, and what there is to know of it without looking at all of it again. */
    private static final class Batch {
        private final List<QueuedTransaction> transactions = new ArrayList<>();
        private long bytes;
        private boolean works;
        private boolean writes;
        private boolean urgent;

        private void add(QueuedTransaction transaction) {
            transactions.add(transaction);
            bytes += transaction.bytes();
            works |= !transaction.ops().isEmpty();
            writes |= transaction.writes();
            urgent |= transaction.loads() || transaction.compares();
        }

        private long lingerNanos(Linger linger) {
            if (!works) {
                return linger.idleNanos();
            }
            return urgent ? 0 : linger.writingNanos();
        }
    }

    /** How full it is, 0 to 1 and, with one very large transaction, beyond. */
    public double fill() {
        lock.lock();
        try {
            return (double) bytes / maxBytes;
        } finally {
            lock.unlock();
        }
    }
}
