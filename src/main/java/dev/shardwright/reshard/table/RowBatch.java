package dev.shardwright.reshard.table;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Rows in the order of their keys, if their table has one, each with its key's place, one behind the other in one piece of memory: there are
 * millions, and as objects of their own they would cost more than all that is done with them. Immutable, thread-safe.
 */
public final class RowBatch {
    /** Of each row: where its values begin, where its key begins, where that ends. */
    private static final int BOUNDS = 3;

    private static final int OVERHEAD = BOUNDS * Integer.BYTES;

    private final byte[] memory;
    private final int[] bounds;
    private final int size;

    private RowBatch(byte[] memory, int[] bounds, int size) {
        this.memory = memory;
        this.bounds = bounds;
        this.size = size;
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public Row row(int index) {
        return new Row(memory, bounds[BOUNDS * index], bounds[BOUNDS * index + 1]);
    }

    public Key key(int index) {
        return new Key(Arrays.copyOfRange(memory, bounds[BOUNDS * index + 1], bounds[BOUNDS * index + 2]));
    }

    /** As {@code key(index).compareTo(key)}. */
    public int compareKey(int index, Key key) {
        return key.compareWith(memory, bounds[BOUNDS * index + 1], bounds[BOUNDS * index + 2]);
    }

    /** Compares the keys of two rows of two batches of one table. */
    public int compareKeys(int index, RowBatch other, int otherIndex) {
        return Arrays.compareUnsigned(
                memory,
                bounds[BOUNDS * index + 1],
                bounds[BOUNDS * index + 2],
                other.memory,
                other.bounds[BOUNDS * otherIndex + 1],
                other.bounds[BOUNDS * otherIndex + 2]);
    }

    /** A row's packed values, not to be changed. */
    public ByteBuffer values(int index) {
        var from = bounds[BOUNDS * index];
        return ByteBuffer.wrap(memory, from, bounds[BOUNDS * index + 1] - from);
    }

    /** Whether a row has the same values as one of another batch, in the same form. */
    public boolean sameValues(int index, RowBatch other, int otherIndex) {
        return Arrays.equals(
                memory,
                bounds[BOUNDS * index],
                bounds[BOUNDS * index + 1],
                other.memory,
                other.bounds[BOUNDS * otherIndex],
                other.bounds[BOUNDS * otherIndex + 1]);
    }

    /** Those of its rows that {@code wanted} says of their index, in the same memory. */
    public RowBatch only(IntPredicate wanted) {
        var indexes = new int[size];
        var found = 0;
        for (int i = 0; i < size; i++) {
            if (wanted.test(i)) {
                indexes[found++] = i;
            }
        }
        return only(Arrays.copyOf(indexes, found));
    }

    /** The rows with these indexes, which ascend, in the same memory. */
    public RowBatch only(int[] indexes) {
        var some = new int[BOUNDS * indexes.length];
        for (int i = 0; i < indexes.length; i++) {
            System.arraycopy(bounds, BOUNDS * indexes[i], some, BOUNDS * i, BOUNDS);
        }
        return new RowBatch(memory, some, indexes.length);
    }

    /** The same rows in no more memory than they need; all of this one's rows must be one behind the other. */
    public RowBatch trimmed() {
        return new RowBatch(
                Arrays.copyOf(memory, size == 0 ? 0 : bounds[BOUNDS * size - 1]),
                Arrays.copyOf(bounds, BOUNDS * size),
                size);
    }

    /** About what its rows take of the heap. */
    public long bytes() {
        long bytes = 0;
        for (int i = 0; i < size; i++) {
            bytes += OVERHEAD + bounds[BOUNDS * i + 2] - bounds[BOUNDS * i];
        }
        return bytes;
    }

    /** Collects rows. Not thread-safe. */
    public static final class Builder {
        private static final int FIRST_ROWS = 64;
        private static final int FIRST_BYTES = 16 << 10;
        /** More memory than that is not kept for other rows. */
        private static final int LARGE_BYTES = 8 << 20;

        private final Table table;
        private final Column[] columns;
        private final Column[] keyColumns;
        /** Where each selected value begins, and how long it is; -1 for NULL. */
        private final int[] starts;

        private final int[] lengths;
        private final PackedValues packed = new PackedValues(new byte[0], 0);
        private final Bytes key = new Bytes(64);
        private Bytes memory;
        private int[] bounds = new int[BOUNDS * FIRST_ROWS];
        private int size;

        public Builder(Table table) {
            this(table, FIRST_BYTES);
        }

        /** @param bytes that it will hold, if they are known; more may come */
        public Builder(Table table, int bytes) {
            this.table = table;
            this.memory = new Bytes(Math.max(FIRST_BYTES, bytes));
            this.columns = table.columns().toArray(Column[]::new);
            this.keyColumns = table.keyColumns().toArray(Column[]::new);
            this.starts = new int[columns.length + keyColumns.length];
            this.lengths = new int[starts.length];
        }

        public int size() {
            return size;
        }

        /** Of all rows. */
        public long bytes() {
            return memory.size() + (long) OVERHEAD * size;
        }

        /** Another row whose key is known. */
        public void add(Row row, Key key) {
            begin();
            row.putInto(memory);
            keyBegins();
            memory.put(key.bytes(), 0, key.length());
            end();
        }

        /** A row of another batch of this table's. */
        public void add(RowBatch batch, int index) {
            begin();
            var at = BOUNDS * index;
            memory.put(batch.memory, batch.bounds[at], batch.bounds[at + 1] - batch.bounds[at]);
            keyBegins();
            memory.put(batch.memory, batch.bounds[at + 1], batch.bounds[at + 2] - batch.bounds[at + 1]);
            end();
        }

        /**
         * A row of a result of {@link Table#selectList}, as a packet of the text protocol: packed values.
         * MoveException unless its key sorts after the one before.
         */
        public void addSelected(byte[] packet, int from) {
            add(packet, from, scan(packet, from));
        }

        /**
         * As {@link #addSelected(byte[], int)}.
         *
         * @param own whether the packet is the builder's from now on; as the first row it is not copied, if there is room behind it
         *     for its key
         */
        public void addSelected(byte[] packet, int from, boolean own) {
            if (own && size() == 0) {
                addLarge(packet, from);
            } else {
                addSelected(packet, from);
            }
        }

        private void addLarge(byte[] packet, int from) {
            var end = scan(packet, from);
            key.cut(0);
            if (end >= 0) {
                putKey(packet, key);
            }
            if (end < 0 || packet.length - end < key.size()) {
                add(packet, from, end);
                return;
            }
            System.arraycopy(key.array(), 0, packet, end, key.size());
            memory = new Bytes(packet, end + key.size());
            bounds[0] = from;
            bounds[1] = end;
            end();
        }

        /** Finds the values; returns where those of the columns end, -1 unless all are in their one form. */
        private int scan(byte[] packet, int from) {
            var normal = true;
            packed.restart(packet, from);
            for (int i = 0; i < columns.length; i++) {
                packed.next();
                starts[i] = packed.start();
                lengths[i] = packed.length();
                normal &= lengths[i] < 0 || columns[i].isNormal(packet, starts[i], lengths[i]);
            }
            var end = packed.end();
            for (int i = 0, at = columns.length; i < keyColumns.length; i++) {
                if (keyColumns[i].isText()) {
                    packed.next();
                    starts[at] = packed.start();
                    lengths[at++] = packed.length();
                }
            }
            return normal ? end : -1;
        }

        private void add(byte[] packet, int from, int end) {
            begin();
            if (end >= 0) {
                memory.put(packet, from, end - from);
            } else {
                for (int i = 0; i < columns.length; i++) {
                    memory.putPacked(columns[i].normal(slice(packet, i)));
                }
            }
            keyBegins();
            putKey(packet, memory);
            end();
            checkOrder();
        }

        private byte @Nullable [] slice(byte[] packet, int value) {
            return lengths[value] < 0
                    ? null
                    : Arrays.copyOfRange(packet, starts[value], starts[value] + lengths[value]);
        }

        private void putKey(byte[] packet, Bytes out) {
            var weight = columns.length;
            for (int i = 0; i < keyColumns.length; i++) {
                var value = keyColumns[i].isText() ? weight++ : table.key().get(i);
                if (lengths[value] < 0) {
                    throw new MoveException("a row of table " + table.name() + " has NULL in its key");
                }
                KeyEncoder.put(keyColumns[i], packet, starts[value], lengths[value], out);
            }
        }

        private void begin() {
            if (BOUNDS * size == bounds.length) {
                bounds = Arrays.copyOf(bounds, 2 * bounds.length);
            }
            bounds[BOUNDS * size] = memory.size();
        }

        private void keyBegins() {
            bounds[BOUNDS * size + 1] = memory.size();
        }

        private void end() {
            bounds[BOUNDS * size + 2] = memory.size();
            size++;
        }

        /** Everything rests on our order of keys being MySQL's, so it is checked with each row. */
        private void checkOrder() {
            var at = BOUNDS * (size - 1);
            var bytes = memory.array();
            if (keyColumns.length > 0
                    && size > 1
                    && Arrays.compareUnsigned(
                                    bytes, bounds[at - 2], bounds[at - 1], bytes, bounds[at + 1], bounds[at + 2])
                            >= 0) {
                throw unordered(table, build().row(size - 1));
            }
        }

        /** What has been collected. It is good until the next row is added. */
        public RowBatch build() {
            return new RowBatch(memory.array(), bounds, size);
        }

        /** Forgets all rows. */
        public void clear() {
            memory = memory.array().length > LARGE_BYTES ? new Bytes(FIRST_BYTES) : memory;
            memory.cut(0);
            size = 0;
        }
    }

    /** What to say of a row that MySQL sorts elsewhere than its key's place says. */
    public static MoveException unordered(Table table, Row row) {
        return new MoveException("table " + table.name() + ": MySQL sorts row " + table.rowName(row)
                + " in a way that is not understood; its key's type or collation can't be moved");
    }
}
