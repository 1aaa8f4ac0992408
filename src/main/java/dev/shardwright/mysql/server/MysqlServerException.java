package dev.shardwright.mysql.server;

/** A local MySQL server could not be made, started or stopped; the message has the end of its error log. */
public final class MysqlServerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MysqlServerException(String message) {
        super(message);
    }

    public MysqlServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
