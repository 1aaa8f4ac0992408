package dev.shardwright.reshard.cutover;

/** A switchover can't go on and must be undone; {@code reason} for machines, the message for a DBA. */
final class Undone extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    Undone(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
