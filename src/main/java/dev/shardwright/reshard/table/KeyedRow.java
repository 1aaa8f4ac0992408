package dev.shardwright.reshard.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A row with its key's place. */
public record KeyedRow(Key key, Row row) {

    /** The current row of a result of {@link Table#selectList}. */
    public static KeyedRow read(Table table, ResultSet result) throws SQLException {
        var columns = table.columns();
        var values = new byte[columns.size()] @Nullable [];
        for (int i = 0; i < values.length; i++) {
            values[i] = columns.get(i).normal(result.getBytes(i + 1));
        }
        var row = new Row(values);
        return new KeyedRow(KeyEncoder.encode(table.keyColumns(), table.keyOf(row), weights(table, result)), row);
    }

    private static byte[] @Nullable [] weights(Table table, ResultSet result) throws SQLException {
        var keyColumns = table.keyColumns();
        var weights = new byte @Nullable [keyColumns.size()][];
        var at = table.columns().size();
        for (int i = 0; i < weights.length; i++) {
            if (keyColumns.get(i).isText()) {
                weights[i] = result.getBytes(++at);
            }
        }
        return weights;
    }
}
