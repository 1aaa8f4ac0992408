package dev.shardwright.topology.vindex;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * {@code hash}: the big-endian value encrypted with 3DES under an all-zero key. With all three keys the
 * same, 3DES is DES; nothing is kept secret here, it only spreads integers evenly.
 */
final class HashVindex extends IntegerVindex {
    private static final ThreadLocal<Cipher> DES = ThreadLocal.withInitial(HashVindex::des);

    HashVindex() {
        super(true);
    }

    @Override
    byte[] map(long bits) {
        try {
            return DES.get().doFinal(bigEndian(bits));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("DES of one block can't fail", e);
        }
    }

    @SuppressWarnings("InsecureCryptoUsage") // a hash function fixed by compatibility, not a secret
    private static Cipher des() {
        try {
            var cipher = Cipher.getInstance("DES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[8], "DES"));
            return cipher;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no DES, which the vindex type hash is made of", e);
        }
    }
}
