package dev.shardwright.operator.mapping;

import java.util.Map;

/** The labels by which the operator finds its own objects again. */
public final class Labels {
    public static final String KEYSPACE = "shardwright.dev/keyspace";
    public static final String SHARD = "shardwright.dev/shard";
    public static final String STREAM = "shardwright.dev/stream";
    public static final String COMPONENT = "app.kubernetes.io/component";
    public static final String ROUTER = "router";
    public static final String MYSQL = "mysql";
    public static final String MOVER = "mover";

    private Labels() {}

    /** What every object of one part of a keyspace carries. */
    public static Map<String, String> of(String keyspace, String component) {
        return Map.of(
                "app.kubernetes.io/name",
                "shardwright",
                "app.kubernetes.io/managed-by",
                "shardwright-operator",
                COMPONENT,
                component,
                KEYSPACE,
                keyspace);
    }

    /** What selects the pods of one part of a keyspace. */
    public static Map<String, String> selector(String keyspace, String component) {
        return Map.of(COMPONENT, component, KEYSPACE, keyspace);
    }
}
