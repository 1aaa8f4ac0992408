package dev.shardwright.mysql.client;

import java.io.IOException;

/** A server refused or ended something, or sent what can't be understood; {@code errno} 0 if it was the latter. */
public final class ServerException extends IOException {
    private final int errno;

    public ServerException(int errno, String message) {
        super(message);
        this.errno = errno;
    }

    public int errno() {
        return errno;
    }
}
