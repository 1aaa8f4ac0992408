package dev.shardwright.mysql.binlog;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The changed rows of one transaction in order, in memory and, when its {@link RowSpace} has no more of that, in a file; rows of many
 * MiB always in the file, where their large values stay. Not thread-safe.
 */
public final class RowLog implements AutoCloseable {
    private static final int BUFFER = 64 << 10;
    /** What is longer than the buffer passes it by, and takes as much memory beside the heap on its way to the file. */
    private static final int PIECE = BUFFER / 2;
    /** Of a record in the file: its table's number, kind, size, and whether it is large. */
    private static final int RECORD = 4 + 1 + 4 + 1;

    private final RowSpace space;
    private final List<RowsEvent> inMemory = new ArrayList<>();
    /** Tables of the events in the file: the same few again and again. */
    private final List<TableMap> tables = new ArrayList<>();

    private final Map<TableMap, Integer> numbers = new HashMap<>();
    private @Nullable FileChannel file;
    private @Nullable DataOutputStream out;
    private long memory;
    private long disk;
    private long texts;
    private boolean large;

    RowLog(RowSpace space) {
        this.space = space;
    }

    void add(RowsEvent rows) throws IOException {
        var size = rows.event().length;
        if (file == null && space.takeMemory(size)) {
            memory += size;
            inMemory.add(rows);
        } else {
            write(rows);
        }
    }

    private void write(RowsEvent rows) throws IOException {
        var to = begin(rows.table(), rows.kind(), rows.bytes(), false);
        put(to, rows.event(), rows.start(), rows.bytes());
    }

    /**
     * Rows of many MiB, which are never in memory as a whole.
     *
     * @param head their beginning, from {@code from} on
     * @param rest gives all that follows
     * @param size of them, head included
     */
    void addLarge(TableMap table, RowsEvent.Kind kind, byte[] head, int from, InputStream rest, int size)
            throws IOException {
        large = true;
        if (Arrays.stream(table.types()).anyMatch(type -> type == TableMap.JSON)) {
            // Once more for the texts of its documents.
            space.takeDisk(size);
            texts += size;
        }
        var to = begin(table, kind, size, true);
        var piece = new byte[PIECE];
        var length = Math.min(size, head.length - from);
        var left = size - length;
        put(to, head, from, length);
        for (; left > 0; left -= length) {
            length = rest.read(piece, 0, Math.min(left, PIECE));
            if (length < 0) {
                throw new EOFException("an event of rows ends before its end");
            }
            put(to, piece, 0, length);
        }
    }

    private DataOutputStream begin(TableMap table, RowsEvent.Kind kind, int size, boolean isLarge) throws IOException {
        space.takeDisk(RECORD + size);
        disk += RECORD + size;
        if (file == null || out == null) {
            file = space.open();
            out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(file), BUFFER));
        }
        try {
            out.writeInt(number(table));
            out.writeByte(kind.ordinal());
            out.writeInt(size);
            out.writeBoolean(isLarge);
        } catch (IOException e) {
            throw space.failed(e);
        }
        return out;
    }

    private void put(DataOutputStream to, byte[] bytes, int from, int length) throws IOException {
        try {
            for (int at = 0; at < length; at += PIECE) {
                to.write(bytes, from + at, Math.min(PIECE, length - at));
            }
        } catch (IOException e) {
            throw space.failed(e);
        }
    }

    private int number(TableMap table) {
        return numbers.computeIfAbsent(table, unused -> {
            tables.add(table);
            return tables.size() - 1;
        });
    }

    /** Whether some of the rows are in a file. */
    boolean isSpilled() {
        return file != null;
    }

    /** Whether decoded rows have values that are good only until this is closed. */
    public boolean holdsLarge() {
        return large;
    }

    /** Reads the rows from the first on; nothing may be added after that. */
    public Cursor read() throws IOException {
        return new Cursor();
    }

    /** Gives the rows one event after another. */
    public final class Cursor {
        private final @Nullable DataInputStream in;
        private int next;
        private long left = disk;

        private Cursor() throws IOException {
            if (file == null || out == null) {
                this.in = null;
                return;
            }
            try {
                out.flush();
                file.position(0);
            } catch (IOException e) {
                throw space.failed(e);
            }
            this.in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(file), BUFFER));
        }

        /** Null at the end. */
        public @Nullable RowsEvent next() throws IOException {
            if (next < inMemory.size()) {
                return inMemory.get(next++);
            }
            if (in == null || file == null || left == 0) {
                return null;
            }
            try {
                var table = tables.get(in.readInt());
                var kind = RowsEvent.Kind.values()[in.readByte()];
                var size = in.readInt();
                var isLarge = in.readBoolean();
                left -= RECORD + size;
                if (isLarge) {
                    in.skipNBytes(size);
                    return new RowsEvent(table, kind, new LargeValue(file, disk - left - size, size));
                }
                var bytes = in.readNBytes(size);
                return new RowsEvent(table, kind, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw space.failed(e);
            }
        }
    }

    /** Gives back what it takes of the space. */
    @Override
    public void close() {
        inMemory.clear();
        space.giveMemory(memory);
        space.giveDisk(disk + texts);
        memory = 0;
        disk = 0;
        texts = 0;
        if (file != null) {
            space.close(file);
        }
    }
}
