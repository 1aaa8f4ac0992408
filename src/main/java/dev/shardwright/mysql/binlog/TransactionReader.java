package dev.shardwright.mysql.binlog;

import com.github.luben.zstd.ZstdInputStream;
import com.github.shyiko.mysql.binlog.event.deserialization.GtidTaggedEventDataDeserializer;
import com.github.shyiko.mysql.binlog.io.ByteArrayInputStream;
import dev.shardwright.mysql.client.ServerException;
import dev.shardwright.mysql.client.SoftHeap;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the events of a {@link BinlogConnection} together to whole transactions. Whatever it does not
 * know for certain to be harmless is an error that ends the stream. Not thread-safe.
 */
public final class TransactionReader {
    private static final int HEADER = 19;
    private static final int CHECKSUM = 4;
    /** Of MySQL. */
    private static final int MAX_EVENT = 1 << 30;

    private static final int MAX_TABLES = 2_000;
    private static final Pattern XA = Pattern.compile(
            "XA\\s+(START|END|COMMIT|ROLLBACK)\\s+X'([0-9a-f]*)',\\s*X'([0-9a-f]*)',\\s*(\\d+).*",
            Pattern.CASE_INSENSITIVE);

    /** Gives the events; waits for the next. */
    @FunctionalInterface
    public interface EventSource {
        IncomingEvent next() throws IOException;
    }

    private record Branch(Gtid gtid, RowLog rows) {}

    private final EventSource source;
    private final RowSpace space;
    private final Map<Long, TableMap> tables = new HashMap<>();
    private final Map<Long, byte[]> tableBytes = new HashMap<>();
    private final Map<String, Branch> prepared = new HashMap<>();
    private final ArrayDeque<BinlogEvent> ready = new ArrayDeque<>();
    private RowLog rows;
    private @Nullable Gtid gtid;
    private boolean open;
    private volatile long seconds;

    /** @param space for one transaction and for all prepared XA branches together */
    public TransactionReader(EventSource source, RowSpace space) {
        this.source = source;
        this.space = space;
        this.rows = new RowLog(space);
    }

    /** Waits for the next; IOException when the stream ends or can't be understood. */
    public BinlogEvent next() throws IOException {
        while (ready.isEmpty()) {
            var event = source.next();
            try {
                if (event.isWhole()) {
                    checkSum(event.head());
                    read(event.head(), HEADER, event.head().length - CHECKSUM);
                } else {
                    large(event);
                }
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw new ServerException(0, "malformed binary log event: " + e.getMessage());
            }
        }
        return ready.remove();
    }

    /** When the source wrote what was read last, in seconds since 1970 by its clock; 0: nothing yet. Any thread may ask. */
    public long seconds() {
        return seconds;
    }

    /** Rows go to their file as they come, and a compressed transaction is unpacked as it comes; of all else there is nothing large. */
    private void large(IncomingEvent event) throws IOException {
        var head = event.head();
        var crc = new CRC32();
        crc.update(head);
        var left = event.left() - CHECKSUM;
        var body = new CheckedInputStream(new Bounded(event.rest(), left), crc);
        large(head, body, left);
        body.transferTo(OutputStream.nullOutputStream());
        compare(crc, event.rest().readNBytes(CHECKSUM), 0);
    }

    /** So many bytes of another stream. */
    private static final class Bounded extends PieceInput {
        private final InputStream in;
        private int left;

        Bounded(InputStream in, int left) {
            this.in = in;
            this.left = left;
        }

        @Override
        public int read(byte[] into, int from, int count) throws IOException {
            if (left == 0) {
                return -1;
            }
            var read = in.read(into, from, Math.min(count, left));
            left -= Math.max(0, read);
            return read;
        }
    }

    /** @param left bytes of the event behind its head */
    private void large(byte[] head, InputStream rest, int left) throws IOException {
        switch (type(head, 0)) {
            case 30, 31, 32, 40 -> read(head, HEADER, head.length, rest, left);
            // The text of a statement (binlog_rows_query_log_events), which nobody needs.
            case 29 -> rest.skipNBytes(left);
            default -> {
                SoftHeap.reserve("an event of the binary log", left);
                var event = Arrays.copyOf(head, head.length + left);
                if (rest.readNBytes(event, head.length, left) < left) {
                    throw new EOFException("an event ends before its end");
                }
                read(event, HEADER, event.length);
            }
        }
    }

    private static int type(byte[] event, int header) {
        return event[header + 4] & 0xff;
    }

