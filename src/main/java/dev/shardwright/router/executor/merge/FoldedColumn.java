package dev.shardwright.router.executor.merge;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One column of an aggregate's answer, folded shard by shard. */
interface FoldedColumn {
    void add(Row row);

    /** The raw value for a row of the same format; null for SQL NULL. */
    byte @Nullable [] result();

    /** COUNT and SUM: exact, so only of whole numbers and decimals. */
    static FoldedColumn sum(RowFormat format, int column, ColumnDefinition definition) {
        var decimal = definition.type() == ColumnTypes.NEWDECIMAL || definition.type() == ColumnTypes.DECIMAL;
        if (!decimal && definition.type() != ColumnTypes.LONGLONG) {
            throw MergeException.unsupported(
                    "SUM of FLOAT, DOUBLE or text",
                    "its last digits would depend on the order of addition: sum a DECIMAL, such as"
                            + " CAST(column AS DECIMAL(30,10))");
        }
        return new Sum(format, column, decimal);
    }

    static FoldedColumn extreme(KeyReader reader, int column, boolean max) {
        return new Extreme(reader, column, max);
    }

    /** NULLs count for nothing. */
    final class Sum implements FoldedColumn {
        private final RowFormat format;
        private final int column;
        private final boolean decimal;
        private @Nullable BigDecimal sum;

        private Sum(RowFormat format, int column, boolean decimal) {
            this.format = format;
            this.column = column;
            this.decimal = decimal;
        }

        @Override
        public void add(Row row) {
            if (row.isNull(column)) {
                return;
            }
            try {
                var value = decimal || format == RowFormat.TEXT
                        ? new BigDecimal(row.ascii(column))
                        : new BigDecimal(
                                BigInteger.valueOf(Lengths.littleLong(row.payload, row.contentStart(column), 8)));
                sum = sum == null ? value : sum.add(value);
            } catch (NumberFormatException e) {
                throw MergeException.malformed();
            }
        }

        @Override
        public byte @Nullable [] result() {
            if (sum == null) {
                return null;
            }
            if (!decimal && format == RowFormat.BINARY) {
                return ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(sum.longValueExact())
                        .array();
            }
            return Lengths.encoded(sum.toPlainString().getBytes(StandardCharsets.US_ASCII));
        }
    }

    final class Extreme implements FoldedColumn {
        private final KeyReader reader;
        private final int column;
        private final boolean max;
        private SortKeyValue best = new SortKeyValue.Null();
        private byte @Nullable [] raw;

        private Extreme(KeyReader reader, int column, boolean max) {
            this.reader = reader;
            this.column = column;
            this.max = max;
        }

        @Override
        public void add(Row row) {
            if (row.isNull(column)) {
                return;
            }
            var value = reader.read(row);
            var order = value.compareTo(best);
            if (raw == null || (max ? order > 0 : order < 0)) {
                best = value;
                raw = row.raw(column);
            }
        }

        @Override
        public byte @Nullable [] result() {
            return raw;
        }
    }
}
