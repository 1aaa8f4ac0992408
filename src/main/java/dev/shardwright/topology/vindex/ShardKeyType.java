package dev.shardwright.topology.vindex;

import dev.shardwright.api.VSchema.ShardKeyColumn;
import java.math.BigInteger;

/**
 * A shard-key column's declared type: what it stores exactly, and what a comparison with it can match.
 * The router routes a value only by these answers, so that a row never lands where a query will not look.
 * SQL NULL is not a value here: it is stored as NULL and equal to nothing.
 */
public sealed interface ShardKeyType permits IntegerColumn, BinaryColumn, TextColumn {

    /** Reads a declared column; IllegalArgumentException says what is wrong and which types there are. */
    static ShardKeyType of(ShardKeyColumn column) {
        return ColumnTypes.parse(column);
    }

    /** A number is stored. */
    Conversion stored(BigInteger number);

    /**
     * A character string is stored.
     *
     * @param charset the literal's or the connection's character set, as MySQL names it; {@code binary} for
     *     a binary string
     */
    Conversion stored(byte[] text, String charset);

    /** The column is compared with a number. */
    Comparison equalTo(BigInteger number);

    /** The column is compared with a character string, under the column's collation. */
    Comparison equalTo(byte[] text, String charset);

    /** The column as MySQL writes it in {@code information_schema.columns.column_type}. */
    String columnType();
}