    private static void checkSum(byte[] event) throws IOException {
        if (event.length < HEADER + CHECKSUM) {
            throw new ServerException(0, "a binary log event of only " + event.length + " bytes");
        }
        var crc = new CRC32();
        crc.update(event, 0, event.length - CHECKSUM);
        compare(crc, event, event.length - CHECKSUM);
    }

    /** @param at where the checksum begins, which is the last of the bytes */
    private static void compare(CRC32 crc, byte[] bytes, int at) throws ServerException {
        if ((int) crc.getValue() != (int) new ByteCursor(bytes, at, bytes.length).little(CHECKSUM)) {
            throw new ServerException(0, "a binary log event's checksum is wrong");
        }
    }

    private void read(byte[] event, int body, int end) throws IOException {
        read(event, body, end, InputStream.nullInputStream(), 0);
    }

    /** @param left bytes of the event that are still in {@code rest} */
    private void read(byte[] event, int body, int end, InputStream rest, int left) throws IOException {
        var written = new ByteCursor(event, body - HEADER, body).little(4);
        if (written > 0) {
            seconds = written;
        }
        var type = type(event, body - HEADER);
        switch (type) {
            case 2 -> query(event, body, end);
            case 16 -> commit();
            case 19 -> tableMap(event, body, end);
            case 30 -> rows(RowsEvent.Kind.Insert, event, body, end, rest, left);
            case 31 -> rows(RowsEvent.Kind.Update, event, body, end, rest, left);
            case 32 -> rows(RowsEvent.Kind.Delete, event, body, end, rest, left);
            case 33 -> gtid = gtid(event, body, end);
            case 42 -> gtid = taggedGtid(event, body, end);
            case 38 -> prepare(event, body, end);
            case 40 -> payload(event, body, end, rest, left);
            case 27, 41 -> ready.add(new BinlogEvent.Heartbeat());
            // Stop, rotate, format description, rows query, ignorable, previous gtids, transaction context, view
            // change.
            case 3, 4, 15, 28, 29, 35, 36, 37 -> {}
            default ->
                throw new ServerException(
                        0,
                        "binary log event of type " + type
                                + " is not supported: the server must log full rows (binlog_format=ROW, binlog_row_image=FULL,"
                                + " binlog_row_value_options='', gtid_mode=ON)");
        }
    }

    private static Gtid gtid(byte[] event, int body, int end) {
        var in = new ByteCursor(event, body, end);
        in.skip(1);
        var uuid = new java.util.UUID(in.big(8), in.big(8));
        return new Gtid(uuid.toString(), in.little(8));
    }

    private static Gtid taggedGtid(byte[] event, int body, int end) throws IOException {
        var parsed = new GtidTaggedEventDataDeserializer()
                .deserialize(new ByteArrayInputStream(Arrays.copyOfRange(event, body, end)))
                .getMySqlGtid();
        var tag = parsed.getTag();
        var source = parsed.getServerId().toString();
        return new Gtid(tag == null || tag.isEmpty() ? source : source + ":" + tag, parsed.getTransactionId());
    }

    private void query(byte[] event, int body, int end) throws IOException {
        var in = new ByteCursor(event, body, end);
        in.skip(8);
        var databaseLength = in.u8();
        in.skip(2);
        var status = (int) in.little(2);
        in.skip(status);
        var database = in.text(databaseLength);
        in.skip(1);
        statement(database, in.text(end - in.position()));
    }

    private void statement(String database, String sql) throws IOException {
        if (sql.equals("BEGIN")) {
            open = true;
            return;
        }
        var xa = XA.matcher(sql);
        if (xa.matches()) {
            xa(xa.group(1).toUpperCase(java.util.Locale.ROOT), xid(xa.group(2), xa.group(3), xa.group(4)));
        } else if (!open) {
            ready.add(new BinlogEvent.Statement(takeGtid(), database, sql));
            reset();
        } else if (sql.equals("COMMIT")) {
            commit();
        } else if (!sql.regionMatches(true, 0, "SAVEPOINT", 0, 9)) {
            throw new ServerException(
                    0,
                    "statement inside of a transaction in the binary log, which can't be followed: " + database + ": "
                            + sql);
        }
    }

    private void xa(String verb, String xid) throws IOException {
        switch (verb) {
            case "START" -> open = true;
            case "END" -> {}
            case "COMMIT" -> {
                var branch = prepared.remove(xid);
                ready.add(
                        branch == null
                                ? new BinlogEvent.UnknownXaCommit(takeGtid(), xid)
                                : new BinlogEvent.Transaction(List.of(branch.gtid, takeGtid()), branch.rows));
                reset();
            }
            default -> {
                var branch = prepared.remove(xid);
                if (branch != null) {
                    branch.rows.close();
                }
                ready.add(new BinlogEvent.Transaction(
                        branch == null ? List.of(takeGtid()) : List.of(branch.gtid, takeGtid()), new RowLog(space)));
                reset();
            }
        }
    }

