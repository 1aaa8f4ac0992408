package dev.shardwright.operator.desired;

import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What the objects of a keyspace are called. */
public final class Names {
    private static final int MYSQL_PORT = 3306;
    private static final int HASH_DIGITS = 10;
    private static final int FINGERPRINT_DIGITS = 16;

    private Names() {}

    /** A first shard's name; a later one gets {@code -v<epoch>} from the workflow that makes it. */
    public static String shard(String keyspace, KeyRange range) {
        return keyspace + "-" + range.inName();
    }

    public static String topology(String keyspace) {
        return keyspace + "-topology";
    }

    /** The Secret with the passwords of the operator's and the movers' accounts. */
    public static String accounts(String keyspace) {
        return keyspace + "-mysql";
    }

    /** The Secret with a generated password of an application's user. */
    public static String password(String keyspace, String user) {
        return keyspace + "-" + user;
    }

    public static String router(String keyspace) {
        return keyspace + "-router";
    }

    /** The Secret with the users' names and passwords for the routers. */
    public static String routerUsers(String keyspace) {
        return keyspace + "-router-users";
    }

    /** The ConfigMap with a shard's my.cnf. */
    public static String config(String shard) {
        return shard + "-config";
    }

    /** The Secret with the statements that make a shard's data directory; gone once that is made. */
    public static String init(String shard) {
        return shard + "-init";
    }

    public static String pod(String shard) {
        return shard + "-0";
    }

    public static String volumeClaim(String shard) {
        return "data-" + pod(shard);
    }

    /** Short enough for a label, and the same for the same stream. */
    public static String streamHash(String stream) {
        return hash(stream).substring(0, HASH_DIGITS);
    }

    public static String mover(String keyspace, String stream) {
        return keyspace + "-mover-" + streamHash(stream);
    }

    /** Where a shard's server is reached inside the cluster, whatever the cluster's domain is. */
    public static Endpoint endpoint(String shard, String namespace) {
        return new Endpoint(pod(shard) + "." + shard + "." + namespace, MYSQL_PORT);
    }

    /** What the certificate of all servers of a keyspace is for, unless the keyspace names something else. */
    public static String servers(String keyspace, String namespace) {
        return keyspace + "-mysql." + namespace;
    }

    /** Tells in an annotation whether what it was made of has changed. */
    static String fingerprint(String text) {
        return hash(text).substring(0, FINGERPRINT_DIGITS);
    }

    /** SHA-256 in hex: tells whether two texts differ. */
    public static String hash(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
