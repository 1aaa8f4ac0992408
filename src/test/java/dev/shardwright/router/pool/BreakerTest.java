package dev.shardwright.router.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.wire.ErrPacket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private static final ErrPacket WHY = new ErrPacket(1105, "HY000", "no route to host");
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Breaker breaker = new Breaker(Duration.ofSeconds(10));

    @Test
    void letsAllThroughUntilAFailure() {
        assertThat(breaker.closedBy(1)).isNull();
        breaker.failed(WHY, 100);
        assertThat(breaker.closedBy(101)).isEqualTo(WHY);
        assertThat(breaker.closedBy(100 + SECOND)).isNull();
    }

    @Test
    void pausesForLongerWithEachFailureButNotForever() {
        breaker.failed(WHY, 0);
        assertThat(breaker.closedBy(SECOND / 100)).isNull();
        for (int i = 1; i < 20; i++) {
            breaker.failed(WHY, i * SECOND);
        }
        assertThat(breaker.closedBy(19 * SECOND + SECOND / 100)).isEqualTo(WHY);
        assertThat(breaker.closedBy(20 * SECOND)).isNull();
    }

    @Test
    void givesUpWaitingAfterAWhileAndForgetsItAllWithASuccess() {
        breaker.failed(WHY, 0);
        assertThat(breaker.isLost(10 * SECOND)).isFalse();
        assertThat(breaker.isLost(10 * SECOND + 1)).isTrue();
        breaker.succeeded();
        assertThat(breaker.isLost(20 * SECOND)).isFalse();
        assertThat(breaker.closedBy(1)).isNull();
    }

    /** As it is between the flip and the opening of its server: it is no failure, however long it takes. */
    @Test
    void oneKnocksNowAndThenAtAServerThatLetsNobodyIn() {
        breaker.shut(WHY, 0);
        assertThat(breaker.closedBy(SECOND / 2_000)).isEqualTo(WHY);
        assertThat(breaker.closedBy(SECOND / 1_000)).isNull();
        assertThat(breaker.isLost(60 * SECOND)).isFalse();
        breaker.shut(WHY, SECOND);
        assertThat(breaker.succeeded()).as("it was shut").isTrue();
        assertThat(breaker.closedBy(SECOND)).isNull();
        assertThat(breaker.succeeded()).isFalse();
    }
}
