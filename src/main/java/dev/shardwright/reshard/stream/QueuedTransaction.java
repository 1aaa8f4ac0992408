package dev.shardwright.reshard.stream;

import dev.shardwright.mysql.binlog.Gtid;
import java.util.List;

/** What one transaction of the source means for one target; often nothing but that the target has seen it. */
public record QueuedTransaction(List<Gtid> gtids, List<Op> ops) {
    private static final int OVERHEAD = 150;

    long bytes() {
        return OVERHEAD + ops.stream().mapToLong(Op::bytes).sum();
    }
}