    private void prepare(byte[] event, int body, int end) throws IOException {
        var in = new ByteCursor(event, body, end);
        var onePhase = in.u8() != 0;
        var format = in.little(4);
        var global = (int) in.little(4);
        var branch = (int) in.little(4);
        if (onePhase) {
            commit();
            return;
        }
        var hex = HexFormat.of();
        var id = takeGtid();
        prepared.put(
                xid(hex.formatHex(in.bytes(global)), hex.formatHex(in.bytes(branch)), Long.toString(format)),
                new Branch(id, rows));
        ready.add(new BinlogEvent.Prepared(id));
        reset();
    }

    private static String xid(String global, String branch, String format) {
        return (global + "," + branch + "," + format).toLowerCase(java.util.Locale.ROOT);
    }

    private void commit() throws IOException {
        ready.add(new BinlogEvent.Transaction(List.of(takeGtid()), rows));
        reset();
    }

    private void reset() {
        // A table gets a new number whenever the server opens it again; a transaction describes its tables anew.
        if (tables.size() > MAX_TABLES) {
            tables.clear();
            tableBytes.clear();
        }
        rows = new RowLog(space);
        gtid = null;
        open = false;
    }

    private Gtid takeGtid() throws IOException {
        if (gtid == null) {
            throw new ServerException(
                    0, "a transaction without gtid in the binary log: the server must run with gtid_mode=ON");
        }
        return gtid;
    }

    private void tableMap(byte[] event, int body, int end) {
        var id = new ByteCursor(event, body, end).little(6);
        var content = Arrays.copyOfRange(event, body, end);
        // The same map comes with each transaction.
        if (!Arrays.equals(tableBytes.put(id, content), content)) {
            tables.put(id, TableMap.parse(event, body, end));
        }
    }

    private void rows(RowsEvent.Kind kind, byte[] event, int body, int end, InputStream rest, int left)
            throws IOException {
        var in = new ByteCursor(event, body, end);
        var id = in.little(6);
        in.skip(2);
        in.skip((int) in.little(2) - 2);
        var table = tables.get(id);
        if (table == null) {
            throw new ServerException(0, "rows of a table that the binary log has not described");
        }
        if (left == 0) {
            rows.add(new RowsEvent(table, kind, event, in.position(), end));
        } else {
            rows.addLarge(table, kind, event, in.position(), rest, end - in.position() + left);
        }
    }

    private void payload(byte[] event, int body, int end, InputStream rest, int left) throws IOException {
        var in = new ByteCursor(event, body, end);
        long compression = -1;
        long size = -1;
        for (var field = in.packed(); field != 0; field = in.packed()) {
            var length = in.packed();
            if (field == 1) {
                size = in.packed();
            } else if (field == 2) {
                compression = in.packed();
            } else {
                in.skip((int) length);
            }
        }
        var here = end - in.position();
        if (size > here + (long) left) {
            throw new IllegalArgumentException("a compressed transaction of " + size + " bytes in " + (here + left));
        }
        var first = size < 0 ? here : (int) Math.min(size, here);
        var content = new SequenceInputStream(new java.io.ByteArrayInputStream(event, in.position(), first), rest);
        try (var plain = compression == 0 ? new ZstdInputStream(content) : content) {
            inner(plain);
        }
    }

    /** Events inside of a payload have no checksum. */
    private void inner(InputStream in) throws IOException {
        for (var header = in.readNBytes(HEADER); header.length > 0; header = in.readNBytes(HEADER)) {
            var size = header.length < HEADER ? 0 : (int) new ByteCursor(header, 9, HEADER).little(4);
            if (size < HEADER || size > MAX_EVENT) {
                throw new ServerException(0, "a compressed transaction holds an event of " + size + " bytes");
            }
            var head = Arrays.copyOf(header, size > BinlogConnection.LARGE_BYTES ? BinlogConnection.HEAD_BYTES : size);
            if (in.readNBytes(head, HEADER, head.length - HEADER) < head.length - HEADER) {
                throw new ServerException(0, "a compressed transaction ends inside of an event");
            }
            if (head.length < size) {
                large(head, in, size - head.length);
            } else {
                read(head, HEADER, size);
            }
        }
    }
}
