package dev.shardwright.local.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KnownTest {
    private final Known known = new Known(new ChatData(new ChatShape(40, 8, 4, 6, 100)));
    private final Known.Message message = known.acknowledgeInsert(MessageIds.FIRST_WRITTEN + 1, 3);

    @Test
    void anAcknowledgedMessageMustBeFound() {
        assertThat(message.judge(message.floor(), null)).contains("not found");
        assertThat(message.judge(message.floor(), 0)).isNull();
    }

    @Test
    void aVersionOnceSeenIsNeverTakenBack() {
        message.intendEdit(1);
        assertThat(message.judge(message.floor(), 1)).isNull();

        assertThat(message.judge(message.floor(), 0)).contains("must be 1 to 1");
    }

    @Test
    void aVersionThatNobodyWroteIsWrong() {
        assertThat(message.judge(message.floor(), 1)).contains("must be 0 to 0");
    }

    @Test
    void aMessageThatIsGoneStaysGone() {
        message.intendDrop();
        assertThat(message.judge(message.floor(), 0)).isNull();
        assertThat(message.judge(message.floor(), null)).isNull();

        assertThat(message.judge(message.floor(), 0)).contains("found again");
    }

    /** A client that drops a message takes its lookup away first. */
    @Test
    void aMessageWithoutItsLookupIsNotGoneYet() {
        assertThat(message.judgeNoLookup()).contains("not found");
        message.intendDrop();

        assertThat(message.judgeNoLookup()).isNull();

        assertThat(message.judge(message.floor(), 0)).isNull();
    }
}
