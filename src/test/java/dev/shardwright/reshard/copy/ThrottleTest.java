package dev.shardwright.reshard.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.reshard.copy.Throttling.Reason;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(2);

    /** After every throttle was made. */
    private final long now = System.nanoTime() + 60 * SECOND;

    private static Throttle throttle(@Nullable Long maxRowsPerSecond) {
        var throttle = new Throttle(new ThrottleLimits(maxRowsPerSecond, 150, 20, 5_000));
        throttle.quiet(QUIET);
        return throttle;
    }

    private static Throttle unused(@Nullable Long maxRowsPerSecond) {
        var throttle = throttle(maxRowsPerSecond);
        throttle.seen(false, 5, 0);
        return throttle;
    }

    /** Commits that take so long, looked at so many times. */
    private static void see(Throttle throttle, int times, double quietTimes, boolean clients, long threads, long lag) {
        for (int i = 0; i < times; i++) {
            throttle.committed((long) (QUIET * quietTimes));
            throttle.seen(clients, threads, lag);
        }
    }

    @Test
    void aSourceThatNobodyElseUsesIsReadAtFullSpeed() {
        var throttle = throttle(null);
        see(throttle, 20, 10, false, 5, 0);
        throttle.read(1_000_000, now);
        assertThat(throttle.pauseMillis(now, now + SECOND)).isZero();
        assertThat(throttle.maxChunkRows(20_000)).isEqualTo(20_000);
        assertThat(throttle.state(1).reason()).isEqualTo(Reason.None);
    }

    @Test
    void rowsAreBoundedOverAllReaders() {
        var throttle = unused(1_000L);
        throttle.read(500, now);
        assertThat(throttle.pauseMillis(now, now)).isBetween(498L, 502L);
        throttle.read(500, now);
        assertThat(throttle.pauseMillis(now, now)).isBetween(998L, 1_002L);
        assertThat(throttle.state(1).reason()).isEqualTo(Reason.RowsPerSecond);
    }

    @Test
    void timeThatPassesPaysForRows() {
        var throttle = unused(1_000L);
        throttle.read(1_000, now);
        assertThat(throttle.pauseMillis(now, now + 2 * SECOND)).isZero();
    }

    @Test
    void restsAreNotSavedUp() {
        var throttle = unused(1_000L);
        var later = now + 3_600 * SECOND;
        throttle.read(1_000, later);
        assertThat(throttle.pauseMillis(later, later)).isBetween(999L, 1_000L);
    }

    @Test
    void aSlowRateMakesSmallChunks() {
        assertThat(unused(300L).maxChunkRows(20_000)).isEqualTo(300);
        assertThat(unused(1L).maxChunkRows(20_000)).isOne();
        assertThat(unused(1_000_000_000L).maxChunkRows(20_000)).isEqualTo(20_000);
    }

    @Test
    void clientsWhoseCommitsTakeLongerThanAllowedSlowTheReaders() {
        var throttle = unused(null);
        see(throttle, 400, 1.6, true, 5, 0);
        var state = throttle.state(1);
        assertThat(state.reason()).isEqualTo(Reason.CommitLatency);
        assertThat(state.speedPercent()).isEqualTo(5);
        assertThat(state.sinceMillis()).isPositive();
        assertThat(state.commitMicros()).isEqualTo(3_200);
        assertThat(state.quietCommitMicros()).isEqualTo(2_000);
        assertThat(throttle.pauseMillis(now, now + SECOND / 100)).isBetween(185L, 190L);
        assertThat(throttle.maxChunkRows(20_000))
                .as("small, so that the burden is even")
                .isEqualTo(1_000);
        assertThat(throttle.maxChunkRows(2_000)).isEqualTo(500);

        see(throttle, 400, 1.4, true, 5, 0);
        assertThat(throttle.state(1).reason()).isEqualTo(Reason.None);
        assertThat(throttle.state(1).speedPercent()).isEqualTo(100);
    }

    @Test
    void aSingleSlowCommitIsChance() {
        var throttle = unused(null);
        for (int i = 0; i < 30; i++) {
            see(throttle, 8, 1, true, 5, 0);
            see(throttle, 1, 50, true, 5, 0);
        }
        assertThat(throttle.state(1).reason()).isEqualTo(Reason.None);
    }

    @Test
    void whatIsNormalIsLearntAnew() {
        var throttle = unused(null);
        see(throttle, 50, 3, true, 5, 0);
        assertThat(throttle.state(1).speedPercent()).isEqualTo(5);
        var rests = 1;
        while (!throttle.quiet(3 * QUIET)) {
            rests++;
        }
        assertThat(rests).isEqualTo(12);
        see(throttle, 100, 3, true, 5, 0);
        assertThat(throttle.state(1).speedPercent()).isEqualTo(100);
    }

    @Test
    void whatCommitsTakeWhileRowsAreReadTheyTakeAtMostOtherwise() {
        var throttle = throttle(null);
        throttle.quiet(QUIET);
        see(throttle, 29, 0.5, true, 5, 0);
        assertThat(throttle.state(1).quietCommitMicros()).isEqualTo(2_000);
        see(throttle, 1, 0.5, true, 5, 0);
        assertThat(throttle.state(1).quietCommitMicros()).isEqualTo(1_000);
    }

    @Test
    void clientsThatComeFindSlowReadersUntilTheirCommitsAreKnown() {
        var throttle = unused(null);
        see(throttle, 30, 1, false, 5, 0);
        assertThat(throttle.state(1).speedPercent()).isEqualTo(100);
        throttle.clientsCame();
        see(throttle, 8, 1, true, 5, 0);
        assertThat(throttle.state(1).speedPercent()).isEqualTo(5);
        see(throttle, 10, 1, true, 5, 0);
        assertThat(throttle.state(1).speedPercent()).isBetween(6, 9);
    }

    @Test
    void theSpeedMovesInSmallSteps() {
        var throttle = unused(null);
        see(throttle, 8, 1.8, true, 5, 0);
        assertThat(throttle.state(1).speedPercent()).isEqualTo(100);
        see(throttle, 1, 1.8, true, 5, 0);
        assertThat(throttle.state(1).speedPercent()).isEqualTo(97);
        see(throttle, 1, 1.8, true, 5, 0);
        assertThat(throttle.state(1).speedPercent()).isEqualTo(94);
    }

    @Test
    void manyRunningThreadsSlowTheReaders() {
        var throttle = unused(null);
        see(throttle, 50, 1, true, 30, 0);
        assertThat(throttle.state(1).reason()).isEqualTo(Reason.ThreadsRunning);
        assertThat(throttle.state(1).speedPercent()).isEqualTo(5);
    }

    @Test
    void targetsThatAreBehindSlowTheReadersWhoeverUsesTheSource() {
        var throttle = unused(null);
        see(throttle, 100, 1, false, 5, 6_000);
        assertThat(throttle.state(1).reason()).isEqualTo(Reason.TargetLag);
        assertThat(throttle.state(1).speedPercent()).isEqualTo(5);
        see(throttle, 1, 1, false, 5, -1);
        assertThat(throttle.state(1).reason()).isEqualTo(Reason.None);
    }

    @Test
    void whoRestsIsCounted() throws InterruptedException {
        var throttle = unused(1_000L);
        throttle.read(40, System.nanoTime());
        throttle.pause(System.nanoTime());
        assertThat(throttle.state(1).restedMillis()).isGreaterThanOrEqualTo(39);
        assertThat(throttle.state(2).restedMillis())
                .isLessThanOrEqualTo(throttle.state(1).restedMillis() / 2 + 1);
    }

    @Test
    void aBadMomentDoesNotPassForAQuietOne() {
        var throttle = throttle(null);
        assertThat(throttle.quiet(200 * QUIET)).isFalse();
        see(throttle, 40, 200, true, 5, 0);
        assertThat(throttle.state(1).reason()).isEqualTo(Reason.CommitLatency);
        assertThat(throttle.state(1).quietCommitMicros()).isEqualTo(2_200);
        for (int i = 0; i < 60; i++) {
            throttle.quiet(200 * QUIET);
        }
        assertThat(throttle.state(1).quietCommitMicros())
                .as("but one that lasts is learnt")
                .isEqualTo(400_000);
        assertThat(throttle.quiet(QUIET)).isTrue();
        assertThat(throttle.state(1).quietCommitMicros()).isEqualTo(2_000);
    }
}
