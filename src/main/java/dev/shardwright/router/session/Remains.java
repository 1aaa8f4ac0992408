package dev.shardwright.router.session;

import dev.shardwright.router.planner.Residue;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a session's statements have left on its connection and not taken away since: as long as there is something, no
 * other connection will do. What may be there counts as being there.
 */
final class Remains {
    /** A session with more temporary tables keeps its connection until a reset, so that its memory stays bounded. */
    private static final int MAX_TABLES = 1_000;

    private record Table(String database, String name) {}

    private final Set<Table> temporaryTables = new HashSet<>();
    private boolean anything;
    private boolean tableLocks;
    private boolean readLock;
    private boolean xaBranch;
    private boolean foundRows;
    /** Some of an unknown number. */
    private boolean someUserLocks;
    /** How often GET_LOCK() has succeeded: one that is taken twice must be released twice. */
    private long userLocks;

    boolean isEmpty() {
        return !anything
                && !tableLocks
                && !readLock
                && !xaBranch
                && !foundRows
                && !someUserLocks
                && userLocks == 0
                && temporaryTables.isEmpty();
    }

    /** Whether a BEGIN must release locks of LOCK TABLES, and only those. */
    boolean hasTableLocks() {
        return tableLocks && !readLock;
    }

    /**
     * A statement has ended.
     *
     * @param database of tables that the statement names without one; null: none
     * @param succeeded if not, what it could have left may be there, and what it could have taken away is still there
     * @param answer what it said of a lock; null when it is not known
     */
    void after(Residue residue, @Nullable String database, boolean succeeded, @Nullable Boolean answer) {
        switch (residue) {
            case Residue.TemporaryTable made ->
                add(made.table().database(), made.table().name(), database);
            case Residue.NoTables dropped -> {
                if (succeeded) {
                    dropped.tables()
                            .forEach(table -> temporaryTables.remove(table(table.database(), table.name(), database)));
                }
            }
            case Residue.Plain plain -> after(plain, succeeded, answer);
        }
    }

    private void after(Residue.Plain residue, boolean succeeded, @Nullable Boolean answer) {
        switch (residue) {
            case NOTHING -> {}
            case ANYTHING -> anything = true;
            case TABLE_LOCKS -> tableLocks = true;
            case READ_LOCK -> readLock = true;
            case XA_BRANCH -> xaBranch = true;
            case FOUND_ROWS -> foundRows = true;
            case USER_LOCKS -> someUserLocks = true;
            case USER_LOCK -> {
                if (!succeeded || answer == null) {
                    someUserLocks = true;
                } else if (answer) {
                    userLocks++;
                }
            }
            default -> {
                if (succeeded) {
                    ended(residue, answer);
                }
            }
        }
    }

    private void ended(Residue.Plain residue, @Nullable Boolean answer) {
        switch (residue) {
            case NO_TABLE_LOCKS -> {
                tableLocks = false;
                readLock = false;
            }
            case BEGINS -> tableLocks = false;
            case NO_XA_BRANCH -> xaBranch = false;
            case NO_USER_LOCKS -> {
                someUserLocks = false;
                userLocks = 0;
            }
            case ONE_USER_LOCK_LESS -> {
                if (Boolean.TRUE.equals(answer) && userLocks > 0) {
                    userLocks--;
                }
            }
            case RENAMED_TABLE -> anything |= !temporaryTables.isEmpty();
            default -> throw new IllegalStateException(residue + " takes nothing away");
        }
    }

    /** A SELECT without SQL_CALC_FOUND_ROWS has succeeded: FOUND_ROWS() tells of that one now. */
    void countedRows() {
        foundRows = false;
    }

    private void add(@Nullable String qualifier, String name, @Nullable String database) {
        if (temporaryTables.size() < MAX_TABLES) {
            temporaryTables.add(table(qualifier, name, database));
        } else {
            anything = true;
        }
    }

    private static Table table(@Nullable String qualifier, String name, @Nullable String database) {
        var place = qualifier == null ? database : qualifier;
        return new Table(place == null ? "" : place, name);
    }

    void clear() {
        temporaryTables.clear();
        anything = false;
        tableLocks = false;
        readLock = false;
        xaBranch = false;
        foundRows = false;
        someUserLocks = false;
        userLocks = 0;
    }
}
