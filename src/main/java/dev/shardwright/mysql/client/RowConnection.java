package dev.shardwright.mysql.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads results row by row as the server packs them, without an object for each value or row. Each text comes in its
 * column's own character set. Any failure ends the connection. Not thread-safe.
 */
public final class RowConnection implements AutoCloseable {
    private static final int HEADER = 4;
    private static final int FIRST_BYTES = 64 << 10;
    /** Beyond it the buffer is as large as a packet needs. */
    private static final int MAX_GROWN_BYTES = 1 << 20;
    /** A row of more than these bytes is large: its taker is asked first, and gets it in memory of its own. */
    public static final int LARGE_BYTES = 4 << 20;
    /** Behind a large row these bytes are free. */
    public static final int SLACK_BYTES = 16 << 10;
    /** When more is to be dropped, to connect anew is cheaper. */
    private static final int MAX_DROPPED_BYTES = 16 << 20;

    private static final int ERROR = 0xff;
    private static final int END = 0xfe;
    /** A packet of this many bytes or more that begins with 0xfe is a row with a long first value. */
    private static final int LONGEST_END = 8;

    /** Takes the rows of a result. */
    @FunctionalInterface
    public interface Rows {
        /**
         * One row: packed values of the text protocol (a length-encoded integer and as many bytes each; 0xfb is NULL).
         *
         * @param memory good until it returns, unless it is the taker's own
         * @param own whether this is a large row, whose memory the taker may keep and change
         * @return whether more rows are wanted; the server's others are dropped
         */
        boolean row(byte[] memory, int from, int to, boolean own) throws IOException;

        /**
         * Asked before memory is taken for a large row.
         *
         * @param bytes of the row; {@link PacketConnection#MAX_PAYLOAD} if it has these or more
         * @return whether it is wanted; if not, it is dropped with all after it
         */
        default boolean large(int bytes) throws IOException {
            return true;
        }

        /**
         * Asked before a wanted large row is read: the packed values that it probably begins with. If it does, and little more follows,
         * it is told by {@link #expectedCame} and never in memory as a whole. Null: none.
         */
        default @Nullable ByteBuffer expected() {
            return null;
        }

        /** Instead of {@link #row}, and returns the same. */
        default boolean expectedCame() throws IOException {
            throw new IllegalStateException("none was expected");
        }
    }

    private final PacketConnection connection;
    private final InputStream in;
    private byte[] buffer = new byte[FIRST_BYTES];
    private int at;
    private int end;
    /** Of the packet in hand. */
    private int from;

    private int to;
    /** Of the answer in hand. */
    private long dropped;

    private boolean ended;

    private RowConnection(PacketConnection connection, InputStream in) {
        this.connection = connection;
        this.in = in;
    }

