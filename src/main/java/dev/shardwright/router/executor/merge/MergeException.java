package dev.shardwright.router.executor.merge;

/** The answers can't be merged without the risk of a wrong one; the client gets this error instead. */
public final class MergeException extends RuntimeException {
    private final int errno;
    private final String sqlState;

    private MergeException(int errno, String sqlState, String message) {
        super(message, null, false, false);
        this.errno = errno;
        this.sqlState = sqlState;
    }

    public int errno() {
        return errno;
    }

    public String sqlState() {
        return sqlState;
    }

    static MergeException unsupported(String what, String instead) {
        return new MergeException(1235, "42000", "Not supported over several shards: " + what + "; " + instead);
    }

    static MergeException disagreement(String what) {
        return new MergeException(
                1105, "HY000", "The shards disagree on the table's definition: " + what + "; make the tables alike");
    }

    static MergeException malformed() {
        return new MergeException(1105, "HY000", "A shard sent a row that is not one: see its server's log");
    }
}
