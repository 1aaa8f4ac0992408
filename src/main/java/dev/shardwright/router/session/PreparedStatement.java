package dev.shardwright.router.session;

import dev.shardwright.router.planner.StatementContext;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A statement that the client has prepared; the servers' own copies are made when they are needed. */
public final class PreparedStatement {
    private final int id;
    private final StatementKey key;
    private final int parameters;
    private final StatementContext context;
    private final Map<Integer, byte[]> longData = new HashMap<>();
    private byte @Nullable [] types;
    private @Nullable SessionBackend cursor;

    /** @param context in which the servers read the text */
    public PreparedStatement(int id, StatementKey key, int parameters, StatementContext context) {
        this.id = id;
        this.key = key;
        this.parameters = parameters;
        this.context = context;
    }

    public int id() {
        return id;
    }

    /** What servers know it by. */
    public StatementKey key() {
        return key;
    }

    /** As {@link #key}, of the copy that opens this statement's cursor. */
    public StatementKey keyWithCursor() {
        return key.withCursor(id);
    }

    public byte[] sql() {
        return key.sql();
    }

    public int parameters() {
        return parameters;
    }

    public StatementContext context() {
        return context;
    }

    /** The types that the client bound last, two bytes for each parameter; null before the first execution. */
    public byte @Nullable [] types() {
        return types;
    }

    public void bind(byte[] bound) {
        if (!Arrays.equals(types, bound)) {
            types = bound;
        }
    }

    /** The connection on which it has an open cursor, or null; that connection may have gone. */
    public @Nullable SessionBackend cursor() {
        return cursor;
    }

    public void cursorOn(@Nullable SessionBackend backend) {
        cursor = backend;
    }

    /** Values sent ahead by COM_STMT_SEND_LONG_DATA, by parameter. */
    public Map<Integer, byte[]> longData() {
        return longData;
    }

    /** Appends; returns how many bytes are held now. */
    public long appendLongData(int parameter, byte[] data) {
        longData.merge(parameter, data, PreparedStatement::concatenate);
        return longData.values().stream().mapToLong(bytes -> bytes.length).sum();
    }

    private static byte[] concatenate(byte[] left, byte[] right) {
        var both = Arrays.copyOf(left, left.length + right.length);
        System.arraycopy(right, 0, both, left.length, right.length);
        return both;
    }
}
