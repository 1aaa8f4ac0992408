package dev.shardwright.mysql.wire;

/** Bytes that are no packet of the protocol. The connection that sent them can't be used any more. */
public final class MalformedPacketException extends RuntimeException {
    public MalformedPacketException(String message) {
        super(message);
    }
}
