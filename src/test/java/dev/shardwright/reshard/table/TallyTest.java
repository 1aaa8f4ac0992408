package dev.shardwright.reshard.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.binlog.ColumnKind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TallyTest {
    private static final Table TABLE = new Table(
            "s", "t", List.of(column("a", ColumnKind.BYTES), column("j", ColumnKind.JSON)), "", List.of(), "", 0, 1);

    private static Column column(String name, ColumnKind kind) {
        return new Column(name, kind, "", false, 0, 0, null, null, false, Column.Origin.Plain, false);
    }

    private static Row row(String... values) {
        return new Row(Stream.of(values)
                .map(value -> value == null ? null : value.getBytes(UTF_8))
                .toArray(byte[][]::new));
    }

    private static Tally of(Row... rows) {
        var tally = new Tally(TABLE);
        Stream.of(rows).forEach(tally::add);
        return tally;
    }

    @Test
    void theOrderDoesNotMatterAndTheNumberOfEqualRowsDoes() {
        var a = row("a", null);
        var b = row("b", null);
        var wanted = of(a, b, a);
        assertThat(wanted.isSame(of(a, a, b))).isTrue();
        assertThat(wanted.isSame(of(a, b, b))).isFalse();
        assertThat(wanted.isSame(of(a, b))).isFalse();
        assertThat(wanted.isSame(of(a, a, row("c", null)))).isFalse();
        assertThat(of(row("", null)).isSame(of(row(null, null)))).isFalse();
    }

    @Test
    void aDocumentIsTheSameInEachOfItsForms() {
        assertThat(of(row(null, "[1.50, 1e16]\n0N")).isSame(of(row(null, "[1.5, 10000000000000000.0]"))))
                .isTrue();
        assertThat(of(row(null, "[1]")).isSame(of(row(null, "[1.0]")))).isFalse();
        assertThat(of(row(null, "[0.0]")).isSame(of(row(null, "[-0.0]")))).isFalse();
        assertThat(of(row(null, "[\"2024-02-29\"]")).isSame(of(row(null, "[\"2024-02-29\"]\n0D"))))
                .isFalse();
        assertThat(of(row(null, "[[1], 2]")).isSame(of(row(null, "[[1, 2]]")))).isFalse();
    }
}
