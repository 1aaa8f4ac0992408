package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.ErrPacket;

/**
 * Every error that a client can see and that is the router's own: number, SQLSTATE, message, and in the
 * message what to do about it. Errors that MySQL has too carry MySQL's number and words. Refusals of a
 * statement's construct come from the planner, with 1235; errors of a shard's server pass as they are.
 */
public final class ErrorCatalogue {
    public static final int DEADLOCK = 1213;
    public static final int NOT_SUPPORTED = 1235;
    /** Of a server in offline_mode: it ran nothing. */
    public static final int OFFLINE = 3032;
    /** Of a read-only server among others: see {@link #refusedUnrun}. */
    public static final int OPTION_PREVENTS = 1290;
    /** Of a statement that an XA transaction does not take. */
    public static final int WRONG_XA_STATE = 1399;

    /** A server's max_prepared_stmt_count is reached. */
    public static final int TOO_MANY_STATEMENTS = 1461;

    static final int ACCESS_DENIED = 1045;
    private static final int IDLE_SESSION_ENDED = 4031;
    public static final int UNKNOWN_THREAD = 1094;
    private static final int SESSION_KILLED = 3169;
    private static final int SHUTTING_DOWN = 1053;
    private static final int SERVER_TOO_MANY_CONNECTIONS = 1040;
    private static final int UNKNOWN = 1105;
    private static final int SERVER_LOST = 2013;

    private ErrorCatalogue() {}

    public static ErrPacket tooManyConnections() {
        return new ErrPacket(SERVER_TOO_MANY_CONNECTIONS, "08004", "Too many connections");
    }

    public static ErrPacket tooManyUserConnections(String user) {
        return new ErrPacket(
                1203, "42000", "User " + user + " already has more than 'max_user_connections' active connections");
    }

    public static ErrPacket proxyHeaderRefused(String host, String why) {
        return new ErrPacket(1130, "HY000", "Host '" + host + "' is not allowed to connect to this router: " + why);
    }

    public static ErrPacket accessDenied(String user, String host, boolean usingPassword) {
        return new ErrPacket(
                ACCESS_DENIED,
                "28000",
                "Access denied for user '%s'@'%s' (using password: %s)"
                        .formatted(user, host, usingPassword ? "YES" : "NO"));
    }

    public static ErrPacket changeUserDenied(String user, String host, boolean usingPassword) {
        return new ErrPacket(
                1873,
                "28000",
                "Access denied trying to change to user '%s'@'%s' (using password: %s). Disconnecting."
                        .formatted(user, host, usingPassword ? "YES" : "NO"));
    }

    public static ErrPacket tlsRequired() {
        return new ErrPacket(
                3159,
                "HY000",
                "Connections using insecure transport are prohibited: this router requires TLS (spec.router.tls.required)");
    }

    public static ErrPacket unknownCommand() {
        return new ErrPacket(1047, "08S01", "Unknown command");
    }

    public static ErrPacket unknownDatabase(String database) {
        return new ErrPacket(1049, "42000", "Unknown database '%s'".formatted(database));
    }

    public static ErrPacket unknownThread(long id) {
        return new ErrPacket(UNKNOWN_THREAD, "HY000", "Unknown thread id: " + id);
    }

    /** @param id of a router's client, as its login was told */
    public static ErrPacket noSuchClient(long id) {
        return new ErrPacket(
                UNKNOWN_THREAD,
                "HY000",
                "Unknown thread id: " + id + " (at this router; a client of another router of the keyspace can be ended"
                        + " by a connection to that router only)");
    }

    public static ErrPacket notOwner(long id) {
        return new ErrPacket(1095, "HY000", "You are not owner of thread " + id);
    }

    public static ErrPacket interrupted() {
        return new ErrPacket(1317, "70100", "Query execution was interrupted");
    }

    public static ErrPacket statementTimeout() {
        return new ErrPacket(
                3024, "HY000", "Query execution was interrupted, maximum statement execution time exceeded");
    }

    public static ErrPacket shuttingDown() {
        return new ErrPacket(SHUTTING_DOWN, "08S01", "Server shutdown in progress");
    }

    public static ErrPacket packetTooLarge(int limit) {
        return new ErrPacket(
                1153,
                "08S01",
                "Got a packet bigger than 'max_allowed_packet' bytes (the router takes %d)".formatted(limit));
    }

    public static ErrPacket longDataTooLarge(int limit) {
        return new ErrPacket(
                UNKNOWN,
                "HY000",
                ("Parameters of the prepared statement that were set by mysql_send_long_data() are longer than"
                                + " 'max_allowed_packet' bytes (the router takes %d)")
                        .formatted(limit));
    }

