package dev.shardwright.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.mysql.client.ServerException;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowLogTest {
    private static final TableMap ONE = new TableMap("s", "one", new int[0], new int[0]);
    private static final TableMap OTHER = new TableMap("s", "other", new int[0], new int[0]);

    /** Of an event, bytes that come before its rows. */
    private static final int HEAD = 7;

    @TempDir
    Path directory;

    /** 100 bytes, of which the first two and the last are not part of the rows. */
    private static RowsEvent event(TableMap table, RowsEvent.Kind kind, int fill) {
        var bytes = new byte[100];
        java.util.Arrays.fill(bytes, (byte) fill);
        return new RowsEvent(table, kind, bytes, 2, 99);
    }

    private static List<String> read(RowLog log) throws IOException {
        var seen = new ArrayList<String>();
        var cursor = log.read();
        for (var event = cursor.next(); event != null; event = cursor.next()) {
            assertThat(event.bytes()).isEqualTo(97);
            seen.add(event.table().table() + " " + event.kind() + " " + event.event()[event.start()] + " "
                    + event.event()[event.end() - 1]);
        }
        return seen;
    }

    @Test
    void rowsComeBackInOrderFromMemoryAndDisk() throws IOException {
        try (var space = new RowSpace(directory, 250, 10_000);
                var log = new RowLog(space)) {
            log.add(event(ONE, RowsEvent.Kind.Insert, 1));
            log.add(event(OTHER, RowsEvent.Kind.Update, 2));
            assertThat(log.isSpilled()).isFalse();
            log.add(event(ONE, RowsEvent.Kind.Delete, 3));
            log.add(event(OTHER, RowsEvent.Kind.Insert, 4));
            assertThat(log.isSpilled()).isTrue();

            assertThat(read(log))
                    .containsExactly("one Insert 1 1", "other Update 2 2", "one Delete 3 3", "other Insert 4 4");
            assertThat(read(log)).hasSize(4);
            try (var files = Files.list(directory)) {
                assertThat(files).isEmpty();
            }
        }
    }

    @Test
    void rowsOfManyBytesStayInTheFile() throws IOException {
        var body = new byte[3 << 20];
        new Random(1).nextBytes(body);
        // One column with one value: how long it is comes first.
        var length = body.length - 4 - HEAD;
        for (int i = 0; i < 4; i++) {
            body[HEAD + i] = (byte) (length >>> 8 * i);
        }
        try (var space = new RowSpace(directory, 10_000, 10 << 20)) {
            var log = new RowLog(space);
            log.add(event(ONE, RowsEvent.Kind.Insert, 1));
            var rest = new ByteArrayInputStream(body, 100, body.length);
            log.addLarge(OTHER, RowsEvent.Kind.Update, Arrays.copyOf(body, 100), HEAD, rest, body.length - HEAD);
            log.add(event(ONE, RowsEvent.Kind.Delete, 2));
            assertThat(log.holdsLarge()).isTrue();

            var cursor = log.read();
            assertThat(cursor.next().inFile()).isNull();
            var large = cursor.next();
            assertThat(large.table()).isEqualTo(OTHER);
            assertThat(large.kind()).isEqualTo(RowsEvent.Kind.Update);
            assertThat(large.bytes()).isEqualTo(body.length - HEAD);
            assertThat(large.inFile().copy()).isEqualTo(Arrays.copyOfRange(body, HEAD, body.length));
            assertThat(cursor.next().kind()).isEqualTo(RowsEvent.Kind.Delete);
            assertThat(cursor.next()).isNull();

            var value = large.cursor().large(4);
            var bytes = Arrays.copyOfRange(body, HEAD + 4, body.length);
            assertThat(value.copy()).isEqualTo(bytes);
            assertThat(value.stream()).hasBinaryContent(bytes);
            assertThat(value.isSame(large.cursor().large(4))).isTrue();
            assertThat(value.isSame(new LargeValue(value.file(), value.start() - 1, value.length())))
                    .isFalse();
            var cut = large.cursor();
            cut.u8();
            assertThat(cut.large(4)).as("more bytes than there are").isNull();
            assertThat(cut.bytes(body.length - HEAD - 1)).isEqualTo(Arrays.copyOfRange(body, HEAD + 1, body.length));
            assertThat(cut.hasMore()).isFalse();

            log.close();
            var next = new RowLog(space);
            next.addLarge(OTHER, RowsEvent.Kind.Update, body, 0, InputStream.nullInputStream(), body.length);
            assertThatExceptionOfType(EOFException.class)
                    .isThrownBy(() -> next.addLarge(
                            OTHER, RowsEvent.Kind.Insert, body, 0, InputStream.nullInputStream(), body.length + 1));
        }
    }

    @Test
    void memoryIsSharedAndGivenBack() throws IOException {
        try (var space = new RowSpace(directory, 250, 10_000)) {
            var first = new RowLog(space);
            first.add(event(ONE, RowsEvent.Kind.Insert, 1));
            first.add(event(ONE, RowsEvent.Kind.Insert, 2));
            var second = new RowLog(space);
            second.add(event(ONE, RowsEvent.Kind.Insert, 3));
            assertThat(second.isSpilled()).isTrue();
            first.close();
            second.close();

            var third = new RowLog(space);
            third.add(event(ONE, RowsEvent.Kind.Insert, 4));
            assertThat(third.isSpilled()).isFalse();
        }
    }

    @Test
    void theDiskIsBoundedAndGivenBack() throws IOException {
        try (var space = new RowSpace(directory, 0, 250)) {
            for (int i = 0; i < 3; i++) {
                try (var log = new RowLog(space)) {
                    log.add(event(ONE, RowsEvent.Kind.Insert, 1));
                    log.add(event(ONE, RowsEvent.Kind.Insert, 2));
                    assertThatThrownBy(() -> log.add(event(ONE, RowsEvent.Kind.Insert, 3)))
                            .isInstanceOf(ServerException.class)
                            .hasMessageContaining("more than the 250 bytes of disk");
                }
            }
        }
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsNamed() {
        try (var space = new RowSpace(directory.resolve("missing"), 0, 250);
                var log = new RowLog(space)) {
            assertThatThrownBy(() -> log.add(event(ONE, RowsEvent.Kind.Insert, 1)))
                    .isInstanceOf(ServerException.class)
                    .hasMessageContaining("missing");
        }
    }
}