    /** As {@link PacketConnection#open}. */
    public static RowConnection open(String host, int port, String user, String password, int silenceMillis)
            throws IOException {
        var connection = PacketConnection.open(host, port, user, password, silenceMillis);
        try {
            connection.execute("SET NAMES utf8mb4");
            connection.execute("SET character_set_results = NULL");
            return new RowConnection(connection, connection.socket().getInputStream());
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }

    /** The rows of a small query, each value as text. */
    public List<List<String>> query(String sql) throws IOException {
        return connection.query(sql);
    }

    /** A statement without a result. */
    public void execute(String sql) throws IOException {
        connection.execute(sql);
    }

    /**
     * Gives the rows of one SELECT, in their order. ServerException when the server refuses it, before or among the rows;
     * RowTooLargeException when one does not fit the heap.
     * Where rows of many MiB would have to be dropped, the connection ends, see {@link #hasEnded}.
     */
    public void select(String sql, Rows rows) throws IOException {
        connection.send(sql);
        packet();
        for (packet(); !isEnd(); packet()) {
            // column definitions
        }
        dropped = 0;
        rows(rows);
        if (at != end && !ended) {
            throw new ServerException(0, "the server sent more than the answer to one statement");
        }
        at = 0;
        end = 0;
        if (buffer.length > FIRST_BYTES) {
            buffer = new byte[FIRST_BYTES];
        }
    }

    /** Whether it was given up in the middle of an answer, so that another one is needed. */
    public boolean hasEnded() {
        return ended;
    }

    private void rows(Rows rows) throws IOException {
        var wanted = true;
        while (true) {
            need(HEADER);
            var length = length(at);
            if (length > LARGE_BYTES) {
                wanted = wanted && rows.large(length);
                if (wanted) {
                    wanted = large(length, rows);
                } else {
                    drop(length);
                }
            } else {
                packet();
                if (isEnd()) {
                    return;
                }
                if (wanted) {
                    wanted = rows.row(buffer, from, to, false);
                } else {
                    dropped += length;
                }
            }
            if (dropped > MAX_DROPPED_BYTES) {
                ended = true;
                close();
                return;
            }
        }
    }

    private boolean large(int first, Rows rows) throws IOException {
        // A value that is longer than the packet mostly begins near the row's beginning.
        need(HEADER + FIRST_BYTES);
        at += HEADER;
        var row = new LargeRow(first);
        var expected = rows.expected();
        if (expected != null && row.isRest(expected.duplicate())) {
            return rows.expectedCame();
        }
        row.readAll();
        return rows.row(row.memory, 0, row.filled, true);
    }

    /** A row of many MiB, in as many packets as it needs. */
    private final class LargeRow {
        private final long least;
        /** Of the packet in hand, bytes that have not been read; and whether another packet follows. */
        private int left;

        private boolean continued;
        /** What is known of it before it is read. */
        private final byte[] beginning;

        byte[] memory = new byte[0];
        int filled;

        /** @param first length of its first packet, which is to be read next */
        LargeRow(int first) {
            left = first;
            continued = first == PacketConnection.MAX_PAYLOAD;
            beginning = Arrays.copyOfRange(buffer, at, end);
            least = continued ? Math.max(first, leastBytes(beginning, beginning.length)) : first;
        }

        /** Reads up to so many bytes; -1 at the row's end. */
        private int read(byte[] into, int start, int count) throws IOException {
            if (left == 0 && continued) {
                need(HEADER);
                left = length(at);
                continued = left == PacketConnection.MAX_PAYLOAD;
                at += HEADER;
            }
            if (left == 0) {
                return -1;
            }
            var piece = Math.min(count, left);
            take(into, start, piece);
            left -= piece;
            return piece;
        }

        /** Reads on for as long as these bytes come, and whether they do and little more; else what has been read is in memory. */
        boolean isRest(ByteBuffer expected) throws IOException {
            var from = expected.position();
            var piece = new byte[Math.max(FIRST_BYTES, SLACK_BYTES)];
            while (expected.hasRemaining()) {
                var length = read(piece, 0, Math.min(piece.length, expected.remaining()));
                if (length < 0
                        || !ByteBuffer.wrap(piece, 0, length).equals(expected.slice(expected.position(), length))) {
                    keep(expected, from, piece, Math.max(0, length));
                    return false;
                }
                expected.position(expected.position() + length);
            }
            var more = 0;
            for (int length = 0; length >= 0 && more < SLACK_BYTES; more += Math.max(0, length)) {
                length = read(piece, more, SLACK_BYTES - more);
            }
            if (more == SLACK_BYTES) {
                keep(expected, from, piece, more);
                return false;
            }
            return true;
        }

        private void keep(ByteBuffer expected, int from, byte[] piece, int length) throws RowTooLargeException {
            var matched = expected.position() - from;
            reserve(Math.max(least, matched + length));
            expected.get(from, memory, 0, matched);
            System.arraycopy(piece, 0, memory, matched, length);
            filled = matched + length;
        }

        private void reserve(long bytes) throws RowTooLargeException {
            var all = bytes + SLACK_BYTES;
            SoftHeap.reserve("a row", all, beginning);
            memory = Arrays.copyOf(memory, (int) all);
        }

        void readAll() throws IOException {
            if (memory.length == 0) {
                reserve(least);
            }
            for (int length = 0; length >= 0; filled += Math.max(0, length)) {
                if (left > memory.length - SLACK_BYTES - filled) {
                    reserve(Math.max(filled + (long) left, leastBytes(memory, filled)));
                }
                length = read(memory, filled, left);
            }
        }
    }

    /** How many bytes a row has at least of which these have been read: where its last value that has begun ends. */
    private static long leastBytes(byte[] row, int filled) {
        long next = 0;
        while (next < filled) {
            var at = (int) next;
            var header = switch (row[at] & 0xff) {
                case 0xfb -> 0;
                case 0xfc -> 2;
                case 0xfd -> 3;
                case 0xfe -> 8;
                default -> -1;
            };
            if (at + 1 + header > filled) {
                return next;
            }
            long length = header < 0 ? row[at] & 0xff : 0;
            for (int i = 0; i < header; i++) {
                length |= (row[at + 1 + i] & 0xffL) << 8 * i;
            }
            next += 1 + Math.max(0, header) + length;
        }
        return next;
    }

    private void take(byte[] into, int start, int count) throws IOException {
        var here = Math.min(count, end - at);
        System.arraycopy(buffer, at, into, start, here);
        at += here;
        for (int done = here; done < count; ) {
            var read = in.read(into, start + done, count - done);
            if (read < 0) {
                throw cut();
            }
            done += read;
        }
    }

    private void drop(int first) throws IOException {
        at += HEADER;
        skip(first);
        for (var length = first; length == PacketConnection.MAX_PAYLOAD && dropped <= MAX_DROPPED_BYTES; skip(length)) {
            need(HEADER);
            length = length(at);
            at += HEADER;
        }
    }

    private void skip(int count) throws IOException {
        var here = Math.min(count, end - at);
        at += here;
        in.skipNBytes(count - here);
        dropped += count;
    }

    private boolean isEnd() {
        return to > from && (buffer[from] & 0xff) == END && to - from <= LONGEST_END;
    }

    /** Reads the next packet, which is no large row. */
    private void packet() throws IOException {
        need(HEADER);
        var length = length(at);
        if (length > LARGE_BYTES) {
            throw new ServerException(0, "the server begins an answer with a packet of " + length + " bytes");
        }
        need(HEADER + length);
        from = at + HEADER;
        to = from + length;
        at = to;
        if (to > from && (buffer[from] & 0xff) == ERROR) {
            PacketConnection.refuseError(Arrays.copyOfRange(buffer, from, to));
        }
    }

    private int length(int header) {
        return buffer[header] & 0xff | (buffer[header + 1] & 0xff) << 8 | (buffer[header + 2] & 0xff) << 16;
    }

    /** Reads until so many bytes are there from {@code at} on; these may move to the buffer's beginning. */
    private void need(int bytes) throws IOException {
        if (end - at >= bytes) {
            return;
        }
        if (buffer.length - at < bytes) {
            var roomy = bytes <= buffer.length
                    ? buffer
                    : new byte[Math.max(bytes, Math.min(2 * buffer.length, MAX_GROWN_BYTES))];
            System.arraycopy(buffer, at, roomy, 0, end - at);
            buffer = roomy;
            end -= at;
            from -= at;
            at = 0;
        }
        while (end - at < bytes) {
            var read = in.read(buffer, end, buffer.length - end);
            if (read < 0) {
                throw cut();
            }
            end += read;
        }
    }

    private static EOFException cut() {
        return new EOFException("the server closed the connection in the middle of an answer");
    }

    /** Also ends a read that waits in another thread. */
    @Override
    public void close() {
        connection.close();
    }
}
