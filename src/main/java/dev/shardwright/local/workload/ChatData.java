package dev.shardwright.local.workload;

import java.util.Arrays;

/**
 * What the chat's rows contain, as a function of their ids: nobody has to remember a row's content to
 * know whether it is right.
 */
public final class ChatData {
    private static final String[] WORDS = {
        "morning", "deploy", "naïve", "shard", "tea", "später", "ok", "咖啡", "lunch?", "merged", "🙂", "retry", "done",
        "it's", "\\o/"
    };
    /** Users of written messages: few for each client, so that counting one user's messages means something. */
    private static final int USERS_PER_CLIENT = 20;

    private static final long USER_STRIDE = 1_000_000_000;

    private final ChatShape shape;
    private final double[] cumulative;

    public ChatData(ChatShape shape) {
        this.shape = shape;
        this.cumulative = zipf(shape.channels());
    }

    public ChatShape shape() {
        return shape;
    }

    /** The share of messages up to and including channel n: the n-th channel weighs 1/n. */
    private static double[] zipf(int channels) {
        double[] sums = new double[channels];
        double sum = 0;
        for (int rank = 1; rank <= channels; rank++) {
            sum += 1.0 / rank;
            sums[rank - 1] = sum;
        }
        for (int i = 0; i < channels; i++) {
            sums[i] /= sum;
        }
        return sums;
    }

    /** The channel of a loaded message, or one for a new message: 1 is the busiest. */
    public long channelOf(long id) {
        double at = (mix(id) >>> 11) * 0x1.0p-53;
        int found = Arrays.binarySearch(cumulative, at);
        int index = found >= 0 ? found : -found - 1;
        return Math.min(index, cumulative.length - 1) + 1L;
    }

    public long userOf(long id) {
        if (MessageIds.isLoaded(id)) {
            return Math.floorMod(mix(id ^ 0x75736572L), shape.users()) + 1;
        }
        return userOfClient(MessageIds.clientOf(id), (int) (id % USERS_PER_CLIENT));
    }

    static long userOfClient(int client, int n) {
        return USER_STRIDE * (client + 1L) + n;
    }

    static int usersOfClient() {
        return USERS_PER_CLIENT;
    }

    /** The text of a message in its n-th version; texts of different messages or versions differ. */
    public String body(long id, int version) {
        var text = new StringBuilder().append(id).append('.').append(version);
        long bits = mix(id * 31 + version);
        int words = 4 + (int) (bits & 15);
        for (int i = 0; i < words; i++) {
            bits = mix(bits + i);
            text.append(' ').append(WORDS[(int) Math.floorMod(bits, (long) WORDS.length)]);
        }
        return text.toString();
    }

    /** Loaded messages that nobody ever changes, so every reader of every client knows them. */
    static boolean isUntouched(long id) {
        return MessageIds.isLoaded(id) && id % 4 == 0;
    }

    /** The finalizer of SplitMix64: spreads consecutive numbers evenly over 64 bits. */
    static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
