package dev.shardwright.local.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    @Test
    void percentilesAreCloseEnough() {
        var latencies = new Latencies();
        LongStream.rangeClosed(1, 10_000).forEach(latencies::record);

        assertThat(latencies.count()).isEqualTo(10_000);
        assertThat(latencies.percentile(0.5)).isCloseTo(5_000, Percentage.withPercentage(7));
        assertThat(latencies.percentile(0.99)).isCloseTo(9_900, Percentage.withPercentage(7));
    }

    @Test
    void theEndsOfTheScaleHold() {
        var latencies = new Latencies();
        assertThat(latencies.percentile(0.5)).isZero();

        latencies.record(-5);
        assertThat(latencies.percentile(1)).isCloseTo(0, within(0L));
        latencies.record(Long.MAX_VALUE);
        assertThat(latencies.percentile(1)).isGreaterThan(3_600_000_000L);
    }
}
