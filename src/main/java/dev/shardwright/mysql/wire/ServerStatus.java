package dev.shardwright.mysql.wire;

/** Bits of the status field in OK and EOF packets. */
public final class ServerStatus {
    public static final int IN_TRANSACTION = 0x0001;
    public static final int AUTOCOMMIT = 0x0002;
    public static final int MORE_RESULTS = 0x0008;
    public static final int CURSOR_EXISTS = 0x0040;
    public static final int LAST_ROW_SENT = 0x0080;
    public static final int NO_BACKSLASH_ESCAPES = 0x0200;
    public static final int IN_READ_ONLY_TRANSACTION = 0x2000;

    /** Of an OK packet that tells what has changed in the session. */
    public static final int SESSION_STATE_CHANGED = 0x4000;

    /** The rows that follow are the OUT parameters of a procedure. */
    public static final int PS_OUT_PARAMS = 1 << 12;

    private ServerStatus() {}
}
