package dev.shardwright.router.planner;

import dev.shardwright.router.planner.parse.Names;
import java.util.List;

/**
 * What a statement leaves on its connection that the router can't put on another one, or takes away from there. A session
 * keeps a connection on which it has left something.
 */
public sealed interface Residue {
    /** Whether something may be left, however the statement ends. */
    boolean mayLeave();

    /** What needs no more to be said. */
    enum Plain implements Residue {
        NOTHING(false),
        /** Known to the server only: nothing but a reset takes it away. */
        ANYTHING(true),
        /** LOCK TABLES. */
        TABLE_LOCKS(true),
        /** FLUSH TABLES WITH READ LOCK and the like: unlike those of LOCK TABLES, these locks survive a BEGIN. */
        READ_LOCK(true),
        /** UNLOCK TABLES. */
        NO_TABLE_LOCKS(false),
        /** A START TRANSACTION that goes to the server as it came. */
        BEGINS(false),
        /** One GET_LOCK() is all that the statement asks, so the answer tells whether the lock is there. */
        USER_LOCK(true),
        /** A GET_LOCK() whose result can't be seen. */
        USER_LOCKS(true),
        /** One RELEASE_LOCK() is all that the statement asks, so the answer tells whether a lock is gone. */
        ONE_USER_LOCK_LESS(false),
        /** RELEASE_ALL_LOCKS() is all that the statement asks. */
        NO_USER_LOCKS(false),
        /** SQL_CALC_FOUND_ROWS. */
        FOUND_ROWS(true),
        /** XA START. */
        XA_BRANCH(true),
        /** XA COMMIT or XA ROLLBACK, which succeed only when the session's own branch is none any more. */
        NO_XA_BRANCH(false),
        /** A table gets another name, maybe a temporary one. */
        RENAMED_TABLE(false);

        private final boolean leaves;

        Plain(boolean leaves) {
            this.leaves = leaves;
        }

        @Override
        public boolean mayLeave() {
            return leaves;
        }

        /** Whether the answer is one number that says what has become of the lock. */
        public boolean isToldByAnswer() {
            return this == USER_LOCK || this == ONE_USER_LOCK_LESS;
        }
    }

    /** CREATE TEMPORARY TABLE. */
    record TemporaryTable(Names.Qualified table) implements Residue {
        @Override
        public boolean mayLeave() {
            return true;
        }
    }

    /** DROP TABLE, with or without TEMPORARY: afterwards no temporary table has one of these names. */
    record NoTables(List<Names.Qualified> tables) implements Residue {
        public NoTables {
            tables = List.copyOf(tables);
        }

        @Override
        public boolean mayLeave() {
            return false;
        }
    }
}
