package dev.shardwright.mysql.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;

/**
 * Reads results row by row as the server packs them, without an object for each value or row. Each text comes in its
 * column's own character set. Any failure ends the connection. Not thread-safe.
 */
public final class RowConnection implements AutoCloseable {
    private static final int HEADER = 4;
    private static final int FIRST_BYTES = 64 << 10;
    /** Beyond it the buffer is as large as a packet needs. */
    private static final int MAX_GROWN_BYTES = 1 << 20;

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
         * @param memory good until it returns
         * @return whether more rows are wanted; the server's others are dropped
         */
        boolean row(byte[] memory, int from, int to);
    }

    private final PacketConnection connection;
    private final InputStream in;
    private byte[] buffer = new byte[FIRST_BYTES];
    private int at;
    private int end;
    /** Of the packet in hand. */
    private int from;

    private int to;

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

    /** Gives the rows of one SELECT, in their order. ServerException when the server refuses it, before or among the rows. */
    public void select(String sql, Rows rows) throws IOException {
        connection.send(sql);
        packet();
        for (packet(); !isEnd(); packet()) {
            // column definitions
        }
        var wanted = true;
        for (packet(); !isEnd(); packet()) {
            wanted = wanted && rows.row(buffer, from, to);
        }
        if (at != end) {
            throw new ServerException(0, "the server sent more than the answer to one statement");
        }
        at = 0;
        end = 0;
        if (buffer.length > FIRST_BYTES) {
            buffer = new byte[FIRST_BYTES];
        }
    }

    private boolean isEnd() {
        return to > from && (buffer[from] & 0xff) == END && to - from <= LONGEST_END;
    }

    /** Reads the next packet, joined if it comes in parts. */
    private void packet() throws IOException {
        need(HEADER);
        var length = length(at);
        need(HEADER + length);
        from = at + HEADER;
        to = from + length;
        at = to;
        while (length == PacketConnection.MAX_PAYLOAD) {
            length = join();
        }
        if (to > from && (buffer[from] & 0xff) == ERROR) {
            PacketConnection.refuseError(Arrays.copyOfRange(buffer, from, to));
        }
    }

    /** Puts the payload of the packet that follows behind the one in hand; returns its length. */
    private int join() throws IOException {
        var taken = at - from;
        at = from;
        need(taken + HEADER);
        var length = length(from + taken);
        need(Math.addExact(taken + HEADER, length));
        var next = from + taken;
        System.arraycopy(buffer, next + HEADER, buffer, next, end - next - HEADER);
        end -= HEADER;
        to = next + length;
        at = to;
        return length;
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
                throw new EOFException("the server closed the connection in the middle of an answer");
            }
            end += read;
        }
    }

    /** Also ends a read that waits in another thread. */
    @Override
    public void close() {
        connection.close();
    }
}
