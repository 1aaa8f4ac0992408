package dev.shardwright.mysql.wire;

/** Flags by which client and server agree on the dialect of a connection. */
public final class Capability {
    public static final int LONG_PASSWORD = 1;
    public static final int FOUND_ROWS = 1 << 1;
    public static final int LONG_FLAG = 1 << 2;
    public static final int CONNECT_WITH_DB = 1 << 3;
    public static final int NO_SCHEMA = 1 << 4;
    public static final int COMPRESS = 1 << 5;
    public static final int LOCAL_FILES = 1 << 7;
    public static final int IGNORE_SPACE = 1 << 8;
    public static final int PROTOCOL_41 = 1 << 9;
    public static final int INTERACTIVE = 1 << 10;
    public static final int SSL = 1 << 11;
    public static final int TRANSACTIONS = 1 << 13;
    public static final int SECURE_CONNECTION = 1 << 15;
    /** Between client and router only: a server never gets more than one statement that is not meant for it whole. */
    public static final int MULTI_STATEMENTS = 1 << 16;

    public static final int MULTI_RESULTS = 1 << 17;
    public static final int PS_MULTI_RESULTS = 1 << 18;
    public static final int PLUGIN_AUTH = 1 << 19;
    public static final int CONNECT_ATTRS = 1 << 20;
    public static final int PLUGIN_AUTH_LENENC_DATA = 1 << 21;
    public static final int CAN_HANDLE_EXPIRED_PASSWORDS = 1 << 22;
    /** OK packets tell what has changed in the session. */
    public static final int SESSION_TRACK = 1 << 23;

    public static final int DEPRECATE_EOF = 1 << 24;
    /** The head of each result tells whether its columns' metadata follows. */
    public static final int OPTIONAL_RESULTSET_METADATA = 1 << 25;

    public static final int ZSTD_COMPRESSION = 1 << 26;
    public static final int QUERY_ATTRIBUTES = 1 << 27;

    /**
     * Flags that change what a server sends for a statement or how it reads one, so a client and its backends must agree
     * on them.
     */
    public static final int SHARED = LONG_PASSWORD
            | FOUND_ROWS
            | LONG_FLAG
            | NO_SCHEMA
            | LOCAL_FILES
            | IGNORE_SPACE
            | PROTOCOL_41
            | INTERACTIVE
            | TRANSACTIONS
            | MULTI_RESULTS
            | PS_MULTI_RESULTS
            | SESSION_TRACK
            | DEPRECATE_EOF
            | OPTIONAL_RESULTSET_METADATA
            | QUERY_ATTRIBUTES;

    private Capability() {}

    public static boolean has(int flags, int flag) {
        return (flags & flag) != 0;
    }
}
