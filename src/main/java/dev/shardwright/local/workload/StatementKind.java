package dev.shardwright.local.workload;

/** What the workload's statements are counted as. */
enum StatementKind {
    INSERT("inserts"),
    UPDATE("updates"),
    DELETE("deletes"),
    TRANSACTION("transactions"),
    POINT_READ("reads by key"),
    LOOKUP_READ("reads by lookup"),
    LATEST_READ("latest 50 of a channel"),
    SCATTER_READ("counts over all shards");

    private final String words;

    StatementKind(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    boolean isWrite() {
        return this == INSERT || this == UPDATE || this == DELETE || this == TRANSACTION;
    }
}
