package dev.shardwright.operator.desired;

import java.util.Map;
import java.util.TreeMap;

/** The labels by which the operator finds its objects. */
public final class Labels {
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    public static final String MANAGER = "shardwright";
    public static final String COMPONENT = "app.kubernetes.io/component";
    public static final String KEYSPACE = "shardwright.dev/keyspace";
    public static final String SHARD = "shardwright.dev/shard";
    public static final String SHARD_UID = "shardwright.dev/shard-uid";
    public static final String STREAM = "shardwright.dev/stream";
    public static final String WORKFLOW = "shardwright.dev/workflow";

    public static final String MYSQL = "mysql";
    public static final String ROUTER = "router";
    public static final String MOVER = "mover";

    /** What every watch of the operator selects. */
    public static final String OURS = MANAGED_BY + "=" + MANAGER;

    private Labels() {}

    public static Map<String, String> keyspace(String keyspace) {
        return with(Map.of(MANAGED_BY, MANAGER, "app.kubernetes.io/name", "shardwright"), KEYSPACE, keyspace);
    }

    public static Map<String, String> shard(String keyspace, String shard, String uid) {
        return with(with(with(keyspace(keyspace), COMPONENT, MYSQL), SHARD, shard), SHARD_UID, uid);
    }

    public static Map<String, String> router(String keyspace) {
        return with(keyspace(keyspace), COMPONENT, ROUTER);
    }

    public static Map<String, String> mover(String keyspace, String stream) {
        return with(with(keyspace(keyspace), COMPONENT, MOVER), STREAM, Names.streamHash(stream));
    }

    /** What a selector of a router Deployment or Service needs; selectors can never change. */
    public static Map<String, String> routerSelector(String keyspace) {
        return with(Map.of(KEYSPACE, keyspace), COMPONENT, ROUTER);
    }

    public static Map<String, String> shardSelector(String shard) {
        return with(Map.of(SHARD, shard), COMPONENT, MYSQL);
    }

    public static Map<String, String> moverSelector(String keyspace, String stream) {
        return with(with(Map.of(KEYSPACE, keyspace), COMPONENT, MOVER), STREAM, Names.streamHash(stream));
    }

    /** In the order of the keys: the same object is always the same text. */
    static Map<String, String> with(Map<String, String> labels, String key, String value) {
        var all = new TreeMap<>(labels);
        all.put(key, value);
        return all;
    }
}
