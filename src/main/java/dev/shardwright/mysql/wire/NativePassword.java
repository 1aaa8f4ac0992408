package dev.shardwright.mysql.wire;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The authentication plugin mysql_native_password, which clients from before MySQL 8 know only. */
public final class NativePassword {
    public static final String PLUGIN = "mysql_native_password";

    private NativePassword() {}

    /** What a client sends to prove that it knows the password; empty for an empty password. */
    public static byte[] scramble(String password, byte[] nonce) {
        if (password.isEmpty()) {
            return new byte[0];
        }
        var sha = sha1();
        var once = sha.digest(password.getBytes(StandardCharsets.UTF_8));
        var twice = sha.digest(once);
        sha.update(nonce);
        return CachingSha2.xor(once, sha.digest(twice));
    }

    /** Whether the response proves the password; takes the same time for each wrong response. */
    public static boolean proves(byte[] response, String password, byte[] nonce) {
        return MessageDigest.isEqual(response, scramble(password, nonce));
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
