package dev.shardwright.reshard.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.binlog.Gtid;
import dev.shardwright.reshard.stream.TargetQueue.Linger;
import dev.shardwright.reshard.table.Row;
import dev.shardwright.reshard.table.Table;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who lingers in these tests does so for longer than a test may take. */
@Timeout(60)
class TargetQueueTest {
    private static final long BYTES = 1 << 20;
    private static final long LONG = TimeUnit.HOURS.toNanos(1);
    private static final Linger WRITING = new Linger(0, LONG);

    private static final Table TABLE = new Table("app", "t", List.of(), "PRIMARY", List.of(), "", 0, 1);

    private final TargetQueue queue = new TargetQueue(1_000);
    private int transactions;

    private QueuedTransaction transaction(Op... ops) {
        return QueuedTransaction.last(List.of(new Gtid("a", ++transactions)), List.of(ops));
    }

    private QueuedTransaction change() {
        return transaction(new Op.Insert(TABLE, new Row(new byte[][] {new byte[10]})));
    }

    private QueuedTransaction load() {
        return transaction(new Op.Fill(TABLE, null, null, () -> {}));
    }

    private QueuedTransaction compare() {
        return transaction(new Op.Count(TABLE, null, null, () -> {}));
    }

    private CompletableFuture<List<QueuedTransaction>> taking(long upToBytes, Linger linger) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return queue.take(upToBytes, linger);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void awaitEmpty() {
        while (queue.fill() > 0) {
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    void clientsChangesWaitForMoreUntilRowsOfTheCopyCome() throws Exception {
        var first = change();
        var second = change();
        var load = load();
        var taken = taking(BYTES, WRITING);
        queue.put(first);
        awaitEmpty();
        queue.put(second);
        awaitEmpty();
        assertThat(taken).isNotDone();
        queue.put(load);
        assertThat(taken.get()).containsExactly(first, second, load);
    }

    @Test
    void whoIsNotToWaitTakesWhatIsThere() throws Exception {
        var change = change();
        queue.put(change);
        assertThat(queue.take(BYTES, new Linger(LONG, 0))).containsExactly(change);
    }

    @Test
    void aComparisonEndsTheWaitAndIsTakenAloneAfterIt() throws Exception {
        var change = change();
        var compare = compare();
        var taken = taking(BYTES, WRITING);
        queue.put(change);
        awaitEmpty();
        queue.put(compare);
        assertThat(taken.get()).containsExactly(change);
        assertThat(queue.take(BYTES, WRITING)).containsExactly(compare);
    }

    @Test
    void withNothingToDoItWaitsForSomething() throws Exception {
        var nothing = transaction();
        var change = change();
        var taken = taking(BYTES, new Linger(LONG, 0));
        queue.put(nothing);
        awaitEmpty();
        assertThat(taken).isNotDone();
        queue.put(change);
        assertThat(taken.get()).containsExactly(nothing, change);
    }

    @Test
    void aFullBatchDoesNotWait() throws Exception {
        var change = change();
        queue.put(change);
        assertThat(queue.take(change.bytes(), WRITING)).containsExactly(change);
    }

    @Test
    void whoWaitsForRoomGetsItWhileTheOtherLingers() throws Exception {
        var first = change();
        var small = new TargetQueue(first.bytes() + 1);
        small.put(first);
        var second = load();
        var putting = CompletableFuture.runAsync(() -> {
            try {
                small.put(second);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(putting).isNotDone();
        assertThat(small.take(BYTES, WRITING)).containsExactly(first, second);
        putting.get();
    }
}
