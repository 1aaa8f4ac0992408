package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.wire.ErrPacket;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConnectionCountsTest {
    private final ConnectionCounts counts = new ConnectionCounts(3, 2);

    @Test
    void asManyMayWaitForTheirLoginAsMayBeLoggedIn() {
        var waiting = List.of(arrive(), arrive(), arrive());
        assertThat(code(counts.connects(new EmbeddedChannel()))).isEqualTo(1040);
        assertThat(counts.becomes(waiting.get(0), "app")).isNull();
        assertThat(counts.becomes(waiting.get(1), "app")).isNull();
        assertThat(counts.becomes(waiting.get(2), "other")).isNull();
        assertThat(code(counts.connects(new EmbeddedChannel())))
                .as("all places are taken")
                .isEqualTo(1040);
        waiting.forEach(EmbeddedChannel::close);
        assertThat(counts.isEmpty()).isTrue();
    }

    @Test
    void whoWaitsTakesNoPlaceFromWhoIsIn() {
        var first = arrive();
        var second = arrive();
        var late = arrive();
        counts.becomes(first, "a");
        counts.becomes(second, "b");
        var third = arrive();
        counts.becomes(third, "c");
        assertThat(code(counts.becomes(late, "d"))).isEqualTo(1040);
        first.close();
        assertThat(counts.becomes(late, "d")).isNull();
    }

    @Test
    void aUserHasALimitOfItsOwn() {
        var first = arrive();
        var second = arrive();
        counts.becomes(first, "app");
        counts.becomes(second, "app");
        var third = arrive();
        var refusal = counts.becomes(third, "app");
        assertThat(code(refusal)).isEqualTo(1203);
        assertThat(refusal.message())
                .isEqualTo("User app already has more than 'max_user_connections' active connections");
        assertThat(counts.becomes(third, "other")).isNull();
        assertThat(code(counts.becomes(third, "app"))).as("nor later").isEqualTo(1203);
        assertThat(counts.becomes(first, "app")).as("itself again").isNull();
        second.close();
        assertThat(counts.becomes(third, "app")).isNull();
        first.close();
        third.close();
        assertThat(counts.isEmpty()).isTrue();
    }

    @Test
    void nothingIsLeftOfAnyOrderOfComingAndGoing() {
        var random = new Random(11);
        var open = new ArrayList<EmbeddedChannel>();
        for (int i = 0; i < 5_000; i++) {
            int which = open.isEmpty() ? 0 : random.nextInt(open.size());
            switch (random.nextInt(3)) {
                case 0 -> {
                    var channel = new EmbeddedChannel();
                    if (counts.connects(channel) == null) {
                        open.add(channel);
                    }
                }
                case 1 -> {
                    if (!open.isEmpty()) {
                        counts.becomes(open.get(which), "user" + random.nextInt(2));
                    }
                }
                default -> {
                    if (!open.isEmpty()) {
                        var gone = open.remove(which);
                        gone.close();
                        counts.becomes(gone, "late");
                    }
                }
            }
        }
        open.forEach(EmbeddedChannel::close);
        assertThat(counts.isEmpty()).isTrue();
    }

    private EmbeddedChannel arrive() {
        var channel = new EmbeddedChannel();
        assertThat(counts.connects(channel)).isNull();
        return channel;
    }

    private static int code(@Nullable ErrPacket refusal) {
        return refusal == null ? 0 : refusal.errno();
    }
}
