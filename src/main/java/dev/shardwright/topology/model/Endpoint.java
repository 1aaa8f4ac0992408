package dev.shardwright.topology.model;

/** Where a MySQL server listens. */
public record Endpoint(String host, int port) {
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
