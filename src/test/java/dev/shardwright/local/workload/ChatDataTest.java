package dev.shardwright.local.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ChatDataTest {
    private final ChatData data = new ChatData(ChatShape.DEFAULT);

    @Test
    void channelsFollowAZipfCurve() {
        Map<Long, Long> sizes = new HashMap<>();
        LongStream.rangeClosed(1, 200_000).forEach(id -> sizes.merge(data.channelOf(id), 1L, Long::sum));
        long ten = LongStream.rangeClosed(1, 10)
                .map(channel -> sizes.getOrDefault(channel, 0L))
                .sum();

        assertThat(sizes.getOrDefault(1L, 0L) / 200_000.0).isCloseTo(0.123, within(0.004));
        assertThat(ten / 200_000.0).isCloseTo(0.358, within(0.006));
        assertThat(sizes.keySet()).allMatch(channel -> channel >= 1 && channel <= 2_000);
    }

    @Test
    void textsOfVersionsDifferAndFit() {
        assertThat(data.body(5, 0)).isNotEqualTo(data.body(5, 1));
        assertThat(LongStream.range(0, 2_000).mapToObj(id -> data.body(id, 3))).allMatch(text -> text.length() <= 500);
    }

    @Test
    void writtenMessagesBelongToUsersOfTheirClient() {
        long id = new MessageIds(6, 2).next();

        assertThat(MessageIds.clientOf(id)).isEqualTo(6);
        assertThat(data.userOf(id))
                .isBetween(ChatData.userOfClient(6, 0), ChatData.userOfClient(6, ChatData.usersOfClient() - 1));
    }
}
