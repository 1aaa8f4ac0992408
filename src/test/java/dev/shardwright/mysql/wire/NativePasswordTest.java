package dev.shardwright.mysql.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class NativePasswordTest {
    private static final byte[] NONCE = "0123456789abcdefghij".getBytes(StandardCharsets.US_ASCII);
    /** What MySQL stores for the password "password". */
    private static final byte[] STORED = HexFormat.of().parseHex("2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19");

    /** As a server does it, which has only the stored hash. */
    @Test
    void theResponseProvesThePasswordToAServer() throws Exception {
        var sha = MessageDigest.getInstance("SHA-1");
        sha.update(NONCE);
        var mask = sha.digest(STORED);
        var response = NativePassword.scramble("password", NONCE);
        for (int i = 0; i < response.length; i++) {
            response[i] ^= mask[i];
        }
        assertThat(sha.digest(response)).isEqualTo(STORED);
    }

    @Test
    void onlyTheRightPasswordIsProven() {
        var response = NativePassword.scramble("password", NONCE);
        assertThat(NativePassword.proves(response, "password", NONCE)).isTrue();
        assertThat(NativePassword.proves(response, "Password", NONCE)).isFalse();
        assertThat(NativePassword.proves(new byte[0], "password", NONCE)).isFalse();
        assertThat(NativePassword.proves(new byte[0], "", NONCE)).isTrue();
    }
}
