package dev.shardwright.router.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** However many different statements come, what is remembered of them stays bounded. */
class PlanCacheTest {
    private static final int MILLION = 1_000_000;
    private static final long CAPACITY = 4L << 20;

    private final Planned planned =
            Planners.planner(Planners.fourShards()).plan("SELECT 1".getBytes(StandardCharsets.UTF_8), Planners.TEXT);

    private static PlanCache.Key key(String text) {
        return new PlanCache.Key(text.getBytes(StandardCharsets.UTF_8), Planners.TEXT);
    }

    @Test
    void aMillionStatementsFit() {
        var cache = new PlanCache(CAPACITY);
        var often = key("SELECT often");
        cache.put(often, new PlanCache.Entry(planned));
        int weight = key("SELECT a" + MILLION).weight();
        for (int i = 0; i < MILLION; i++) {
            cache.put(key("SELECT a" + i), new PlanCache.Entry(planned));
            assertThat(cache.get(often)).isNotNull();
            if (i % 10_000 == 0) {
                assertThat((long) cache.size() * (weight - 6)).isLessThanOrEqualTo(CAPACITY);
            }
        }
        assertThat(cache.size()).isBetween((int) (CAPACITY / weight / 2), (int) (CAPACITY / (weight - 6)));
    }

    @Test
    void whatIsTooLargeIsNotRemembered() {
        var cache = new PlanCache(CAPACITY);
        var large = key("SELECT " + "a".repeat((int) (CAPACITY / 16)));
        cache.put(large, new PlanCache.Entry(planned));
        assertThat(cache.get(large)).isNull();
        assertThat(cache.size()).isZero();
    }

    @Test
    void onePlanForEachText() {
        var cache = new PlanCache(CAPACITY);
        for (int i = 0; i < 10; i++) {
            cache.put(key("SELECT same"), new PlanCache.Entry(planned));
        }
        assertThat(cache.size()).isEqualTo(1);
    }
}
