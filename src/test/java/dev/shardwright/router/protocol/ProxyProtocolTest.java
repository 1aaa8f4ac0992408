package dev.shardwright.router.protocol;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyProtocolTest {
    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/8", "127.0.0.1/32", "0.0.0.0/0", "fd00::/8", "::1/128"})
    void networks(String network) {
        assertThatCode(() -> ProxyProtocol.from(List.of(network))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.0",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0/8",
                "proxy.example/8",
                "fd00::/129",
                "fd00::/"
            })
    void anythingElseIsRefused(String network) {
        assertThatThrownBy(() -> ProxyProtocol.from(List.of("10.0.0.0/8", network)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + network + "' is no network");
    }
}
