package dev.shardwright.router.executor.merge;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a value for comparing it with values of other shards. The column's type says how; text goes by
 * the weight that MySQL gave it, never by Java's order.
 */
final class KeyReader {
    private final RowFormat format;
    private final int value;
    private final int weight;
    private final int collation;
    private final ColumnDefinition definition;
    private @Nullable String collationName;
    private byte[] padding = {};

    private KeyReader(RowFormat format, int value, int weight, int collation, ColumnDefinition definition) {
        this.format = format;
        this.value = value;
        this.weight = weight;
        this.collation = collation;
        this.definition = definition;
    }

    /**
     * @param value column of the value
     * @param weight column of its WEIGHT_STRING
     * @param collation column of its COLLATION
     * @param exact equal as shown is not enough: values must be known to the last bit
     */
    static KeyReader of(
            RowFormat format, int value, int weight, int collation, List<ColumnDefinition> columns, boolean exact) {
        var reader = new KeyReader(format, value, weight, collation, columns.get(value));
        reader.check(exact);
        return reader;
    }

    private void check(boolean exact) {
        var type = definition.type();
        if (type == ColumnTypes.FLOAT && format == RowFormat.TEXT && exact) {
            throw MergeException.unsupported(
                    "ORDER BY a FLOAT column", "FLOAT is shown rounded: make it DOUBLE, or use a prepared statement");
        }
        var known = ColumnTypes.integer(type)
                || ColumnTypes.string(type)
                || switch (type) {
                    case ColumnTypes.DECIMAL,
                            ColumnTypes.NEWDECIMAL,
                            ColumnTypes.FLOAT,
                            ColumnTypes.DOUBLE,
                            ColumnTypes.DATE,
                            ColumnTypes.DATETIME,
                            ColumnTypes.TIMESTAMP,
                            ColumnTypes.TIME,
                            ColumnTypes.BIT,
                            ColumnTypes.NULL -> true;
                    default -> false;
                };
        if (!known) {
            throw MergeException.unsupported(
                    "sorting or MIN/MAX of column type " + (type == ColumnTypes.JSON ? "JSON" : "number " + type),
                    "sort by a plain column, such as a generated one");
        }
    }

    SortKeyValue read(Row row) {
        if (row.isNull(value)) {
            return new SortKeyValue.Null();
        }
        try {
            return present(row);
        } catch (NumberFormatException e) {
            throw MergeException.malformed();
        }
    }

    private SortKeyValue present(Row row) {
        var type = definition.type();
        if (ColumnTypes.integer(type)) {
            return new SortKeyValue.Whole(whole(row));
        }
        if (ColumnTypes.string(type)) {
            return text(row);
        }
        return switch (type) {
            case ColumnTypes.DECIMAL, ColumnTypes.NEWDECIMAL ->
                new SortKeyValue.Decimal(new BigDecimal(row.ascii(value)));
            case ColumnTypes.FLOAT, ColumnTypes.DOUBLE -> new SortKeyValue.Real(real(row) + 0.0);
            case ColumnTypes.DATE, ColumnTypes.DATETIME, ColumnTypes.TIMESTAMP ->
                format == RowFormat.TEXT
                        ? new SortKeyValue.Bytes(row.content(value), new byte[0])
                        : new SortKeyValue.Whole(Temporal.dateTime(row, value));
            case ColumnTypes.TIME ->
                new SortKeyValue.Whole(
                        format == RowFormat.TEXT ? Temporal.time(row.ascii(value)) : Temporal.time(row, value));
            default -> new SortKeyValue.Bytes(row.content(value), new byte[0]);
        };
    }

    /** Unsigned 64-bit numbers are moved down by half their range: the order stays. */
    private long whole(Row row) {
        if (format == RowFormat.BINARY) {
            var bytes = row.contentLength(value);
            var number = Lengths.littleLong(row.payload, row.contentStart(value), bytes);
            return definition.unsigned() ? moved(number) : number << 64 - 8 * bytes >> 64 - 8 * bytes;
        }
        return definition.unsigned()
                ? moved(Long.parseUnsignedLong(row.ascii(value)))
                : Long.parseLong(row.ascii(value));
    }

    private static long moved(long unsigned) {
        return unsigned + Long.MIN_VALUE;
    }

    private double real(Row row) {
        if (format == RowFormat.TEXT) {
            return Double.parseDouble(row.ascii(value));
        }
        var at = row.contentStart(value);
        return definition.type() == ColumnTypes.FLOAT
                ? Float.intBitsToFloat(Lengths.little(row.payload, at, 4))
                : Double.longBitsToDouble(Lengths.littleLong(row.payload, at, 8));
    }

    private SortKeyValue text(Row row) {
        checkCollation(row);
        if ("binary".equals(collationName) && !definition.enumeration()) {
            return new SortKeyValue.Bytes(row.content(value), padding);
        }
        if (row.isNull(weight)) {
            throw MergeException.unsupported(
                    "sorting a text whose weight MySQL does not give",
                    "sort by a shorter text, such as LEFT(column, 100)");
        }
        return new SortKeyValue.Bytes(row.content(weight), padding);
    }

    private void checkCollation(Row row) {
        var name = row.isNull(collation) ? "binary" : new String(row.content(collation), StandardCharsets.US_ASCII);
        if (collationName == null) {
            collationName = name;
            // An enumeration's weight is its number.
            padding = definition.enumeration() ? new byte[0] : Collations.padding(name);
        } else if (!collationName.equals(name)) {
            throw MergeException.disagreement("a column is in collation " + collationName + " and in " + name);
        }
    }
}
