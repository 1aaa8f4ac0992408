package dev.shardwright.operator.desired;

import dev.shardwright.api.Keyspace;
import dev.shardwright.api.Shard;
import dev.shardwright.api.ShardSpec;
import dev.shardwright.topology.keyrange.KeyRange;
import java.security.SecureRandom;
import java.util.stream.Collectors;

/** Shard resources as the operator makes them. */
public final class ShardResource {
    private static final String UID_LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int UID_LENGTH = 12;
    private static final SecureRandom RANDOM = new SecureRandom();

    private ShardResource() {}

    public static Shard of(Keyspace keyspace, String name, KeyRange range, String uid) {
        var keyspaceName = keyspace.getMetadata().getName();
        var shard = new Shard();
        shard.setMetadata(Owned.by(keyspace, name, Labels.shard(keyspaceName, name, uid)));
        shard.setSpec(new ShardSpec(
                keyspaceName, range.toString(), uid, keyspace.getSpec().mysql().storage()));
        return shard;
    }

    /** Never given twice, for all practical purposes. */
    public static String newUid() {
        return RANDOM.ints(UID_LENGTH, 0, UID_LETTERS.length())
                .mapToObj(i -> String.valueOf(UID_LETTERS.charAt(i)))
                .collect(Collectors.joining());
    }
}
