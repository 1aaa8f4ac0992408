package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import javax.crypto.Cipher;

/** The authentication plugin caching_sha2_password. */
public final class CachingSha2 {
    public static final String PLUGIN = "caching_sha2_password";
    public static final int NONCE_LENGTH = 20;
    /** First byte of a packet with more data for the plugin. */
    public static final int MORE_DATA = 0x01;

    public static final int REQUEST_PUBLIC_KEY = 0x02;
    public static final int FAST_SUCCESS = 0x03;
    public static final int FULL_AUTHENTICATION = 0x04;
    private static final SecureRandom RANDOM = new SecureRandom();

    private CachingSha2() {}

    /** Printable, because some clients stop at a zero byte. */
    public static byte[] freshNonce() {
        var nonce = new byte[NONCE_LENGTH];
        for (int i = 0; i < nonce.length; i++) {
            nonce[i] = (byte) (33 + RANDOM.nextInt(90));
        }
        return nonce;
    }

    /** What a client sends to prove that it knows the password; empty for an empty password. */
    public static byte[] scramble(String password, byte[] nonce) {
        if (password.isEmpty()) {
            return new byte[0];
        }
        var sha = sha256();
        var once = sha.digest(password.getBytes(StandardCharsets.UTF_8));
        var twice = sha.digest(once);
        sha.update(twice);
        sha.update(nonce);
        return xor(once, sha.digest());
    }

    /** Whether the response proves the password; takes the same time for each wrong response. */
    public static boolean proves(byte[] response, String password, byte[] nonce) {
        return MessageDigest.isEqual(response, scramble(password, nonce));
    }

    /** The password for full authentication over TLS, which hides it. */
    public static byte[] clear(String password) {
        return (password + "\0").getBytes(StandardCharsets.UTF_8);
    }

    /** The password for full authentication without TLS, encrypted by the server's public key. */
    public static byte[] encrypt(String password, byte[] nonce, String publicKeyPem) {
        var clear = clear(password);
        for (int i = 0; i < clear.length; i++) {
            clear[i] ^= nonce[i % nonce.length];
        }
        try {
            var der = Base64.getMimeDecoder().decode(publicKeyPem.replaceAll("-----[A-Z ]+-----", ""));
            var key = KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(der));
            var cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-1AndMGF1Padding");
            cipher.init(Cipher.ENCRYPT_MODE, key);
            return cipher.doFinal(clear);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new MalformedPacketException("the server's public key can't be used: " + e.getMessage());
        }
    }

    /** Tells a client that its proof is right; the OK packet follows. Returns the next sequence number. */
    public static int writeFastSuccess(ByteBuf out, int sequence) {
        return PacketBuilder.begin(out, sequence)
                .int1(MORE_DATA)
                .int1(FAST_SUCCESS)
                .end();
    }

    static byte[] xor(byte[] left, byte[] right) {
        var result = new byte[left.length];
        for (int i = 0; i < left.length; i++) {
            result[i] = (byte) (left[i] ^ right[i]);
        }
        return result;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
