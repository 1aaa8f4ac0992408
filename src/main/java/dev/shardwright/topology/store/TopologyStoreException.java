package dev.shardwright.topology.store;

/** The topology could not be read, or the outcome of a write is unknown. */
public final class TopologyStoreException extends RuntimeException {
    public TopologyStoreException(String message) {
        super(message);
    }

    public TopologyStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
