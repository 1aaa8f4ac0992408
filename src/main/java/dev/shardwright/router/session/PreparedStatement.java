package dev.shardwright.router.session;

import dev.shardwright.router.buffer.ClientMemory;
import dev.shardwright.router.planner.StatementContext;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A statement that the client has prepared; the servers' own copies are made when they are needed. */
public final class PreparedStatement {
    private final int id;
    private final StatementKey key;
    private final int parameters;
    private final StatementContext context;
    private final LongData longData;
    private byte @Nullable [] types;
    private @Nullable SessionBackend cursor;

    /**
     * @param context in which the servers read the text
     * @param memory out of which values come that are sent ahead
     */
    PreparedStatement(int id, StatementKey key, int parameters, StatementContext context, ClientMemory memory) {
        this.id = id;
        this.key = key;
        this.parameters = parameters;
        this.context = context;
        this.longData = new LongData(memory);
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

    public LongData longData() {
        return longData;
    }
}
