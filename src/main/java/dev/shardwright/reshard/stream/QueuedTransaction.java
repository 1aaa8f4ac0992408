package dev.shardwright.reshard.stream;

import dev.shardwright.mysql.binlog.Gtid;
import java.util.List;

/**
 * What one transaction of the source means for one target; often nothing but that the target has seen it. A large one comes in
 * pieces, which the target commits together.
 *
 * @param gtids empty for all pieces but the last
 * @param last false when more pieces of the same transaction follow
 */
public record QueuedTransaction(List<Gtid> gtids, List<Op> ops, boolean last) {
    private static final int OVERHEAD = 150;

    public static QueuedTransaction piece(List<Op> ops) {
        return new QueuedTransaction(List.of(), ops, false);
    }

    public static QueuedTransaction last(List<Gtid> gtids, List<Op> ops) {
        return new QueuedTransaction(gtids, ops, true);
    }

    /** Whether it holds rows of the copy. */
    boolean loads() {
        return ops.stream().anyMatch(op -> op instanceof Op.Load || op instanceof Op.Fill);
    }

    /** Whether it compares: what comes before it must be committed then. */
    boolean compares() {
        return ops.stream().anyMatch(QueuedTransaction::compares);
    }

    private static boolean compares(Op op) {
        return op instanceof Op.Compare || op instanceof Op.Count;
    }

    /** Whether it changes rows of the target. */
    boolean writes() {
        return !ops.stream().allMatch(QueuedTransaction::compares);
    }

    long bytes() {
        return OVERHEAD + ops.stream().mapToLong(Op::bytes).sum();
    }
}
