package dev.shardwright.mysql.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PortsTest {
    /** Of so many numbers by chance, several would be the same. */
    private static final int PORTS = 1_000;

    @Test
    void noPortIsGivenOutTwice() {
        var ports =
                IntStream.range(0, PORTS).map(unused -> Ports.free()).boxed().toList();
        assertThat(ports).doesNotHaveDuplicates();
    }
}
