package dev.shardwright.reshard.stream;

import dev.shardwright.reshard.copy.Chunk;
import dev.shardwright.reshard.copy.Frontier;
import dev.shardwright.reshard.copy.Partition;
import dev.shardwright.reshard.table.Row;
import dev.shardwright.reshard.table.RowBatch;
import dev.shardwright.reshard.table.Table;

/** One thing that a target has to do, in the order of its queue. */
public sealed interface Op {
    /** About what one takes beside its rows. */
    long SMALL = 100;

    /** About what it takes of the heap. */
    long bytes();

    record Insert(Table table, Row row) implements Op {
        @Override
        public long bytes() {
            return row.bytes();
        }
    }

    /** Both rows have the same primary key. */
    record Update(Table table, Row before, Row after) implements Op {
        @Override
        public long bytes() {
            return before.bytes() + after.bytes();
        }
    }

    record Delete(Table table, Row row) implements Op {
        @Override
        public long bytes() {
            return row.bytes();
        }
    }

    /**
     * A chunk of the copy.
     *
     * @param frontier how far the partition has come on this target with it
     * @param applied called once it is committed
     */
    record Load(Table table, Partition partition, RowBatch rows, Frontier frontier, Runnable applied) implements Op {
        @Override
        public long bytes() {
            return SMALL + rows.bytes();
        }
    }

    /**
     * All rows of a table without a key.
     *
     * @param applied called once they are committed
     */
    record Fill(Table table, Partition partition, RowPipe rows, Runnable applied) implements Op {
        @Override
        public long bytes() {
            return SMALL;
        }
    }

    /**
     * The comparison of a table without a key: the target must have exactly these rows.
     *
     * @param applied called once the comparison is committed
     */
    record Count(Table table, Partition partition, RowPipe rows, Runnable applied) implements Op {
        @Override
        public long bytes() {
            return SMALL;
        }
    }

    /**
     * The end of a transaction some of whose values are in a file.
     *
     * @param applied called once the transaction is committed
     */
    record Release(Runnable applied) implements Op {
        @Override
        public long bytes() {
            return SMALL;
        }
    }

    /**
     * A chunk of the comparison: the target must have exactly these rows in its keys.
     *
     * @param applied called once the comparison is committed
     */
    record Compare(Table table, Partition partition, Chunk chunk, Frontier frontier, Runnable applied) implements Op {
        @Override
        public long bytes() {
            return SMALL + chunk.rows().bytes();
        }
    }
}
