package dev.shardwright.mysql.admin;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A slow hash of a user's password, kept as the account's attribute. MySQL's own hash has a random salt,
 * so it tells neither whether a Secret has changed nor whether two servers have the same password.
 */
final class PasswordTag {
    /** The attribute's key. */
    static final String ATTRIBUTE = "shardwright_password";

    /** Key of the attribute that tells when the password was set, in seconds since 1970. */
    static final String SINCE = "shardwright_password_since";

    private static final int ROUNDS = 20_000;
    private static final int BITS = 256;

    private PasswordTag() {}

    static String of(String keyspace, AppUser user) {
        try {
            var salt = MessageDigest.getInstance("SHA-256")
                    .digest((keyspace + '/' + user.name()).getBytes(StandardCharsets.UTF_8));
            var spec = new PBEKeySpec(user.password().toCharArray(), salt, ROUNDS, BITS);
            return HexFormat.of()
                    .formatHex(SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                            .generateSecret(spec)
                            .getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has SHA-256 and PBKDF2", e);
        }
    }

    static String attribute(String tag) {
        return "{\"" + ATTRIBUTE + "\": \"" + tag + "\"}";
    }

    /** @param since when the password was set */
    static String attribute(String tag, Instant since) {
        return "{\"" + ATTRIBUTE + "\": \"" + tag + "\", \"" + SINCE + "\": " + since.getEpochSecond() + "}";
    }
}