    /** @param limit what the statements of all clients may hold together, in bytes */
    public static ErrPacket outOfStatementMemory(long limit) {
        return new ErrPacket(
                1041,
                "HY000",
                ("Out of memory: the router holds statements of %d bytes at most (spec.router.statementBytes), for all"
                                + " clients together; nothing was run, try again or send less at once")
                        .formatted(limit));
    }

    public static ErrPacket packetReadTimeout() {
        return new ErrPacket(1159, "08S01", "Got timeout reading communication packets");
    }

    public static ErrPacket packetsOutOfOrder() {
        return new ErrPacket(1156, "08S01", "Got packets out of order");
    }

    public static ErrPacket malformedPacket() {
        return new ErrPacket(1835, "HY000", "Malformed communication packet.");
    }

    public static ErrPacket unknownStatement(int id) {
        return new ErrPacket(
                1243, "HY000", "Unknown prepared statement handler (%d) given to mysql_stmt_precheck".formatted(id));
    }

    public static ErrPacket tooManyStatements(int limit) {
        return new ErrPacket(
                TOO_MANY_STATEMENTS,
                "42000",
                "Can't create more than max_prepared_stmt_count statements (current value: %d)".formatted(limit));
    }

    public static ErrPacket noCursor(int id) {
        return new ErrPacket(1421, "HY000", "The statement (%d) has no open cursor.".formatted(id));
    }

    /** The rows that were not fetched are nowhere else. */
    public static ErrPacket cursorLost(String shard) {
        return new ErrPacket(
                UNKNOWN,
                "HY000",
                ("the statement's cursor is gone, because the connection to shard %s was closed (the shard is being moved,"
                                + " or its server was lost): execute the statement again")
                        .formatted(shard));
    }

    /** Where it ends can only be told by MySQL's own parser. */
    public static ErrPacket statementWithBody() {
        return notSupported("a statement that may have a body (CREATE PROCEDURE, FUNCTION, TRIGGER, EVENT) or can't be"
                + " read is not supported among several in one text on a keyspace of several shards: nothing of it was"
                + " sent; send statements one by one");
    }

    public static ErrPacket notSupported(String what) {
        return new ErrPacket(NOT_SUPPORTED, "42000", what);
    }

    public static ErrPacket crossShardTransaction(String began, String needed) {
        return notSupported(("this transaction works on shard %s and the statement needs shard %s; transactions over"
                        + " several shards are not supported yet: nothing was sent, the transaction goes on")
                .formatted(began, needed));
    }

    public static ErrPacket noSavepoint(String name) {
        return new ErrPacket(1305, "42000", "SAVEPOINT %s does not exist".formatted(name));
    }

    public static ErrPacket scatterInTransaction(int shards) {
        return notSupported(("the statement needs %d shards, and transactions over several shards are not supported"
                        + " yet: nothing was sent; run it outside of a transaction or name the shard key")
                .formatted(shards));
    }

    public static ErrPacket writeOverShards(int shards) {
        return notSupported(("the statement writes to %d shards, which is not supported yet: nothing was sent;"
                        + " write one statement for each shard key value")
                .formatted(shards));
    }

    public static ErrPacket ddlDuringWorkflow(String workflow) {
        return notSupported(
                "DDL is refused while workflow %s moves shards of this keyspace; run it when the workflow has ended"
                        .formatted(workflow));
    }

    public static ErrPacket ddlPartlyDone(String report) {
        return new ErrPacket(
                UNKNOWN,
                "HY000",
                "the DDL statement failed on some shards; mend the cause and run it again: " + report);
    }

    /** A shard-key value that is not stored exactly as given, or maps to no shard. */
    public static ErrPacket shardKeyRefused(String why) {
        return new ErrPacket(UNKNOWN, "HY000", why);
    }

    public static ErrPacket noTopology() {
        return new ErrPacket(
                UNKNOWN,
                "HY000",
                "the router has no valid topology of the keyspace yet and can't tell where rows live; try again"
                        + " when it is ready");
    }

    public static ErrPacket heldTooLong(String shard, String workflow, long millis) {
        return new ErrPacket(
                UNKNOWN,
                "HY000",
                "shard %s is being moved by workflow %s and did not come back within bufferTimeout (%d ms); nothing was sent, try again"
                        .formatted(shard, workflow, millis));
    }

    public static ErrPacket bufferFull(String shard, String workflow) {
        return new ErrPacket(
                UNKNOWN,
                "HY000",
                "shard %s is being moved by workflow %s and the buffer for waiting statements (bufferBytes) is full; nothing was sent, try again"
                        .formatted(shard, workflow));
    }

    public static ErrPacket shardUnreachable(String shard, String why) {
        return new ErrPacket(
                UNKNOWN, "HY000", "shard %s can't be reached: %s; nothing was run, try again".formatted(shard, why));
    }

    /** Before the shard was sent anything that counts. */
    public static ErrPacket connectionLost(String shard) {
        return shardUnreachable(shard, "the connection was lost");
    }

