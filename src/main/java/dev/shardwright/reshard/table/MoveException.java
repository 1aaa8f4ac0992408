package dev.shardwright.reshard.table;

/** The move can't go on and trying again won't help; the message says why and what to do, in words for a DBA. */
public final class MoveException extends RuntimeException {
    public MoveException(String message) {
        super(message);
    }

    public MoveException(String message, Throwable cause) {
        super(message, cause);
    }
}
