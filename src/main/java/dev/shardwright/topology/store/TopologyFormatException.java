package dev.shardwright.topology.store;

/** A stored text is not a valid topology document; the message says why. */
public final class TopologyFormatException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TopologyFormatException(String message) {
        super(message);
    }
}