    public static ErrPacket overloaded() {
        return new ErrPacket(1041, "HY000", "the router has too many new statements to plan; try again");
    }

    public static ErrPacket movedDuringResult(String shard) {
        return new ErrPacket(
                UNKNOWN, "HY000", "shard %s went away while the result was being sent; read it again".formatted(shard));
    }

    public static ErrPacket lostDuringResult(String shard) {
        return new ErrPacket(
                SERVER_LOST,
                "HY000",
                "the connection to shard %s was lost while the result was being sent".formatted(shard));
    }

    public static ErrPacket lostDuringUpload(String shard) {
        return new ErrPacket(
                SERVER_LOST,
                "HY000",
                "the connection to shard %s was lost before it had the whole file: nothing of it was stored in transactional tables, load it again"
                        .formatted(shard));
    }

    /** The router can't know whether the write was done. SQLSTATE 08007: transaction resolution unknown. */
    public static ErrPacket outcomeUnknown(String shard) {
        return new ErrPacket(
                SERVER_LOST,
                "08007",
                "the connection to shard %s was lost after the statement had been sent: its outcome is unknown, look before you repeat it"
                        .formatted(shard));
    }

    public static ErrPacket transactionMoved(String shard) {
        return new ErrPacket(
                DEADLOCK,
                "40001",
                "the transaction was rolled back because shard %s is being moved; retry it".formatted(shard));
    }

    public static ErrPacket transactionLost(String shard) {
        return new ErrPacket(
                DEADLOCK,
                "40001",
                "the transaction was rolled back because the connection to shard %s was lost; retry it"
                        .formatted(shard));
    }

    /** Said before the client's connection is closed. */
    public static ErrPacket sessionStateLost(String shard) {
        return new ErrPacket(
                UNKNOWN,
                "HY000",
                "the connection to shard %s is gone, and with it session state that can't be made again (temporary"
                                .formatted(shard)
                        + " tables, locks, user variables set in a SELECT); connect again");
    }

    public static ErrPacket pinnedElsewhere(String pinned, String needed) {
        return notSupported(("the session has temporary tables, locks or user variables on shard %s and the statement"
                        + " needs shard %s: nothing was sent; use another connection for it")
                .formatted(pinned, needed));
    }

    public static ErrPacket lastStatementGone() {
        return new ErrPacket(
                UNKNOWN,
                "HY000",
                "the session no longer has the connection that ran the last statement (its shard was moved, or another"
                        + " client needed it), and what the server knew about that statement is lost; ask right after"
                        + " the statement, or inside its transaction");
    }

    public static ErrPacket insertIdElsewhere() {
        return notSupported("LAST_INSERT_ID() is known on another connection than what is asked about the last"
                + " statement: read it with a SELECT of its own");
    }

    /** {@code millis}: how long was waited. */
    public static ErrPacket noBackendFree(String user, String shard, long millis) {
        return new ErrPacket(
                1203,
                "42000",
                ("User %s already has more than 'max_user_connections' active connections: all that this router may"
                                + " have to shard %s were in use for %d ms; nothing was run; shorten transactions or raise"
                                + " spec.router.backends.maxConnections")
                        .formatted(user, shard, millis));
    }

    public static ErrPacket lastStatementMerged() {
        return notSupported("ROW_COUNT() and SHOW WARNINGS about a statement that ran on several shards are"
                + " not supported: each shard knows its own part only; ask about statements with a shard key");
    }

    public static ErrPacket preparedOtherwise() {
        return notSupported(
                "the statement was prepared under another sql_mode, character set or database than the session"
                        + " has now, and another server would read it in another way: prepare it again");
    }

    public static ErrPacket notPreparable() {
        return new ErrPacket(1295, "HY000", "This command is not supported in the prepared statement protocol yet");
    }

    public static ErrPacket wrongArguments(String function) {
        return new ErrPacket(1210, "HY000", "Incorrect arguments to " + function);
    }

    /** Whether this answer of a server proves that it did not run the statement, so it may be sent again. */
    public static boolean refusedUnrun(ErrPacket error) {
        return switch (error.errno()) {
            case OFFLINE, IDLE_SESSION_ENDED, SESSION_KILLED -> true;
            case OPTION_PREVENTS -> readOnly(error.message());
            default -> false;
        };
    }

    /** Whether a server that answers so to a login may take one soon. */
    public static boolean loginMayComeBack(ErrPacket error) {
        return switch (error.errno()) {
            case OFFLINE, SHUTTING_DOWN, SERVER_TOO_MANY_CONNECTIONS -> true;
            default -> false;
        };
    }

    /** Errno 1290 has many causes; only read_only and super_read_only pass by themselves. */
    private static boolean readOnly(String message) {
        return message.contains("read-only") || message.contains("read_only");
    }
}
