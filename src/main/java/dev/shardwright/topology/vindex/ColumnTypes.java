package dev.shardwright.topology.vindex;

import dev.shardwright.api.VSchema.ShardKeyColumn;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the types that shard-key columns may be declared with. */
final class ColumnTypes {
    private static final Map<String, Integer> BITS =
            Map.of("tinyint", 8, "smallint", 16, "mediumint", 24, "int", 32, "bigint", 64);
    private static final Pattern INTEGER = Pattern.compile("(tinyint|smallint|mediumint|int|bigint)( unsigned)?");
    private static final Pattern SIZED = Pattern.compile("(binary|varbinary|char|varchar)\\((\\d{1,5})\\)");

    /** The most bytes or characters of each: MySQL's limits, and for VARCHAR a row's 65,535 bytes at 4 each. */
    private static final Map<String, Integer> LONGEST =
            Map.of("binary", 255, "char", 255, "varbinary", 65_533, "varchar", 16_383);

    private ColumnTypes() {}

    static ShardKeyType parse(ShardKeyColumn column) {
        var integer = INTEGER.matcher(column.type());
        if (integer.matches()) {
            withoutCollation(column);
            int bits = Optional.ofNullable(BITS.get(integer.group(1))).orElseThrow();
            return new IntegerColumn(column.type(), bits, integer.group(2) != null);
        }
        var sized = SIZED.matcher(column.type());
        if (!sized.matches()) {
            throw new IllegalArgumentException("column " + column.name() + " has type '" + column.type()
                    + "', which can't be a shard key: use tinyint, smallint, mediumint, int or bigint (with or without"
                    + " unsigned), binary(N), varbinary(N), char(N) or varchar(N), in lower case");
        }
        var kind = sized.group(1);
        int length = Integer.parseInt(sized.group(2));
        int longest = Optional.ofNullable(LONGEST.get(kind)).orElseThrow();
        if (length < 1 || length > longest) {
            throw new IllegalArgumentException("column " + column.name() + " has type '" + column.type()
                    + "': write a length from 1 to " + longest);
        }
        return kind.endsWith("binary") ? binary(column, kind, length) : text(column, kind, length);
    }

    private static ShardKeyType binary(ShardKeyColumn column, String kind, int length) {
        withoutCollation(column);
        return new BinaryColumn(column.type(), length, kind.equals("binary"));
    }

    private static ShardKeyType text(ShardKeyColumn column, String kind, int length) {
        if (column.collation() == null) {
            throw new IllegalArgumentException("column " + column.name() + " is a text column, so its collation must be"
                    + " declared, such as collation: " + TextColumn.COLLATION);
        }
        return new TextColumn(column.type(), column.collation(), length, kind.equals("char"));
    }

    private static void withoutCollation(ShardKeyColumn column) {
        if (column.collation() != null) {
            throw new IllegalArgumentException("column " + column.name() + " of type '" + column.type()
                    + "' can't have a collation: leave it out, or declare a char(N) or varchar(N)");
        }
    }
}
