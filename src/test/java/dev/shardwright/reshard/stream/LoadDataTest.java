package dev.shardwright.reshard.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.binlog.ColumnKind;
import dev.shardwright.reshard.table.Column;
import dev.shardwright.reshard.table.Key;
import dev.shardwright.reshard.table.Row;
import dev.shardwright.reshard.table.RowBatch;
import dev.shardwright.reshard.table.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LoadDataTest {
    private static final Table TABLE = new Table(
            "s",
            "t`x",
            List.of(column("id", ColumnKind.INTEGER), column("b", ColumnKind.BYTES), column("j", ColumnKind.JSON)),
            "PRIMARY",
            List.of(0),
            "",
            0,
            1);

    private static Column column(String name, ColumnKind kind) {
        return new Column(name, kind, "", false, 0, 0, null, null, false, Column.Origin.Plain, false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void onlyWhatLoadDataWouldReadOtherwiseIsEscaped() throws IOException {
        var batch = new RowBatch.Builder(TABLE);
        var key = new Key(new byte[0]);
        batch.add(new Row(new byte[][] {bytes("1"), bytes("a\tb\nc\\d\0e\u00ff\r\u001a'\""), null}), key);
        batch.add(new Row(new byte[][] {bytes("-2"), bytes(""), bytes("NULL")}), key);
        var rows = batch.build();

        var text = "1\ta\\tb\\nc\\\\d\\0e\u00ff\r\u001a'\"\t\\N\n-2\t\tNULL\n";
        assertThat(new LoadData.RowsInput(TABLE, rows).readAllBytes()).isEqualTo(bytes(text));
        var slowly = new LoadData.RowsInput(TABLE, rows);
        for (var b : bytes(text)) {
            assertThat(slowly.read()).isEqualTo(b & 0xff);
        }
        assertThat(slowly.read()).isEqualTo(-1);
    }

    @Test
    void aValueMayBeLongerThanAPiece() throws IOException {
        var random = new Random(7);
        for (var length : List.of(32_765, 32_766, 32_767, 65_530, 65_536, 300_000)) {
            var value = new byte[length];
            random.nextBytes(value);
            var batch = new RowBatch.Builder(TABLE);
            var key = new Key(new byte[0]);
            batch.add(new Row(new byte[][] {bytes("1"), value, null}), key);
            batch.add(new Row(new byte[][] {bytes("2"), new byte[length], bytes("{}")}), key);

            var text = "1\t" + escaped(value) + "\t\\N\n2\t" + "\\0".repeat(length) + "\t{}\n";

            assertThat(new LoadData.RowsInput(TABLE, batch.build()).readAllBytes())
                    .as("%s bytes", length)
                    .isEqualTo(bytes(text));
        }
    }

    private static String escaped(byte[] value) {
        return new String(value, StandardCharsets.ISO_8859_1)
                .replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\0", "\\0");
    }

    @Test
    void columnsAreNamedAndJsonGetsItsCharacterSet() {
        assertThat(LoadData.sql(TABLE))
                .startsWith("LOAD DATA LOCAL INFILE 'chunk' INTO TABLE `s`.`t``x` CHARACTER SET binary ")
                .endsWith(" (`id`, `b`, @v2) SET `j` = SUBSTRING_INDEX(CONVERT(@v2 USING utf8mb4), '\\n', 1)")
                .doesNotContain("REPLACE", "IGNORE");
    }
}
