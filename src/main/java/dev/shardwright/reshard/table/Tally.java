package dev.shardwright.reshard.table;

import dev.shardwright.mysql.binlog.ColumnKind;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Which rows of a table there are, and how many of each, in whatever order they come: their number and the sums of two halves of
 * each row's SHA-256. A row that is missing, or there once more, or another, makes other sums. Not thread-safe.
 */
public final class Tally {
    private final Table table;
    private final MessageDigest digest;
    private long rows;
    private long high;
    private long low;

    public Tally(Table table) {
        this.table = table;
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One more row, as it was selected. */
    public void add(Row row) {
        (table.hasDocuments() ? canonical(row) : row).addTo(digest);
        var hash = ByteBuffer.wrap(digest.digest());
        rows++;
        high += hash.getLong();
        low += hash.getLong();
    }

    /** Documents may have several forms. */
    private Row canonical(Row row) {
        var values = row.values();
        for (int i = 0; i < values.length; i++) {
            var value = values[i];
            if (value != null && table.columns().get(i).kind() == ColumnKind.JSON) {
                values[i] = Document.canonical(value);
            }
        }
        return new Row(values);
    }

    public long rows() {
        return rows;
    }

    /** Whether the other one has the same rows, each as often. */
    public boolean isSame(Tally other) {
        return rows == other.rows && high == other.high && low == other.low;
    }
}
