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
     * How long to wait for more transactions once the queue is empty, each costs the target a commit otherwise.
     *
     * @param idleNanos while there is nothing to do but to note what the other targets have got
     * @param writingNanos while there are changes of clients; rows of the copy never wait
     */
    record Linger(long idleNanos, long writingNanos) {
        long after(List<QueuedTransaction> taken) {
            if (taken.stream().allMatch(transaction -> transaction.ops().isEmpty())) {
                return idleNanos;
            }
            return taken.stream().anyMatch(transaction -> transaction.loads() || transaction.compares())
                    ? 0
                    : writingNanos;
        }
    }

    /**
     * Waits for the first transaction, then takes as many as are there, up to about {@code upToBytes}, but none that compares
     * behind one that writes, and lingers for more.
     */
    List<QueuedTransaction> take(long upToBytes, Linger linger) throws InterruptedException {
        var taken = new ArrayList<QueuedTransaction>();
        lock.lockInterruptibly();
        try {
            while (transactions.isEmpty()) {
                notEmpty.await();
            }
            var size = drain(taken, upToBytes);
            var began = System.nanoTime();
            while (transactions.isEmpty() && size < upToBytes) {
                var left = linger.after(taken) - (System.nanoTime() - began);
                if (left <= 0) {
                    break;
                }
                notEmpty.awaitNanos(left);
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
