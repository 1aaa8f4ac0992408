package dev.shardwright.mysql.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.reshard.table.PackedValues;
import dev.shardwright.testing.TestServers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowConnectionIT {
    private static final int SILENCE_MILLIS = 20_000;

    @TempDir
    private static Path directory;

    private static LocalMysqld mysqld;
    private RowConnection connection;

    @BeforeAll
    static void start() {
        mysqld = TestServers.start(directory, "uid-rows", "-");
    }

    @AfterAll
    static void stop() {
        mysqld.close();
    }

    @BeforeEach
    void connect() throws IOException {
        connection = RowConnection.open(
                "127.0.0.1",
                mysqld.port(),
                TestServers.OPERATOR.user(),
                TestServers.OPERATOR.password(),
                SILENCE_MILLIS);
    }

    @AfterEach
    void disconnect() {
        connection.close();
    }

    private List<byte[]> first(String sql) throws IOException {
        var values = new ArrayList<byte[]>();
        connection.select(sql, (memory, from, to, _) -> {
            var packed = new PackedValues(memory, from);
            packed.next();
            values.add(packed.copy());
            assertThat(packed.end()).isEqualTo(to);
            return true;
        });
        return values;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void rowsOfAnyLengthComeWhole() throws IOException {
        // The value's length takes one, three, four and nine bytes; the packet's payload ends just before, at and after
        // its limit.
        for (var length : List.of(0, 250, 251, 65_535, 65_536, 0xffffff - 5, 0xffffff - 4, 0xffffff - 3, 40 << 20)) {
            assertThat(first("SELECT REPEAT('x', " + length + ") UNION ALL SELECT NULL UNION ALL SELECT 'y'"))
                    .as("%s bytes", length)
                    .containsExactly(ascii("x".repeat(length)), null, ascii("y"));
        }
    }

    /** Expects one row with one value of that text. */
    private final class Expecting implements RowConnection.Rows {
        final byte[] expected;
        final List<String> seen = new ArrayList<>();
        final List<byte[]> values = new ArrayList<>();

        Expecting(String text) {
            var header = text.length() < 1 << 24 ? 4 : 9;
            expected = new byte[header + text.length()];
            expected[0] = (byte) (header == 4 ? 0xfd : 0xfe);
            for (int i = 1; i < header; i++) {
                expected[i] = (byte) ((long) text.length() >>> 8 * (i - 1));
            }
            System.arraycopy(ascii(text), 0, expected, header, text.length());
        }

        @Override
        public ByteBuffer expected() {
            return ByteBuffer.wrap(expected);
        }

        @Override
        public boolean expectedCame() {
            seen.add("as expected");
            return true;
        }

        @Override
        public boolean row(byte[] memory, int from, int to, boolean own) {
            var packed = new PackedValues(memory, from);
            packed.next();
            values.add(packed.copy());
            seen.add(String.valueOf(to - packed.end()));
            return true;
        }
    }

    @Test
    void aLargeRowThatIsExpectedNeedsNoMemoryAndAnotherComesWhole() throws IOException {
        // In one packet, in one and an empty one, and in three.
        for (var length : List.of(5 << 20, 0xffffff - 4, 40 << 20)) {
            var text = "x".repeat(length);
            var same = "REPEAT('x', " + length + ")";
            for (var wanted : List.of(
                    same,
                    "CONCAT('y', REPEAT('x', " + (length - 1) + "))",
                    "CONCAT(REPEAT('x', " + (length - 1) + "), 'y')",
                    "REPEAT('x', " + (length + 1) + ")",
                    "REPEAT('x', " + (length - 1) + ")")) {
                var rows = new Expecting(text);
                connection.select("SELECT " + wanted + ", 'tail' UNION ALL SELECT 'y', ''", rows);
                assertThat(rows.seen).as(wanted).containsExactly(wanted.equals(same) ? "as expected" : "5", "1");
                if (!wanted.equals(same)) {
                    assertThat(rows.values.getFirst())
                            .isEqualTo(first("SELECT " + wanted).getFirst());
                }
            }
            // What is behind it is too much to be left out.
            var rows = new Expecting(text);
            connection.select("SELECT " + same + ", REPEAT('z', 100000)", rows);
            assertThat(rows.seen).containsExactly("100004");
            assertThat(rows.values.getFirst()).isEqualTo(ascii(text));
        }
    }

    @Test
    void manyRowsComeInTheirOrder() throws IOException {
        connection.execute("SET SESSION cte_max_recursion_depth = 100000");
        assertThat(
                        first(
                                "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT i FROM n"))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 50_000)
                        .mapToObj(i -> ascii(String.valueOf(i)))
                        .toList());
    }

    @Test
    void textKeepsItsColumnsCharacterSet() throws IOException {
        assertThat(first("SELECT _latin1 X'E9'")).containsExactly(new byte[] {(byte) 0xe9});
        assertThat(first("SELECT _utf16 X'00E9'")).containsExactly(new byte[] {0, (byte) 0xe9});
    }

    @Test
    void rowsThatAreNotWantedAreDropped() throws IOException {
        var seen = new ArrayList<Integer>();
        connection.select("SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3", (_, from, to, _) -> {
            seen.add(to - from);
            return seen.size() < 2;
        });
        assertThat(seen).hasSize(2);
        assertThat(first("SELECT 'next'")).containsExactly(ascii("next"));
    }

    @Test
    void aRefusalIsToldBeforeTheRowsOrAmongThem() throws IOException {
        assertThatExceptionOfType(ServerException.class)
                .isThrownBy(() -> first("SELECT * FROM `_shardwright`.none"))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(1146));
        assertThat(first("SELECT 1")).containsExactly(ascii("1"));
        assertThatExceptionOfType(ServerException.class)
                .isThrownBy(() -> first("SELECT 1 UNION ALL SELECT (SELECT 1 UNION ALL SELECT 2)"))
                .withMessageContaining("more than 1 row");
        assertThat(first("SELECT 2")).containsExactly(ascii("2"));
    }

    @Test
    void aWrongPasswordIsRefused() {
        assertThatExceptionOfType(ServerException.class)
                .isThrownBy(() -> RowConnection.open(
                        "127.0.0.1", mysqld.port(), TestServers.OPERATOR.user(), "wrong", SILENCE_MILLIS))
                .withMessageContaining("Access denied");
    }
}
