package dev.shardwright.reshard.verify;

import dev.shardwright.mysql.binlog.ColumnKind;
import dev.shardwright.mysql.client.RowConnection;
import dev.shardwright.mysql.client.RowConnections;
import dev.shardwright.reshard.copy.Chunk;
import dev.shardwright.reshard.copy.ChunkRange;
import dev.shardwright.reshard.copy.Partition;
import dev.shardwright.reshard.table.Column;
import dev.shardwright.reshard.table.Document;
import dev.shardwright.reshard.table.PackedValues;
import dev.shardwright.reshard.table.Row;
import dev.shardwright.reshard.table.RowBatch;
import dev.shardwright.reshard.table.Table;
import dev.shardwright.reshard.table.Tally;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares a chunk with what a target has in its keys, row by row, in every column; and a table without a key as a whole. Not thread-safe. */
public final class Comparison {
    /** More differences than this in one chunk are not told one by one. */
    private static final int MAX_DIFFERENCES = 100;

    private static final int PIECE_BYTES = 1 << 20;

    /** Tells whether a row that the source does not have must not be on the target either. */
    @FunctionalInterface
    public interface Strangers {
        boolean isForeign(Table table, Row row);
    }

    private final String targetName;
    private final RowConnections connections;
    private final Strangers strangers;
    private @Nullable RowConnection target;

    /** @param connections to the target */
    public Comparison(String targetName, RowConnections connections, Strangers strangers) {
        this.targetName = targetName;
        this.connections = connections;
        this.strangers = strangers;
    }

    /** The differences to what is committed on the target, each with table and key. */
    public List<String> compare(Table table, Partition partition, Chunk chunk) throws IOException {
        var found = new Found(table, chunk.rows());
        ChunkRange.read(
                target(),
                table,
                ChunkRange.select(table, ChunkRange.where(table, partition, chunk.start(), chunk.end())),
                found);
        found.compare();
        found.merge.end();
        return found.merge.differences;
    }

    /** Takes the target's rows and compares them piece by piece. */
    private final class Found implements RowConnection.Rows {
        final Merge merge;
        private final RowBatch.Builder rows;

        Found(Table table, RowBatch wanted) {
            this.merge = new Merge(table, wanted);
            this.rows = new RowBatch.Builder(table);
        }

        @Override
        public boolean large(int bytes) {
            compare();
            return !merge.isFull();
        }

        @Override
        public @Nullable ByteBuffer expected() {
            return merge.expected();
        }

        @Override
        public boolean expectedCame() {
            merge.expectedCame();
            return !merge.isFull();
        }

        @Override
        public boolean row(byte[] packet, int from, int to, boolean own) {
            rows.addSelected(packet, from, own);
            if (rows.bytes() > PIECE_BYTES) {
                compare();
            }
            return !merge.isFull();
        }

        void compare() {
            merge.found(rows.build());
            rows.clear();
        }
    }

    private RowConnection target() throws IOException {
        if (target == null || target.hasEnded()) {
            target = connections.open(target);
        }
        return target;
    }

    /** The rows that a table without a key has on the target and this source answers for. */
    public Tally tally(Table table) throws IOException {
        var tally = new Tally(table);
        var rows = new RowBatch.Builder(table);
        ChunkRange.read(target(), table, ChunkRange.all(table), (packet, from, _, own) -> {
            rows.addSelected(packet, from, own);
            var row = rows.build().row(0);
            if (strangers.isForeign(table, row)) {
                tally.add(row);
            }
            rows.clear();
            return true;
        });
        return tally;
    }

    /** What to say of a table without a key when the target has other rows than the source; empty when it has not. */
    public Optional<String> compare(Table table, Tally wanted, Tally found) {
        if (wanted.isSame(found)) {
            return Optional.empty();
        }
        return Optional.of("different on " + targetName + ": table " + table.name() + " has "
                + (wanted.rows() == found.rows()
                        ? "as many rows as it should, " + found.rows() + ", but not the same ones"
                        : found.rows() + " rows instead of " + wanted.rows()));
    }

    /** Goes through the wanted rows and those found, both in the order of their keys. */
    private final class Merge {
        final List<String> differences = new ArrayList<>();
        private final Table table;
        private final RowBatch wanted;
        private int next;

        Merge(Table table, RowBatch wanted) {
            this.table = table;
            this.wanted = wanted;
        }

        boolean isFull() {
            return differences.size() >= MAX_DIFFERENCES;
        }

        @Nullable
        ByteBuffer expected() {
            return next < wanted.size() ? wanted.values(next) : null;
        }

        void expectedCame() {
            next++;
        }

        void found(RowBatch found) {
            for (int i = 0; i < found.size() && !isFull(); i++) {
                if (next < wanted.size() && wanted.sameValues(next, found, i)) {
                    next++;
                } else {
                    differing(found, i);
                }
            }
        }

        /** The same value may have two forms; and columns that are not compared may differ. */
        private void differing(RowBatch found, int at) {
            var order = next < wanted.size() ? wanted.compareKeys(next, found, at) : 1;
            for (; order < 0; order = next < wanted.size() ? wanted.compareKeys(next, found, at) : 1) {
                missing();
            }
            if (order > 0) {
                if (strangers.isForeign(table, found.row(at))) {
                    differences.add("extra on " + targetName + ": " + table.rowName(found.row(at)));
                }
                return;
            }
            var columns = Comparison.differing(table, wanted.row(next++), found.row(at));
            if (!columns.isEmpty()) {
                differences.add("different on " + targetName + ": " + table.rowName(found.row(at)) + " in "
                        + String.join(", ", columns));
            }
        }

        private void missing() {
            var row = wanted.row(next++);
            if (!isFull()) {
                differences.add("missing on " + targetName + ": " + table.rowName(row));
            }
        }

        void end() {
            while (next < wanted.size()) {
                missing();
            }
        }
    }

    private static List<String> differing(Table table, Row expected, Row found) {
        var columns = new ArrayList<String>();
        var here = expected.packed();
        var there = found.packed();
        for (var column : table.columns()) {
            here.next();
            there.next();
            if (column.isCompared() && !same(column, here, there)) {
                columns.add(column.name());
            }
        }
        return columns;
    }

    private static boolean same(Column column, PackedValues one, PackedValues other) {
        return one.isSame(other)
                || (column.kind() == ColumnKind.JSON
                        && !one.isNull()
                        && !other.isNull()
                        && Arrays.equals(
                                Document.canonical(Objects.requireNonNull(one.copy())),
                                Document.canonical(Objects.requireNonNull(other.copy()))));
    }
}
