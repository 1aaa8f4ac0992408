package dev.shardwright.reshard.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class LagTrendTest {
    private static final long WINDOW = 60_000;

    /** Whether it was ever said that the lag stays, in ten minutes of looks at a lag that is a function of time. */
    private static boolean everStays(LongUnaryOperator lagAtMillis) {
        var trend = new LagTrend(WINDOW);
        var found = false;
        for (long at = 0; at < 10 * WINDOW; at += 200) {
            found |= trend.stays(at, lagAtMillis.applyAsLong(at));
        }
        return found;
    }

    @Test
    void aLagThatGrowsOrStandsStays() {
        assertThat(everStays(at -> at / 10)).isTrue();
        assertThat(everStays(at -> 20_000)).isTrue();
        assertThat(everStays(at -> at / 10 + (at / 200) % 2 * 1_000))
                .as("unsteadily")
                .isTrue();
    }

    @Test
    void aLagThatIsWorkedOffDoesNot() {
        assertThat(everStays(at -> 600_000 - at)).isFalse();
        assertThat(everStays(at -> at < WINDOW / 4 ? 0 : 400_000 - at / 2))
                .as("after a burst")
                .isFalse();
        assertThat(everStays(at -> at % 30_000))
                .as("of statements of half a minute")
                .isFalse();
    }

    @Test
    void aShortLagIsNone() {
        assertThat(everStays(at -> 4_000)).isFalse();
    }

    @Test
    void itEndsWhenTheLagShrinks() {
        var trend = new LagTrend(WINDOW);
        for (long at = 0; at <= 2 * WINDOW; at += 200) {
            trend.stays(at, 20_000 + at);
        }
        assertThat(trend.stays(2 * WINDOW + 200, 20_000)).isTrue();
        assertThat(trend.lagBefore()).isBetween(80_000L, 83_000L);
        assertThat(trend.stays(2 * WINDOW + 400, 100)).isFalse();
    }
}
