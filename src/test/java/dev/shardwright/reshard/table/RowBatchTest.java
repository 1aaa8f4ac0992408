package dev.shardwright.reshard.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shardwright.mysql.binlog.ColumnKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowBatchTest {
    private static final Column ID = column("id", ColumnKind.INTEGER, null);
    private static final Column NAME = column("name", ColumnKind.TEXT, "utf8mb4");
    private static final Table TABLE = new Table(
            "s",
            "t",
            List.of(ID, NAME, column("d", ColumnKind.DOUBLE, null), column("b", ColumnKind.BYTES, null)),
            "PRIMARY",
            List.of(1, 0),
            "",
            0,
            1);

    private static Column column(String name, ColumnKind kind, @Nullable String charset) {
        return new Column(name, kind, "", false, 0, 0, charset, charset, false, Column.Origin.Plain, false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** As the server sends it: the columns, then the weight of the key's text column. */
    private static byte[] packet(String id, String name, @Nullable String number, byte @Nullable [] b, String weight) {
        var out = new Bytes(8);
        out.put(7);
        for (var value :
                Arrays.asList(bytes(id), bytes(name), number == null ? null : bytes(number), b, bytes(weight))) {
            out.putPacked(value);
        }
        return out.toArray();
    }

    @Test
    void selectedRowsGetTheirOneFormAndTheirKey() {
        var builder = new RowBatch.Builder(TABLE);
        builder.addSelected(packet("5", "ab", "1.50", new byte[0], "AB"), 1);
        builder.addSelected(packet("007", "Ab", null, null, "AB"), 1);

        var rows = builder.build();

        assertThat(rows.size()).isEqualTo(2);
        assertThat(rows.row(0).values()).isDeepEqualTo(new byte[][] {bytes("5"), bytes("ab"), bytes("1.5"), {}});
        assertThat(rows.row(1).values()).isDeepEqualTo(new byte[][] {bytes("7"), bytes("Ab"), null, null});
        assertThat(rows.key(1))
                .isEqualTo(KeyEncoder.encode(
                        TABLE.keyColumns(),
                        new byte[][] {bytes("Ab"), bytes("7")},
                        new byte[] @Nullable [] {bytes("AB"), null}));
        assertThat(rows.compareKey(0, rows.key(1))).isNegative();
        assertThat(rows.compareKey(1, rows.key(1))).isZero();
        assertThat(rows.sameValues(0, rows, 1)).isFalse();
    }

    @Test
    void aRowThatIsOutOfOrderIsNamed() {
        var builder = new RowBatch.Builder(TABLE);
        builder.addSelected(packet("5", "b", null, null, "B"), 1);
        assertThatExceptionOfType(MoveException.class)
                .isThrownBy(() -> builder.addSelected(packet("6", "a", null, null, "A"), 1))
                .withMessageContaining("(name='a', id=6)");
        var same = new RowBatch.Builder(TABLE);
        same.addSelected(packet("5", "b", null, null, "B"), 1);
        assertThatExceptionOfType(MoveException.class)
                .isThrownBy(() -> same.addSelected(packet("5", "b", null, null, "B"), 1));
    }

    @Test
    void someOfItsRowsAreTheSameRows() {
        var builder = new RowBatch.Builder(TABLE);
        for (int i = 0; i < 1000; i++) {
            builder.addSelected(packet(String.valueOf(i), "n", "0.5", bytes("b" + i), "N"), 1);
        }
        var all = builder.build();

        var some = all.only(row -> row % 10 == 3);

        assertThat(some.size()).isEqualTo(100);
        for (int i = 0; i < some.size(); i++) {
            assertThat(some.sameValues(i, all, 10 * i + 3)).isTrue();
            assertThat(some.compareKeys(i, all, 10 * i + 3)).isZero();
        }
        assertThat(some.bytes()).isLessThan(all.bytes() / 9);
        assertThat(all.only(_ -> false).isEmpty()).isTrue();
    }

    @Test
    void valuesOfAnyLengthArePackedAndUnpacked() {
        for (var length : List.of(0, 1, 250, 251, 255, 65_535, 65_536, (1 << 24) - 1, 1 << 24)) {
            var values = new byte[][] {bytes("1"), new byte[length], null, bytes("end")};
            Arrays.fill(values[1], (byte) 0xfb);
            var row = new Row(values);
            assertThat(row.values()).as("%s bytes", length).isDeepEqualTo(values);
            assertThat(row.value(3)).isEqualTo(bytes("end"));
            assertThat(row.value(2)).isNull();
        }
    }

    @Test
    void onlyIntegersAreParsed() {
        var digits = new ArrayList<Long>();
        for (var text : List.of("0", "-1", "9223372036854775807", "-9223372036854775808", "18446744073709551615")) {
            digits.add(AsciiNumber.parse(bytes("x" + text), 1, text.length()));
        }
        assertThat(digits).containsExactly(0L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, -1L);
        for (var text : List.of("", "-", "1.5", "+1", " 1")) {
            assertThatExceptionOfType(NumberFormatException.class)
                    .isThrownBy(() -> AsciiNumber.parse(bytes(text), 0, text.length()));
        }
    }
}
