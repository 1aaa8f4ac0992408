package dev.shardwright.mysql.admin;

import java.sql.SQLException;

/** A connection reached a server that does not hold the shard that was meant. Trying again does not help. */
public final class WrongServerException extends SQLException {
    private static final long serialVersionUID = 1;

    public WrongServerException(String message) {
        super(message, "08004");
    }
}
