package dev.shardwright.topology.vindex;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/** The hash functions of the byte vindexes. */
final class Digests {
    private static final XXHash64 XXH64 = XXHashFactory.safeInstance().hash64();
    private static final long SEED = 0;

    private Digests() {}

    static byte[] xxhash(byte[] bytes) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(XXH64.hash(bytes, 0, bytes.length, SEED))
                .array();
    }

    static byte[] md5(byte[] bytes) {
        try {
            return MessageDigest.getInstance("MD5").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }
}
