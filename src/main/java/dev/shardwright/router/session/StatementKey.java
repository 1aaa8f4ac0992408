package dev.shardwright.router.session;

import dev.shardwright.router.planner.SessionStatement.Assignment;
import dev.shardwright.router.planner.StatementContext;
import java.util.Arrays;
import java.util.List;

/**
 * Names a statement that is prepared on a server: its text and all that decided how the server read it. Sessions whose
 * statements have equal keys share what is prepared.
 */
public final class StatementKey {
    private final byte[] sql;
    private final StatementContext context;
    private final List<Assignment> reading;
    private final int cursor;
    private final int hash;

    /** @param reading see {@link SessionVariables#reading} */
    public StatementKey(byte[] sql, StatementContext context, List<Assignment> reading) {
        this(sql, context, reading, 0);
    }

    private StatementKey(byte[] sql, StatementContext context, List<Assignment> reading, int cursor) {
        this.sql = sql;
        this.context = context;
        this.reading = reading;
        this.cursor = cursor;
        this.hash = ((Arrays.hashCode(sql) * 31 + context.hashCode()) * 31 + reading.hashCode()) * 31 + cursor;
    }

    public byte[] sql() {
        return sql;
    }

    /** Another text that is read in the same way. */
    public StatementKey withText(byte[] text) {
        return new StatementKey(text, context, reading);
    }

    /**
     * The copy that opens the cursor of the client's statement with this id; never 0. MySQL (seen with 9.7) answers wrongly
     * when it runs a statement without a cursor that it has run with one, and has one cursor for each statement.
     */
    StatementKey withCursor(int id) {
        return new StatementKey(sql, context, reading, id);
    }

    /** Whether it is such a copy. */
    public boolean opensCursor() {
        return cursor != 0;
    }

    /** Whether a server that has this session's state would read the text in the same way now. */
    public boolean isReadBy(ClientSession session) {
        return context.equals(session.context(true))
                && reading.equals(session.variables().reading());
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof StatementKey key
                        && hash == key.hash
                        && cursor == key.cursor
                        && Arrays.equals(sql, key.sql)
                        && context.equals(key.context)
                        && reading.equals(key.reading);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "a prepared statement of " + sql.length + " bytes";
    }
}
