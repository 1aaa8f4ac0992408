package dev.shardwright.reshard.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.binlog.ColumnKind;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyEncoderTest {

    private static Column column(ColumnKind kind, boolean unsigned, int scale) {
        return new Column("c", kind, "", unsigned, 0, scale, null, null, false, Column.Origin.Plain, false);
    }

    private static void assertAscending(Column column, String... values) {
        for (int i = 1; i < values.length; i++) {
            assertThat(key(List.of(column), values[i - 1]))
                    .as("%s < %s", values[i - 1], values[i])
                    .isLessThan(key(List.of(column), values[i]));
        }
    }

    private static Key key(List<Column> columns, String... values) {
        var bytes = new byte[values.length][];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = values[i].getBytes(StandardCharsets.ISO_8859_1);
        }
        return KeyEncoder.encode(columns, bytes, bytes);
    }

    @Test
    void valuesSortAsInMysql() {
        assertAscending(
                column(ColumnKind.INTEGER, false, 0),
                "-9223372036854775808",
                "-2",
                "-1",
                "0",
                "1",
                "255",
                "256",
                "9223372036854775807");
        assertAscending(
                column(ColumnKind.INTEGER, true, 0), "0", "9", "10", "9223372036854775808", "18446744073709551615");
        assertAscending(
                column(ColumnKind.DECIMAL, false, 2), "-100.00", "-99.99", "-0.01", "0.00", "0.10", "9.99", "10.00");
        assertAscending(
                column(ColumnKind.TIME, false, 0),
                "-838:59:59",
                "-00:00:01.500",
                "-00:00:01",
                "00:00:00",
                "09:00:00",
                "100:00:00");
        assertAscending(column(ColumnKind.ENUM, false, 0), "1", "2", "10");
        assertAscending(column(ColumnKind.BYTES, false, 0), "", "\0", "\0\0", "\0a", "a", "a\0", "aa", "b", "\u00ff");
        assertAscending(column(ColumnKind.TEXT, false, 0), "\u001c\u0047", "\u001c\u0047\u001c\u0047", "\u001c\u0060");
        assertAscending(
                column(ColumnKind.DATETIME, false, 0),
                "0000-00-00 00:00:00",
                "2020-02-28 00:00:00",
                "2020-10-01 00:00:00");
    }

    @Test
    void aShorterFirstColumnSortsBeforeWhateverFollows() {
        var columns = List.of(column(ColumnKind.BYTES, false, 0), column(ColumnKind.INTEGER, false, 0));
        assertThat(key(columns, "a", "9223372036854775807")).isLessThan(key(columns, "a\0", "-5"));
        assertThat(key(columns, "a", "-1")).isLessThan(key(columns, "a", "0"));
    }

    @Test
    void aDescendingColumnSortsTheOtherWayRound() {
        var columns = List.of(column(ColumnKind.BYTES, false, 0).downwards(), column(ColumnKind.INTEGER, false, 0));
        assertThat(key(columns, "b", "1")).isLessThan(key(columns, "b", "2")).isLessThan(key(columns, "a\0", "1"));
        assertThat(key(columns, "a\0", "1")).isLessThan(key(columns, "a", "1"));
        assertThat(key(columns, "a", "-1")).isLessThan(key(columns, "", "-2"));
    }

    @Test
    void aPartitionsBoundLiesBetweenItsNeighbours() {
        var columns = List.of(column(ColumnKind.INTEGER, false, 0), column(ColumnKind.BYTES, false, 0));
        var bound = KeyEncoder.before(columns.getFirst(), BigInteger.valueOf(5));
        assertThat(key(columns, "4", "\u00ff\u00ff")).isLessThan(bound);
        assertThat(key(columns, "5", "")).isGreaterThan(bound);
    }
}
