package dev.shardwright.mysql.binlog;

import dev.shardwright.mysql.client.SoftHeap;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changed rows of one transaction in order, in memory and, when its {@link RowSpace} has no more of that, in a file. Not thread-safe. */
public final class RowLog implements AutoCloseable {
    private static final int BUFFER = 64 << 10;
    private static final int RECORD = 4 + 1 + 4;

    private final RowSpace space;
    private final List<RowsEvent> inMemory = new ArrayList<>();
    /** Tables of the events in the file: the same few again and again. */
    private final List<TableMap> tables = new ArrayList<>();

    private final Map<TableMap, Integer> numbers = new HashMap<>();
    private @Nullable FileChannel file;
    private @Nullable DataOutputStream out;
    private long memory;
    private long disk;

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
        space.takeDisk(RECORD + rows.bytes());
        disk += RECORD + rows.bytes();
        if (file == null || out == null) {
            file = space.open();
            out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(file), BUFFER));
        }
        try {
            out.writeInt(number(rows.table()));
            out.writeByte(rows.kind().ordinal());
            out.writeInt(rows.bytes());
            out.write(rows.event(), rows.start(), rows.bytes());
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
            if (in == null || left == 0) {
                return null;
            }
            try {
                var table = tables.get(in.readInt());
                var kind = RowsEvent.Kind.values()[in.readByte()];
                var size = in.readInt();
                SoftHeap.keep(size);
                var bytes = new byte[size];
                in.readFully(bytes);
                left -= RECORD + bytes.length;
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
        space.giveDisk(disk);
        memory = 0;
        disk = 0;
        if (file != null) {
            space.close(file);
        }
    }
}
