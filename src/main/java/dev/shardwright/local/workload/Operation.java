package dev.shardwright.local.workload;

import java.util.Arrays;

/** One write as the application sees it: an autocommit statement or a transaction on one shard. */
sealed interface Operation {

    /** INSERT of a message, version 0. */
    record PutMessage(long id, long channel) implements Operation {}

    /** UPDATE of a message to this version. */
    record EditMessage(long id, long channel, int version) implements Operation {}

    record DropMessage(long id, long channel) implements Operation {}

    record PutLookup(long id, long channel) implements Operation {}

    record DropLookup(long id) implements Operation {}

    /** One transaction that inserts two messages into one channel. */
    record PutPair(long id, long second, long channel) implements Operation {}

    /** One transaction that moves credits between two accounts of one shard and notes it in {@code transfers}. */
    record Transfer(long id, long from, long to, long amount) implements Operation {}

    /** The operation as words of a history line. */
    default String encode() {
        return switch (this) {
            case PutMessage(long id, long channel) -> words("put", id, channel);
            case EditMessage(long id, long channel, int version) -> words("edit", id, channel, version);
            case DropMessage(long id, long channel) -> words("drop", id, channel);
            case PutLookup(long id, long channel) -> words("put-lookup", id, channel);
            case DropLookup(long id) -> words("drop-lookup", id);
            case PutPair(long id, long second, long channel) -> words("put-pair", id, second, channel);
            case Transfer(long id, long from, long to, long amount) -> words("transfer", id, from, to, amount);
        };
    }

    /** The inverse of {@link #encode}; IllegalArgumentException for anything else. */
    static Operation decode(String text) {
        String[] words = text.split(" ");
        long[] n =
                Arrays.stream(words, 1, words.length).mapToLong(Long::parseLong).toArray();
        return switch (words[0] + "/" + n.length) {
            case "put/2" -> new PutMessage(n[0], n[1]);
            case "edit/3" -> new EditMessage(n[0], n[1], (int) n[2]);
            case "drop/2" -> new DropMessage(n[0], n[1]);
            case "put-lookup/2" -> new PutLookup(n[0], n[1]);
            case "drop-lookup/1" -> new DropLookup(n[0]);
            case "put-pair/3" -> new PutPair(n[0], n[1], n[2]);
            case "transfer/4" -> new Transfer(n[0], n[1], n[2], n[3]);
            default -> throw new IllegalArgumentException("no such operation in a history: '" + text + "'");
        };
    }

    private static String words(String kind, long... numbers) {
        var text = new StringBuilder(kind);
        for (long number : numbers) {
            text.append(' ').append(number);
        }
        return text.toString();
    }
}
