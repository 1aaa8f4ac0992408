package dev.shardwright.mysql.binlog;

import java.io.IOException;

/** The source server refused or ended the stream, or sent something that can't be understood; {@code errno} 0 if it was the latter. */
public final class BinlogException extends IOException {
    private final int errno;

    public BinlogException(int errno, String message) {
        super(message);
        this.errno = errno;
    }

    public int errno() {
        return errno;
    }
}
