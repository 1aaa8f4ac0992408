package dev.shardwright.reshard.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long BASELINE = TimeUnit.MILLISECONDS.toNanos(1);

    /** After every throttle was made. */
    private final long now = System.nanoTime() + 60 * SECOND;

    @Test
    void withoutABoundAndWithACalmSourceNobodyRests() {
        var throttle = new Throttle(BASELINE, null);
        throttle.read(1_000_000, now);
        throttle.committed(BASELINE);
        assertThat(throttle.pauseMillis(now, now + SECOND)).isZero();
        assertThat(throttle.maxChunkRows(20_000)).isEqualTo(20_000);
    }

    @Test
    void rowsOfAllReadersCountTogether() {
        var throttle = new Throttle(BASELINE, 1_000L);
        throttle.read(500, now);
        assertThat(throttle.pauseMillis(now, now)).isBetween(498L, 502L);
        throttle.read(500, now);
        assertThat(throttle.pauseMillis(now, now)).isBetween(998L, 1_002L);
    }

    @Test
    void whatTheReadTookIsNoRestOnTop() {
        var throttle = new Throttle(BASELINE, 1_000L);
        throttle.read(1_000, now);
        assertThat(throttle.pauseMillis(now, now + 2 * SECOND)).isZero();
    }

    @Test
    void anIdleTimeIsNotSavedForALaterBurst() {
        var throttle = new Throttle(BASELINE, 1_000L);
        var later = now + 3_600 * SECOND;
        throttle.read(1_000, later);
        assertThat(throttle.pauseMillis(later, later)).isBetween(999L, 1_000L);
    }

    @Test
    void aChunkIsAtMostASecondsWorthOfRowsAndAtLeastOne() {
        assertThat(new Throttle(BASELINE, 300L).maxChunkRows(20_000)).isEqualTo(300);
        assertThat(new Throttle(BASELINE, 1L).maxChunkRows(20_000)).isOne();
        assertThat(new Throttle(BASELINE, 1_000_000_000L).maxChunkRows(20_000)).isEqualTo(20_000);
    }

    @Test
    void aSourceThatHasBecomeSlowGetsTimeToRecover() {
        var throttle = new Throttle(BASELINE, null);
        for (int i = 0; i < 50; i++) {
            throttle.committed(10 * BASELINE);
        }
        assertThat(throttle.pauseMillis(now, now + SECOND / 10)).isBetween(390L, 400L);
        assertThat(throttle.pauseMillis(now, now + 60 * SECOND)).isEqualTo(2_000);
    }
}
