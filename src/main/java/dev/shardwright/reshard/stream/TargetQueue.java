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
     * Waits for the first transaction, then takes as many as are there, up to about {@code upToBytes}, but none that compares
     * behind one that writes. If none of them has anything to do, waits up to {@code lingerNanos} for more, so that a target
     * that is idle does not commit for each transaction of the others.
     */
    List<QueuedTransaction> take(long upToBytes, long lingerNanos) throws InterruptedException {
        var taken = new ArrayList<QueuedTransaction>();
        lock.lockInterruptibly();
        try {
            while (transactions.isEmpty()) {
                notEmpty.await();
            }
            var size = drain(taken, upToBytes);
            var left = lingerNanos;
            while (left > 0
                    && transactions.isEmpty()
                    && taken.stream().allMatch(transaction -> transaction.ops().isEmpty())) {
                left = notEmpty.awaitNanos(left);
                size += drain(taken, upToBytes - size);
            }
            open = !taken.getLast().last();
            notFull.signal();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private long drain(List<QueuedTransaction> into, long upToBytes) {
        long size = 0;
        while (!transactions.isEmpty() && size < upToBytes && mayFollow(into, transactions.getFirst())) {
            var next = transactions.remove();
            size += next.bytes();
            into.add(next);
        }
        bytes -= size;
        return size;
    }

    /** What is to be compared is what other connections see. */
    private boolean mayFollow(List<QueuedTransaction> taken, QueuedTransaction next) {
        return taken.isEmpty() || !next.compares() || !open && taken.stream().noneMatch(QueuedTransaction::writes);
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
