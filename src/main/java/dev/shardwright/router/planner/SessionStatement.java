package dev.shardwright.router.planner;

import java.util.List;

/** Statements that change or show the client's session rather than data. */
public sealed interface SessionStatement {
    record Use(String database) implements SessionStatement {}

    /** BEGIN or START TRANSACTION; to be replayed on the first shard that the transaction touches. */
    record Begin(AccessMode mode) implements SessionStatement {}

    enum AccessMode {
        /** As SET TRANSACTION or the session's variable says. */
        UNNAMED("START TRANSACTION"),
        READ_ONLY("START TRANSACTION READ ONLY"),
        READ_WRITE("START TRANSACTION READ WRITE");

        private final String sql;

        AccessMode(String sql) {
            this.sql = sql;
        }

        /** What starts a transaction of this mode. */
        public String sql() {
            return sql;
        }
    }

    record Commit(boolean chain, boolean release) implements SessionStatement {}

    record Rollback(boolean chain, boolean release) implements SessionStatement {}

    record Savepoint(String sql, String name, SavepointAction action) implements SessionStatement {}

    enum SavepointAction {
        SET,
        ROLL_BACK_TO,
        RELEASE
    }

    /** SET of session variables, names, character set: replayed on every backend connection of the session. */
    record SetVariables(List<Assignment> assignments) implements SessionStatement {}

    /** SET TRANSACTION for the next transaction only. */
    record SetNextTransaction(String sql) implements SessionStatement {}

    /** ROW_COUNT(), SHOW WARNINGS, FOUND_ROWS(), LAST_INSERT_ID(): belongs to the last statement's backend. */
    record AboutLastStatement() implements SessionStatement {}

    /** KILL: a client's id is the router's, any other one's a server's. */
    record Kill() implements SessionStatement {}

    /**
     * @param name lower-case variable name; {@code names} for SET NAMES, {@code @x} for a user variable, {@link #ROLE}
     * @param sql the single assignment as a complete SET statement, ready to be replayed
     */
    record Assignment(String name, String sql) {
        /** The name of SET ROLE. */
        public static final String ROLE = "role";

        /** The variable by which a client asks for results with or without metadata. */
        public static final String METADATA = "resultset_metadata";

        /** Whether statements are read differently from now on. */
        public boolean changesReading() {
            return name.startsWith("names")
                    || name.startsWith("char")
                    || name.startsWith("collation_connection")
                    || name.contains("sql_mode");
        }
    }
}
