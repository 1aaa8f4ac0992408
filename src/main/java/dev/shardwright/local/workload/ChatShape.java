package dev.shardwright.local.workload;

/**
 * How much chat data there is; the rest follows from these numbers.
 *
 * @param messages messages that are loaded before anybody works on them, ids 1 to {@code messages}
 * @param channels channels; how many messages each gets follows a Zipf curve
 * @param messagesPerUser messages for each user on average
 * @param accounts accounts, ids 1 to {@code accounts}
 * @param credits credits of each account at first
 */
public record ChatShape(long messages, int channels, int messagesPerUser, int accounts, long credits) {
    public static final ChatShape DEFAULT = new ChatShape(200_000, 2_000, 40, 1_000, 1_000);

    public ChatShape {
        require(messages >= 1 && messages < MessageIds.FIRST_WRITTEN, "messages", messages);
        require(channels >= 1, "channels", channels);
        require(messagesPerUser >= 1, "messages for each user", messagesPerUser);
        require(accounts >= 2, "accounts", accounts);
        require(credits >= 1, "credits", credits);
    }

    /** The usual shape with another number of messages. */
    public static ChatShape of(long messages) {
        return new ChatShape(messages, DEFAULT.channels, DEFAULT.messagesPerUser, DEFAULT.accounts, DEFAULT.credits);
    }

    private static void require(boolean holds, String what, long value) {
        if (!holds) {
            throw new IllegalArgumentException(
                    value + " " + what + " is out of range: give at least 1 (accounts: 2), below 2^40");
        }
    }

    public long users() {
        return Math.max(1, messages / messagesPerUser);
    }

    public long totalCredits() {
        return accounts * credits;
    }
}
