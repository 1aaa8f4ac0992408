package dev.shardwright.router.executor.merge;

import dev.shardwright.router.planner.Plan.Fold;
import dev.shardwright.router.planner.Plan.Merge;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** COUNT, SUM, MIN and MAX without grouping: one row from each shard, one row for the client. */
final class Folding implements RowMerger {
    private final ShardRows rows;
    private final Merge.Aggregate aggregate;
    private final RowFormat format;
    private final List<FoldedColumn> folded = new ArrayList<>();
    private boolean any;
    private boolean sent;

    Folding(int shards, Merge.Aggregate aggregate, RowFormat format) {
        this.rows = new ShardRows(shards);
        this.aggregate = aggregate;
        this.format = format;
    }

    @Override
    public void columns(int shard, List<byte[]> definitions) {
        rows.columns(shard, definitions);
        if (rows.columnsKnown() && folded.isEmpty()) {
            var columns = rows.columns();
            var first = columns.size() - aggregate.hiddenColumns();
            if (first != aggregate.folds().size()) {
                throw MergeException.disagreement("a shard sent " + columns.size() + " columns where it was asked for "
                        + (aggregate.folds().size() + aggregate.hiddenColumns()));
            }
            for (var column = 0; column < first; column++) {
                folded.add(folded(aggregate.folds().get(column), column, first, columns));
            }
        }
    }

    private FoldedColumn folded(Fold fold, int column, int hidden, List<ColumnDefinition> columns) {
        return switch (fold) {
            case Fold.Count _ -> FoldedColumn.sum(format, column, columns.get(column));
            case Fold.Sum _ -> FoldedColumn.sum(format, column, columns.get(column));
            case Fold.Extreme extreme ->
                FoldedColumn.extreme(
                        KeyReader.of(
                                format,
                                column,
                                hidden + extreme.weight(),
                                hidden + extreme.collation(),
                                columns,
                                false),
                        column,
                        extreme.max());
        };
    }

    @Override
    public boolean columnsKnown() {
        return rows.columnsKnown();
    }

    @Override
    public List<byte[]> visibleColumns() {
        return rows.visible(aggregate.hiddenColumns());
    }

    @Override
    public void row(int shard, byte[] payload) {
        rows.add(shard, payload);
    }

    @Override
    public void end(int shard) {
        rows.end(shard);
    }

    @Override
    public byte @Nullable [] next() {
        if (!columnsKnown() || sent) {
            return null;
        }
        for (var shard = 0; shard < rows.shards(); shard++) {
            for (var payload = rows.poll(shard); payload != null; payload = rows.poll(shard)) {
                fold(payload);
            }
        }
        if (!rows.allExhausted()) {
            return null;
        }
        sent = true;
        return any ? result() : null;
    }

    private void fold(byte[] payload) {
        try {
            var row = format.read(payload, rows.columns());
            folded.forEach(column -> column.add(row));
            any = true;
        } catch (ArrayIndexOutOfBoundsException e) {
            throw MergeException.malformed();
        }
    }

    private byte[] result() {
        var values = new byte @Nullable [folded.size()][];
        for (var column = 0; column < values.length; column++) {
            values[column] = folded.get(column).result();
        }
        return format.write(values);
    }

    @Override
    public boolean finished() {
        return columnsKnown() && (sent || !any && rows.allExhausted());
    }

    @Override
    public boolean wants(int shard) {
        return !sent && rows.hasRoom(shard);
    }
}
